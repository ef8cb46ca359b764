/** Messages after a post to a record: what was done, what was not, and what to do next. */
import { classNames } from '@hospital/ui/class-names';
import { failureText } from '@hospital/ui/desk-change';
import type { Intent, Outcome } from './edit.ts';
import type { Kind } from './kinds.ts';
import { Differences, Told } from './parts.tsx';
import { type ContentRecord, INTENT, momentOf, scheduleOf } from './records.ts';
import rows from '@hospital/ui/desk-row.module.css';
import own from './content.module.css';

interface OutcomeProps {
  outcome: Outcome;
  kind: Kind;
  /** The record after the post; null if it could not be read. */
  record: ContentRecord | null;
  canPublish: boolean;
}

const VERBS: Readonly<Record<Intent, string>> = {
  save: 'saved',
  create: 'saved',
  publish: 'published',
  schedule: 'saved',
  unschedule: 'cancelled',
  archive: 'archived',
  undo: 'undone',
  edit: 'marked',
  add: 'changed',
  row: 'changed',
  choose: 'saved',
  text: 'shown',
};

/** Renders an outcome. Inside the form, so that its button belongs to it. */
export function Said({ outcome, kind, record, canPublish }: OutcomeProps) {
  const { noun } = kind;
  switch (outcome.kind) {
    case 'saved':
      return <Saved {...{ outcome, kind, record, canPublish }} />;
    case 'published':
      return <Told tone="success" title="It is published" text="Visitors see it within a minute." />;
    case 'scheduled': {
      const [publish, unpublish] = [momentOf(record?.publishTime), momentOf(record?.unpublishTime)];
      const text = [
        publish && `It will be published on ${publish}.`,
        unpublish && `It leaves the website on ${unpublish}.`,
      ];
      return <Told tone="success" title="The times are saved" text={text.filter(Boolean).join(' ')} />;
    }
    case 'unscheduled': {
      const left = record && scheduleOf(record);
      return <Told tone="success" title="The time is cancelled" text={left || 'No other time is planned.'} />;
    }
    case 'archived':
      return (
        <Told
          tone="success"
          title="It is archived"
          text={record?.redirect ? `Its page leads to ${record.redirect}.` : 'It is no longer on the website.'}
        />
      );
    case 'undone':
      return <Told tone="success" title="Undone: the earlier version is live again" />;
    case 'editing':
      return outcome.name ? (
        <Told tone="failure" title={`${outcome.name} is editing this ${noun} now`} text="Speak with them first." />
      ) : (
        <Told
          tone="success"
          title="For 2 minutes, others see that you’re editing this"
          text="What you typed is below."
        />
      );
    case 'stale':
      return (
        <Told
          tone="failure"
          title={`Another person has changed this ${noun} since you opened it. Nothing was ${VERBS[outcome.intent]}`}
          text={
            outcome.differences.length > 0
              ? 'What you typed is still below. It differs from what they saved; crossed out is theirs. If you save ' +
                'now, yours replaces theirs.'
              : 'Below is what they saved. If it is right, repeat it.'
          }
        >
          <Differences differences={outcome.differences} />
        </Told>
      );
    case 'choosing':
    case 'refused':
    case 'unread':
      return outcome.kind === 'unread' ? (
        <Told tone="failure" title="Nothing was changed" text="We couldn’t read the form. Please try again." />
      ) : null;
    case 'failed':
      return <Failed outcome={outcome} noun={noun} />;
  }
}

type Of<Name extends Outcome['kind']> = Extract<Outcome, { kind: Name }>;

function Saved({ outcome, kind, record, canPublish }: OutcomeProps & { outcome: Of<'saved'> }) {
  const hasProblems = Boolean(record?.problems.length);
  const text = hasProblems
    ? 'Visitors don’t see it. It can’t be published before what is listed below is corrected.'
    : outcome.wanted === 'schedule'
      ? 'Visitors don’t see it yet. Now choose “Publish at a time” again: your times are still there.'
      : `Visitors don’t see it yet. ${canPublish ? 'Publish it if it is right.' : 'A colleague who may publish can do so.'}`;
  return (
    <Told tone="success" title={record ? `Saved as version ${record.version}` : 'The draft is saved'} text={text}>
      {record && canPublish && !hasProblems && outcome.wanted !== 'schedule' && (
        <p>
          <button className={classNames(rows.change, own.button)} name={INTENT} value="publish">
            {`Publish this ${kind.noun} now`}
          </button>
        </p>
      )}
    </Told>
  );
}

function Failed({ outcome: { intent, failure }, noun }: { outcome: Of<'failed'>; noun: string }) {
  if (failure === 'exists') {
    return (
      <Told tone="failure" title="It was not saved" text="There is a record with this id. What you typed is below." />
    );
  }
  const maybe = failure === 'unknown' ? 'may not have been' : 'was not';
  const kept = 'What you typed is still below.';
  const text =
    failure === 'unknown' && intent === 'create'
      ? 'We got no reply. Save it again, without a change: it is saved only once.'
      : failureText(failure, noun, 'the website’s content');
  return <Told tone="failure" title={`It ${maybe} ${VERBS[intent]}`} text={`${text} ${kept}`} />;
}
