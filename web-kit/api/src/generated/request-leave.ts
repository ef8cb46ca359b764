// Generated from openapi.json by generate.mjs; do not edit.
import { call, type KeyedCallOptions } from '../call.ts';
import type { LeaveRequest, LeaveRequestInput } from './types.ts';

/**
 * Asks for leave. Errors: INVALID_ARGUMENT with all violations, also for days that overlap the doctor's leave or another waiting request;
 * FAILED_PRECONDITION reason LEAVE_REQUESTS_MAX (at most 20 waiting requests of a doctor), DOCTOR_UNKNOWN (no sessions in the roster).
 */
export function requestLeave(body: LeaveRequestInput, options: KeyedCallOptions): Promise<LeaveRequest> {
  return call({ method: 'POST', template: '/leave-requests', body, ...options });
}
