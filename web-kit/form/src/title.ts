/** Document title with the outcome of a form: screen readers read the title first, and tabs show it. */
import { useEffect, useRef } from 'react';
import type { PageProps } from '@hospital/page';
import type { AnyForm } from './declaration.ts';
import { translated } from '@hospital/page/language';
import { t } from '@hospital/page/messages';
import { type Outcome, outcomeOfAction } from './outcome.ts';

/**
 * Returns `Error: Contact | Sampige Hospital` after a failure, `Your message was sent | Sampige Hospital` after a
 * success.
 */
export function titleFor({ done }: Pick<AnyForm, 'done'>, title: string, { kind }: Pick<Outcome, 'kind'>): string {
  const error = t('Error: {title}', { title: '' });
  const plain = title.startsWith(error) ? title.slice(error.length) : title;
  if (kind === 'refused' || kind === 'failed') return error + plain;
  if (!done || (kind !== 'success' && kind !== 'received')) return plain;
  const site = plain.lastIndexOf(' | ');
  return site < 0 ? translated(done) : translated(done) + plain.slice(site);
}

/** Returns the title for the `head` of a page that may be the response to a native post of this form. */
export function nativeTitle(form: AnyForm, title: string, { action, now }: Pick<PageProps, 'action' | 'now'>): string {
  return titleFor(form, title, outcomeOfAction(form, action, { now }));
}

/** Updates the title after outcomes of the script. The first outcome is the server's and already in the title. */
export function useTitle(form: AnyForm, outcome: Pick<Outcome, 'kind'>): void {
  const shown = useRef(outcome);
  useEffect(() => {
    if (shown.current === outcome) return;
    shown.current = outcome;
    document.title = titleFor(form, document.title, outcome);
  }, [form, outcome]);
}
