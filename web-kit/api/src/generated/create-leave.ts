// Generated from openapi.json by generate.mjs; do not edit.
import { call, type KeyedCallOptions } from '../call.ts';
import type { CreateLeaveResponse, LeaveInput } from './types.ts';

/** Enters leave. `affected` are booked appointments that are now uncovered. This call neither moves nor notifies them. */
export function createLeave(body: LeaveInput, options: KeyedCallOptions): Promise<CreateLeaveResponse> {
  return call({ method: 'POST', template: '/leaves', body, ...options });
}
