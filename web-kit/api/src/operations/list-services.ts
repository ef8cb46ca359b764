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

export interface ListServicesResponse {
  /** `pageToken` of the next page. Empty: this is the last one. */
  nextPageToken: string;
  services: Service[];
}

export interface ListServicesQuery {
  /** At most 100. 0: 100. */
  pageSize?: number;
  /** `nextPageToken` of the page before, with the same parameters. Empty: the first page. */
  pageToken?: string;
}

/** Lists services in order, without long texts. */
export function listServices(query: ListServicesQuery, options: CallOptions = {}): Promise<ListServicesResponse> {
  return call({ method: 'GET', template: '/services', query, ...options });
}
