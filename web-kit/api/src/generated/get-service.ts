// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { Service } from './types.ts';

/** Returns a service by its slug, or by the slug computed from its name. */
export function getService(service: string, options: CallOptions = {}): Promise<Service> {
  return call({ method: 'GET', template: '/services/{service}', params: { service }, ...options });
}
