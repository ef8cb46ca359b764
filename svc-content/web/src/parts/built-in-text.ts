import { template } from '../messages.ts';

/** Returns a text that is not written in a call, in the page's language; in English if the catalogue lacks it. */
export function builtInText(text: string): string {
  return template(text as Parameters<typeof template>[0]);
}
