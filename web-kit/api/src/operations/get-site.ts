// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface Address {
  city: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  locality: string;
  postalCode: string;
  region: string;
  street: string;
}

export interface EmailAddress {
  address: string;
  label: string;
  /** general, appointments or info. */
  purpose: string;
}

export interface OpeningHours {
  /**
   * Exclusive end, for example `20:00`; `24:00` is midnight. Earlier than `opens`: on the next day. 00:00 to 24:00 on all seven days
   * means always open.
   */
  closes: string;
  /** For display, for example `9:00 AM to 8:00 PM`. */
  hours: string;
  label: string;
  /** 24-hour clock in Asia/Kolkata, for example `09:00`. */
  opens: string;
  /** booking, emergency, opd, visiting, footer_weekdays or footer_weekend. */
  purpose: string;
  /** Opening days, `Mon` to `Sun`. */
  weekdays: string[];
}

export interface PhoneNumber {
  /** For display, for example `+91 80 0000 0108`. */
  display: string;
  /** For tel: links, for example `+918000000108`. */
  e164: string;
  label: string;
  /** emergency, ambulance, reception or appointments. */
  purpose: string;
}

export interface Statistic {
  label: string;
  value: string;
}

export interface Site {
  accreditations: string[];
  address: Address;
  beds: number;
  emails: EmailAddress[];
  foundedYear: number;
  hours: OpeningHours[];
  /** Location, WGS 84 degrees. */
  latitude: number;
  longitude: number;
  name: string;
  /** Public origin for canonical URLs, without a trailing slash. */
  origin: string;
  phones: PhoneNumber[];
  /** Claims of the home page, in order. */
  statistics: Statistic[];
  tagline: string;
}

/** Returns name, addresses, numbers and hours of the hospital. */
export function getSite(options: CallOptions = {}): Promise<Site> {
  return call({ method: 'GET', template: '/site', ...options });
}
