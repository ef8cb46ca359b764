// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { Specialty } from './types.ts';

/** Returns a specialty by slug or alias. */
export function getSpecialty(specialty: string, options: CallOptions = {}): Promise<Specialty> {
  return call({ method: 'GET', template: '/specialties/{specialty}', params: { specialty }, ...options });
}
