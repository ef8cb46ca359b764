// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

/** Delete leave */
export function deleteLeave(leave_id: string, options: CallOptions = {}): Promise<void> {
  return call({ method: 'DELETE', template: '/leaves/{leave_id}', params: { leave_id }, ...options });
}
