// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface NotifyUncoveredResponse {
  /** References of those who are told. */
  told: string[];
}

export interface NotifyUncoveredRequestInput {
  /** Ids or references, 1 to 100. */
  appointments: string[];
}

/**
 * Tells patients that nobody works at their time any more, and how to choose another. Only those whose appointment is uncovered and
 * still booked; at most 100 at once.
 */
export function notifyUncovered(body: NotifyUncoveredRequestInput, options: CallOptions = {}): Promise<NotifyUncoveredResponse> {
  return call({ method: 'POST', template: '/appointments:notifyUncovered', body, ...options });
}
