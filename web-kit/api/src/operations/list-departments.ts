// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

/** Weekly hours of an attendant in one department, in Asia/Kolkata. Leave and holidays are not subtracted. */
export interface Sitting {
  /** For example `9:00 AM`. */
  from: string;
  /** Exclusive end, for example `1:00 PM`. */
  until: string;
  /** `Mon` to `Sat`. */
  weekdays: string[];
}

/** A doctor or a clinic that sees patients. */
export interface Attendant {
  /** Only in ListDepartments; false elsewhere. Whether only patients who choose this doctor are booked. */
  byNameOnly: boolean;
  /** Empty: a clinic. */
  doctorId: string;
  /** Consultation fee in rupees. 0: unknown. */
  feeRupees: number;
  /** For example `Dr. Nandini Iyengar` or `Paediatric clinic, visiting consultant`. */
  name: string;
  /** For example `Outpatient block, first floor`. Empty: unknown. */
  place: string;
  /** `doctor:<id>` or `clinic:<session id>`. */
  resource: string;
  /** Only in ListDepartments; empty elsewhere. */
  sittings: Sitting[];
}

export interface Department {
  /** Doctors and clinics with sessions in the next 60 days, clinics first. */
  attendants: Attendant[];
  /** False if visitors must call instead (Emergency). */
  bookable: boolean;
  /** Ids of the bookable doctors of this department. Another team owns the profiles. */
  doctorIds: string[];
  /** Stable key, for example `general-medicine`. */
  id: string;
  /** Label in the form, for example `General Medicine`. */
  name: string;
}

export interface ListDepartmentsResponse {
  departments: Department[];
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
}

export interface ListDepartmentsQuery {
  /** At most 100. 0: all that fit, 100. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
}

/** Lists the departments to choose from, in the order of the form. */
export function listDepartments(query: ListDepartmentsQuery, options: CallOptions = {}): Promise<ListDepartmentsResponse> {
  return call({ method: 'GET', template: '/departments', query, ...options });
}
