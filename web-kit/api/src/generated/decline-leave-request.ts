// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { DeclineLeaveRequestRequestInput, LeaveRequest } from './types.ts';

/** Declines the request. `etag` as in WithdrawLeaveRequest. */
export function declineLeaveRequest(leave_request_id: string, body: DeclineLeaveRequestRequestInput, options: CallOptions = {}): Promise<LeaveRequest> {
  return call({ method: 'POST', template: '/leave-requests/{leave_request_id}:decline', params: { leave_request_id }, body, ...options });
}
