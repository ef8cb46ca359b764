// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { GetEventPlacesResponse } from './types.ts';

/** Returns how many places of an event are left. An event without a limit, or one that this service does not know yet, has `places` 0. */
export function getEventPlaces(event_id: string, options: CallOptions = {}): Promise<GetEventPlacesResponse> {
  return call({ method: 'GET', template: '/events/{event_id}/places', params: { event_id }, ...options });
}
