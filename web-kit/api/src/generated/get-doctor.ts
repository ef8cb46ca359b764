// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { Doctor } from './types.ts';

/** Returns a doctor, listed or not, by slug or id. Errors: NOT_FOUND. */
export function getDoctor(doctor: string, options: CallOptions = {}): Promise<Doctor> {
  return call({ method: 'GET', template: '/doctors/{doctor}', params: { doctor }, ...options });
}
