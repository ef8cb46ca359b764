/** Texts that are built in for outages, and come from the content otherwise. */
import { template } from '../messages.ts';

/** Returns a built-in text in the page's language; in English if the catalogue lacks it. */
export function builtInText(text: string): string {
  return template(text as Parameters<typeof template>[0]);
}
