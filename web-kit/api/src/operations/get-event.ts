// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface Event {
  /** YYYY-MM-DD. */
  date: string;
  description: string;
  id: string;
  image: string;
  location: string;
  /** Registration is closed. */
  past: boolean;
  performer: string;
  /** Rupees; 0: free. */
  price: number;
  time: string;
  title: string;
  /** Health Camp, Vaccination, Seminar or another. */
  type: string;
}

/** Get event */
export function getEvent(event: string, options: CallOptions = {}): Promise<Event> {
  return call({ method: 'GET', template: '/events/{event}', params: { event }, ...options });
}
