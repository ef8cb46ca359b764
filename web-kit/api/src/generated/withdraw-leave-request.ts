// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { LeaveRequest, WithdrawLeaveRequestRequestInput } from './types.ts';

/**
 * Withdraws an own waiting request. `etag` must be current (If-Match), else ABORTED reason ETAG_MISMATCH, which names the present state.
 * Errors: NOT_FOUND, for a request of another doctor too.
 */
export function withdrawLeaveRequest(leave_request_id: string, body: WithdrawLeaveRequestRequestInput, options: CallOptions = {}): Promise<LeaveRequest> {
  return call({ method: 'POST', template: '/leave-requests/{leave_request_id}:withdraw', params: { leave_request_id }, body, ...options });
}
