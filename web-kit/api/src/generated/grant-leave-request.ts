// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { GrantLeaveRequestRequestInput, GrantLeaveRequestResponse } from './types.ts';

/**
 * Enters the leave, as CreateLeave does, and grants the request, both or neither. `etag` as in WithdrawLeaveRequest. Errors:
 * FAILED_PRECONDITION reason LEAVE_OVER (its last day is past), ROSTER_FULL.
 */
export function grantLeaveRequest(leave_request_id: string, body: GrantLeaveRequestRequestInput, options: CallOptions = {}): Promise<GrantLeaveRequestResponse> {
  return call({ method: 'POST', template: '/leave-requests/{leave_request_id}:grant', params: { leave_request_id }, body, ...options });
}
