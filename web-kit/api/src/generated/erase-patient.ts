// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { ErasePatientRequestInput, ErasePatientResponse } from './types.ts';

/**
 * Erases the person from everything that is kept under an e-mail address or a phone number. Appointments that are still to come must
 * be cancelled before: FAILED_PRECONDITION reason OPEN_APPOINTMENTS.
 */
export function erasePatient(body: ErasePatientRequestInput, options: CallOptions = {}): Promise<ErasePatientResponse> {
  return call({ method: 'POST', template: '/patients:erase', body, ...options });
}
