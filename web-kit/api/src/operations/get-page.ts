// Generated from openapi.json by generate.mjs; do not edit.
import { call, type CallOptions } from '../call.ts';

export interface PageSection {
  avoid: string[];
  /** Lines of the site profile to show below: `address`, `phone:<purpose>` or `email:<purpose>`. */
  contacts: string[];
  /** May be empty if the page has only one section. */
  heading: string;
  icon: string;
  /** Identifies the section within its page, for links. */
  id: string;
  /** List below the paragraphs. */
  items: string[];
  paragraphs: string[];
  /** First aid: signs, steps and what to avoid. */
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

/** Returns the texts of a page or block: privacy, terms, cookies, emergency, about, why-choose, facilities, badges. */
export function getPage(page: string, options: CallOptions = {}): Promise<Page> {
  return call({ method: 'GET', template: '/pages/{page}', params: { page }, ...options });
}
