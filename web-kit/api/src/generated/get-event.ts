// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { Event } from './types.ts';

/** Get event */
export function getEvent(event: string, options: CallOptions = {}): Promise<Event> {
  return call({ method: 'GET', template: '/events/{event}', params: { event }, ...options });
}
