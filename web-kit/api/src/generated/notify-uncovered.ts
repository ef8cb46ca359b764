// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { NotifyUncoveredRequestInput, NotifyUncoveredResponse } from './types.ts';

/**
 * Tells patients that nobody works at their time any more, and how to choose another. Only those whose appointment is uncovered and
 * still booked; at most 100 at once.
 */
export function notifyUncovered(body: NotifyUncoveredRequestInput, options: CallOptions = {}): Promise<NotifyUncoveredResponse> {
  return call({ method: 'POST', template: '/appointments:notifyUncovered', body, ...options });
}
