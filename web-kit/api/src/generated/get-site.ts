// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { Site } from './types.ts';

/** Returns name, addresses, numbers and hours of the hospital. */
export function getSite(options: CallOptions = {}): Promise<Site> {
  return call({ method: 'GET', template: '/site', ...options });
}
