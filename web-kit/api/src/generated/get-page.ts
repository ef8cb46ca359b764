// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';
import type { Page } from './types.ts';

/** Returns the texts of a page or block: privacy, terms, cookies, emergency, about, why-choose, facilities, badges. */
export function getPage(page: string, options: CallOptions = {}): Promise<Page> {
  return call({ method: 'GET', template: '/pages/{page}', params: { page }, ...options });
}
