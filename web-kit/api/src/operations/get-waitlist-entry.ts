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

export interface WaitlistEntry {
  /** Output only: the doctor or clinic of the offered time. Absent: no offer. */
  attendant?: Attendant;
  /** YYYY-MM-DD. Required. */
  date: string;
  /** Department id or label. Required. */
  department: string;
  /** Empty: any doctor. */
  doctorId: string;
  email: string;
  /** Output only. */
  id: string;
  /** Output only. */
  offerExpireTime: string;
  /** Output only: label of the offered time. */
  offerTime: string;
  /** As for an appointment. */
  patientName: string;
  phone: string;
  /** Output only. */
  proof: 'PROOF_UNSPECIFIED' | 'PROOF_UNPROVEN' | 'PROOF_LINK' | 'PROOF_CODE' | 'PROOF_DESK';
  /** Output only, for example `WL-7K3M-9QXD`. */
  reference: string;
  /** Output only, in the response to the create. */
  secret: string;
  /** Output only. */
  state: 'WAITLIST_STATE_UNSPECIFIED' | 'WAITLIST_STATE_WAITING' | 'WAITLIST_STATE_OFFERED' | 'WAITLIST_STATE_BOOKED' | 'WAITLIST_STATE_ENDED';
  /**
   * Output only: why an opened link does not prove the entry. WAITLIST_MAX: the address already waits for this day, or for 4 days; end
   * one of these entries and open the link again. Empty: no obstacle.
   */
  unprovenReason: string;
}

/** Returns an entry with its offer to its owner. A mailed secret proves the address. Errors: NOT_FOUND, for a wrong secret too. */
export function getWaitlistEntry(entry_id: string, options: CallOptions = {}): Promise<WaitlistEntry> {
  return call({ method: 'GET', template: '/waitlist-entries/{entry_id}', params: { entry_id }, ...options });
}
