/** Prefills the subject from the page's URL: `?subject=…`. Anybody can craft such a URL, so it only fills in a field. */
import { parseLine } from '@hospital/form/rules';
import type { PageProps } from '@hospital/page';
import type { Site } from '@hospital/ui/site';
import { SUBJECT_CHARACTERS_MAX } from './form.ts';

export type ContactProps = PageProps<{ site: Site }>;

/** Returns an empty subject if the URL's is invalid. */
export function openingOf({ query }: Pick<ContactProps, 'query'>): { subject: string } {
  const { value, problem } = parseLine(query.subject ?? '', SUBJECT_CHARACTERS_MAX);
  return { subject: problem ? '' : value };
}
