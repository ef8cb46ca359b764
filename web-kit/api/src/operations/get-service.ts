// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface Service {
  benefits: string[];
  description: string;
  equipment: string[];
  features: string[];
  /** Label on the home page if different, for example `Gynaec OT`. */
  homeName: string;
  icon: string;
  id: string;
  image: string;
  /** The fields below only with GetService. */
  longDescription: string[];
  name: string;
  onHome: boolean;
  slug: string;
}

/** Returns a service by its slug, or by the slug computed from its name. */
export function getService(service: string, options: CallOptions = {}): Promise<Service> {
  return call({ method: 'GET', template: '/services/{service}', params: { service }, ...options });
}
