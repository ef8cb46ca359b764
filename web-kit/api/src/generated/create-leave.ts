// Generated from openapi.json by generate.mjs; do not edit.
import { call, type KeyedCallOptions } from '../call.ts';
import type { CreateLeaveResponse, LeaveInput } from './types.ts';

/** Enters leave. `affected` are booked appointments at whose time nobody works any more: nobody is moved or told by this call. */
export function createLeave(body: LeaveInput, options: KeyedCallOptions): Promise<CreateLeaveResponse> {
  return call({ method: 'POST', template: '/leaves', body, ...options });
}
