// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ErasePatientRequestInput, ErasePatientResponse } from './types.ts';

/**
 * Erases the person from everything stored under an e-mail address or a phone number. Upcoming appointments must be cancelled first,
 * else FAILED_PRECONDITION reason OPEN_APPOINTMENTS.
 */
export function erasePatient(body: ErasePatientRequestInput, options: CallOptions = {}): Promise<ErasePatientResponse> {
  return call({ method: 'POST', template: '/patients:erase', body, ...options });
}
