// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface Address {
  street: string;
  locality: string;
  city: string;
  region: string;
  postalCode: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
}

export interface PhoneNumber {
  /** emergency, ambulance, reception or appointments. */
  purpose: string;
  label: string;
  /** As people read it, for example `+91 80 0000 0108`. */
  display: string;
  /** As a tel: link needs it, for example `+918000000108`. */
  e164: string;
}

export interface EmailAddress {
  /** general, appointments or info. */
  purpose: string;
  label: string;
  address: string;
}

export interface OpeningHours {
  /** booking, emergency, opd, visiting, footer_weekdays or footer_weekend. */
  purpose: string;
  label: string;
  hours: string;
}

export interface Statistic {
  value: string;
  label: string;
}

export interface Site {
  name: string;
  tagline: string;
  foundedYear: number;
  beds: number;
  address: Address;
  /** Where the hospital is, WGS 84 degrees. */
  latitude: number;
  longitude: number;
  phones: PhoneNumber[];
  emails: EmailAddress[];
  hours: OpeningHours[];
  /** Public origin, for canonical addresses, without a trailing slash. */
  origin: string;
  /** Claims of the home page, in order. */
  statistics: Statistic[];
  accreditations: string[];
}

/** Name, addresses, numbers and hours of the hospital. */
export function getSite(options: CallOptions = {}): Promise<Site> {
  return call({ method: 'GET', template: '/site', ...options });
}
