// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface FreeDay {
  /** Absent: open. */
  closedCode?: 'CLOSED_CODE_UNSPECIFIED' | 'CLOSED_CODE_PAST' | 'CLOSED_CODE_TOO_FAR' | 'CLOSED_CODE_SUNDAY' | 'CLOSED_CODE_HOLIDAY' | 'CLOSED_CODE_NOBODY_ON_DUTY' | 'CLOSED_CODE_NO_SITTING' | 'CLOSED_CODE_DOCTOR_AWAY' | 'CLOSED_CODE_CALL_INSTEAD' | 'CLOSED_CODE_FULL' | 'CLOSED_CODE_ENDED';
  /** See ClosedCode. Absent: the code has none. */
  closedDetail?: string;
  /** `closed_code` in plain English. Empty: open. */
  closedReason: string;
  /** YYYY-MM-DD. */
  date: string;
  /** Labels of the free times, for example `9:00 AM`. */
  free: string[];
  /** For each of `free`, the attendant that a booking now would get: its index in `resources`, from 0. */
  freeResources: number[];
  /** Labels of the staffed times that are taken or too soon. */
  full: string[];
}

export interface DepartmentFreeTimes {
  /** One entry per day. */
  days: FreeDay[];
  /** Department id. */
  department: string;
  /** The attendants that `free_resources` refers to; ListDepartments has their names, fees and places. */
  resources: string[];
}

export interface ListFreeTimesResponse {
  /** The bookable departments, in the order of the form. */
  departments: DepartmentFreeTimes[];
  /** Always Asia/Kolkata. */
  timeZone: string;
}

export interface ListFreeTimesQuery {
  /** First day, YYYY-MM-DD in Asia/Kolkata. Empty: today. */
  from?: string;
  /** Last day, inclusive. Empty: `from`. At most 20 days after `from`. */
  to?: string;
}

/** Returns the free times of every bookable department for a range of days, in a compact form. */
export function listFreeTimes(query: ListFreeTimesQuery, options: CallOptions = {}): Promise<ListFreeTimesResponse> {
  return call({ method: 'GET', template: '/free-times', query, ...options });
}
