// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface PageSection {
  heading: string;
  paragraphs: string[];
}

export interface Page {
  description: string;
  id: string;
  sections: PageSection[];
  title: string;
}

/** Texts of a page that is words only: about, privacy, terms, cookies, emergency. */
export function getPage(page: string, options: CallOptions = {}): Promise<Page> {
  return call({ method: 'GET', template: '/pages/{page}', params: { page }, ...options });
}
