/** Rules of a pasted link and of a typed reference. */
import { t } from '../messages.ts';
import type { ManageLink } from './link.ts';

const REFERENCE = /^[A-Z]{2}-[0-9A-Z]{4}-[0-9A-Z]{4}$/;
const LINK_ALONE = /^[A-Z]{2}-[0-9A-Z]{4}-[0-9A-Z]{4}\.[\w-]{43}$/;

export function linkProblem({ reference, secret }: ManageLink): string | false {
  const isWhole = LINK_ALONE.test(`${reference}.${secret}`);
  return !isWhole && t('Paste the whole link from our e-mail or your confirmation');
}

/** Normalises a typed reference: upper case, without surrounding white space. */
export function referenceOf(text: string): string {
  return text.trim().toUpperCase();
}

export function referenceProblem(text: string): string | false {
  const reference = referenceOf(text);
  if (/^WL-/.test(reference)) return t('Use the link in our e-mail to open your place on the waiting list');
  return !REFERENCE.test(reference) && t('Enter the reference from your confirmation, such as AB-7K3M-9QXD');
}
