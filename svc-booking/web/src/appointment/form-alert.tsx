import { useEffect, useMemo, useRef } from 'react';
import { ErrorSummary } from '@hospital/ui/error-summary';
import { Notice } from '@hospital/ui/notice';
import { FAILURE_TEXT, type Outcome } from './outcome.ts';
import { fieldId } from './values.ts';

/**
 * What keeps the form from being booked, in words, with the way on. Takes focus when it appears.
 * `live`: the free times stand right below it.
 */
export function FormAlert({ outcome, live }: { outcome: Outcome; live: boolean }) {
  const errors = useMemo(
    () =>
      outcome.kind === 'asked' || outcome.kind === 'refused'
        ? outcome.violations.map(({ field, message }) => ({ id: fieldId(field), message }))
        : [],
    [outcome],
  );
  if (errors.length > 0) {
    return (
      <ErrorSummary title={outcome.kind === 'refused' ? FAILURE_TEXT : 'Please check these answers'} errors={errors} />
    );
  }
  if (outcome.kind === 'failed')
    return <FocusedNotice outcome={outcome}>{outcome.detail && <p>{outcome.detail}</p>}</FocusedNotice>;
  if (outcome.kind !== 'taken') return null;
  return (
    <FocusedNotice outcome={outcome}>
      <p>
        The time you chose was just taken by somebody else. Everything you typed is still here.{' '}
        {live ? 'Choose another free time below.' : 'Press ‘Show free times’ to see what is left.'}
      </p>
    </FocusedNotice>
  );
}

function FocusedNotice({ outcome, children }: { outcome: Outcome; children: React.ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.focus();
  }, [outcome]);
  return (
    <Notice tone="failure" role="alert" title={FAILURE_TEXT} tabIndex={-1} ref={box}>
      {children}
    </Notice>
  );
}
