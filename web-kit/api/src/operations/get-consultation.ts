// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface Consultation {
  /** Output only. */
  createTime: string;
  /** YYYY-MM-DD in Asia/Kolkata, today to 60 days ahead. */
  date: string;
  /** At most 2000 characters. Optional. */
  description: string;
  /** Output only. */
  etag: string;
  /** Output only. */
  id: string;
  /** Set by staff: https address of the video room, at most 500 characters. */
  link: string;
  /** At most 254 characters. It or `phone` is required. */
  patientEmail: string;
  /** 1 to 120 characters. Not changed by an update. */
  patientName: string;
  phone: string;
  /** Output only, for example `VC-7K3M-9QXD`. */
  reference: string;
  /** Set by staff. 0 in an update: unchanged. */
  status: 'CONSULTATION_STATUS_UNSPECIFIED' | 'CONSULTATION_STATUS_REQUESTED' | 'CONSULTATION_STATUS_SCHEDULED' | 'CONSULTATION_STATUS_COMPLETED' | 'CONSULTATION_STATUS_CANCELLED' | 'CONSULTATION_STATUS_NO_SHOW';
  /** Set by staff: label of a time on the half hour, for example `4:30 PM`. Empty until allotted. */
  time: string;
}

/** Get consultation */
export function getConsultation(consultation_id: string, options: CallOptions = {}): Promise<Consultation> {
  return call({ method: 'GET', template: '/consultations/{consultation_id}', params: { consultation_id }, ...options });
}
