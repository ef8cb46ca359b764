// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { NotifyUncoveredRequestInput, NotifyUncoveredResponse } from './types.ts';

/** Notifies patients whose appointment is uncovered and still booked, with a link to choose another time. At most 100 at once. */
export function notifyUncovered(body: NotifyUncoveredRequestInput, options: CallOptions = {}): Promise<NotifyUncoveredResponse> {
  return call({ method: 'POST', template: '/appointments:notifyUncovered', body, ...options });
}
