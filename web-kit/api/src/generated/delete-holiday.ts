// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

/** Delete holiday */
export function deleteHoliday(date: string, options: CallOptions = {}): Promise<void> {
  return call({ method: 'DELETE', template: '/holidays/{date}', params: { date }, ...options });
}
