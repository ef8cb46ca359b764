// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { CreateHolidayResponse, HolidayInput } from './types.ts';

/** Enters a holiday; an existing one of that day is renamed. `affected` as in CreateLeave. */
export function createHoliday(body: HolidayInput, options: CallOptions = {}): Promise<CreateHolidayResponse> {
  return call({ method: 'POST', template: '/holidays', body, ...options });
}
