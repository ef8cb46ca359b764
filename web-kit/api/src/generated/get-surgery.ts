// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { Surgery } from './types.ts';

/** Returns a surgery by slug or number. */
export function getSurgery(surgery: string, options: CallOptions = {}): Promise<Surgery> {
  return call({ method: 'GET', template: '/surgeries/{surgery}', params: { surgery }, ...options });
}
