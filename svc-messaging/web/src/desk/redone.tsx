/** Message after a resent delivery or a resumed address. */
import { failureText } from '@hospital/ui/desk-change';
import { Told, UNREAD, type Words } from './outcome.tsx';
import type { Redo, Redone } from './redo.ts';
import { RESULT } from './row.tsx';

export function RedoneNotice({ redone }: { redone: Redone }) {
  return (
    <div id={RESULT} tabIndex={-1}>
      <Told {...wordsOf(redone)} />
    </div>
  );
}

function wordsOf(redone: Redone): Words {
  if (redone.kind === 'unread') return UNREAD;
  const { redo } = redone;
  if (redone.kind === 'done') return doneWords(redo);
  const { failure } = redone;
  const title = redo.act === 'resend' ? `${nameOf(redo)} was not resent` : `${redo.whom} was not resumed`;
  return { tone: 'failure', title, text: whyText(redo, failure) };
}

function doneWords(redo: Redo): Words {
  if (redo.act === 'resend') {
    return {
      tone: 'success',
      title: `${nameOf(redo)} is being sent again.`,
      text: 'Refresh the list in a minute. If it’s no longer there, it was sent.',
    };
  }
  return {
    tone: 'success',
    title: `Mails to ${redo.whom} are sent again.`,
    text: 'Failed mails stay failed until you resend them.',
  };
}

function whyText({ act }: Redo, failure: Extract<Redone, { kind: 'failed' }>['failure']): string {
  if (failure === 'expired') return 'It is too late: it would be of no use to the recipient any more.';
  if (failure === 'gone') {
    return act === 'resend'
      ? 'It was sent in the meantime, or deleted with its recipient’s data.'
      : 'The address is no longer stopped.';
  }
  if (failure === 'unknown') return 'We got no reply. Refresh the list before you try again.';
  return act === 'resend'
    ? failureText(failure, 'delivery', 'deliveries')
    : failureText(failure, 'address', 'addresses');
}

function nameOf({ what, whom }: Redo): string {
  return `“${what}” to ${whom || 'an unknown address'}`;
}
