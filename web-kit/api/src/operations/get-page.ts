// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface PageSection {
  avoid: string[];
  /** Lines of the site that are printed below: `address`, `phone:<purpose>` or `email:<purpose>`. */
  contacts: string[];
  /** May be empty where the page has one section only. */
  heading: string;
  icon: string;
  /** Names the section within its page, for links to it. */
  id: string;
  /** List below the paragraphs. */
  items: string[];
  paragraphs: string[];
  /** First aid: how the trouble is recognised, what to do, what not to do. */
  signs: string[];
  steps: string[];
}

export interface Page {
  /** For search engines; empty for a block. */
  description: string;
  id: string;
  /** Paragraph above the sections; may be empty. */
  intro: string;
  sections: PageSection[];
  title: string;
  /** YYYY-MM-DD of the last change; empty for a block. */
  updated: string;
}

/** Texts of a page or of a block that is words only: privacy, terms, cookies, emergency, about, why-choose, facilities, badges. */
export function getPage(page: string, options: CallOptions = {}): Promise<Page> {
  return call({ method: 'GET', template: '/pages/{page}', params: { page }, ...options });
}
