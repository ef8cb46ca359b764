/** The progress of a sent newsletter, in words. */
import type { Newsletter } from '@hospital/api/types';
import { counted, subscribersText } from './newsletter.ts';

export interface Progress {
  state: 'sending' | 'sent' | 'stopped';
  label: string;
  /** Without a full stop. */
  text: string;
  /** Mails with a recorded outcome. They are kept for 30 days. */
  known: number;
  /** Mails that have left or are given up, of `known`. */
  over: number;
}

export function progressOf(newsletter: Newsletter): Progress {
  const { mails, complete, stopTime } = newsletter;
  // A service of the last release counts no outcomes.
  const { waiting = 0, sent = 0, failed = 0, withheld = 0 } = newsletter;
  const known = waiting + sent + failed + withheld;
  const numbers = { known, over: known - waiting };
  if (stopTime) {
    const text = known > 0 ? `Stopped after ${counted(sent)} of ${subscribersText(mails)}` : 'Sending was stopped';
    return { state: 'stopped', label: 'Stopped', text, ...numbers };
  }
  if (!complete || waiting > 0) {
    const of = complete ? subscribersText(mails) : `${subscribersText(mails)} so far`;
    return { state: 'sending', label: 'Sending', text: `${counted(known - waiting)} of ${of}`, ...numbers };
  }
  return { state: 'sent', label: 'Sent', text: `To ${subscribersText(mails)}`, ...numbers };
}
