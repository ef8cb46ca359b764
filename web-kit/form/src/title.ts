/** The document's title says what has become of its form: it is what a screen reader reads first and a tab shows. */
import { useEffect, useRef } from 'react';
import type { PageProps } from '@hospital/page';
import type { AnyForm } from './declaration.ts';
import { type Outcome, outcomeOfAction } from './outcome.ts';

const ERROR = 'Error: ';

/** `Error: Contact | Sampige Hospital` after a failure, `Your message was sent | Sampige Hospital` after a success. */
export function titleFor({ done }: Pick<AnyForm, 'done'>, title: string, { kind }: Pick<Outcome, 'kind'>): string {
  const plain = title.startsWith(ERROR) ? title.slice(ERROR.length) : title;
  if (kind === 'refused' || kind === 'failed') return ERROR + plain;
  if (!done || (kind !== 'success' && kind !== 'received')) return plain;
  const site = plain.lastIndexOf(' | ');
  return site < 0 ? done : done + plain.slice(site);
}

/** Title of a page that may answer a native post of this form. For its `head`. */
export function nativeTitle(form: AnyForm, title: string, { action, now }: Pick<PageProps, 'action' | 'now'>): string {
  return titleFor(form, title, outcomeOfAction(form, action, { now }));
}

/** Follows the outcomes of the script; the first one is the server's, which has written the title. */
export function useTitle(form: AnyForm, outcome: Pick<Outcome, 'kind'>): void {
  const shown = useRef(outcome);
  useEffect(() => {
    if (shown.current === outcome) return;
    shown.current = outcome;
    document.title = titleFor(form, document.title, outcome);
  }, [form, outcome]);
}
