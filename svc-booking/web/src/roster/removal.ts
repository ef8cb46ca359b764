/** A deleted session, leave or holiday: the value of its button, and its API call. */
import { pathOf } from '@hospital/api/call';
import type { Holiday, Leave, Session } from '@hospital/api/types';
import type { ActionRequest, FormFields } from '@hospital/page';
import { formatDate } from '@hospital/page/format';
import { isDay } from '../appointment/calendar.ts';
import { isWord, leaveText, sessionText } from './words.ts';

/** Name of the buttons. */
export const REMOVE = 'remove';

export interface Removal {
  kind: 'session' | 'leave' | 'holiday';
  /** Id of a session or leave, day of a holiday. */
  id: string;
  /** Version of a session, else empty. */
  etag: string;
  /** Whose it is: a doctor, a clinic, or the day of a holiday. */
  whose: string;
  /** What the person saw. */
  seen: string;
}

const TAB = '\t';
/** Maximum length of a value, which comes from a browser. */
const CHARACTERS_MAX = 1_000;

export function sessionRemoval(session: Session, whose: string): string {
  return ['session', session.id, session.etag, whose, sessionText(session)].join(TAB);
}

export function leaveRemoval(leave: Leave, whose: string): string {
  return ['leave', leave.id, '', whose, leaveText(leave)].join(TAB);
}

export function holidayRemoval({ date, name }: Holiday): string {
  return ['holiday', date, '', formatDate(date), name].join(TAB);
}

/** Parses a button's value. Returns null for a text that is none. */
export function removalIn(form: FormFields): Removal | null {
  const text = form[REMOVE]?.at(-1) ?? '';
  const [kind = '', id = '', etag = '', whose, seen, ...more] = text.split(TAB);
  if (text.length > CHARACTERS_MAX || whose === undefined || seen === undefined || more.length > 0) return null;
  if (kind === 'session') return isWord(id) && isWord(etag) ? { kind, id, etag, whose, seen } : null;
  if (kind === 'leave') return isWord(id) ? { kind, id, etag, whose, seen } : null;
  return kind === 'holiday' && isDay(id) ? { kind, id, etag, whose, seen } : null;
}

/** Returns the API call for a pressed button. */
export function removalRequest(form: FormFields): ActionRequest | null {
  const removal = removalIn(form);
  if (!removal) return null;
  const { kind, id, etag } = removal;
  const text = 'The page can’t be shown right now. Look at the uncovered appointments later.';
  switch (kind) {
    case 'session':
      return {
        method: 'DELETE',
        path: pathOf({ template: '/sessions/{session_id}', params: { session_id: id } }),
        headers: { 'If-Match': `"${etag}"` },
        body: null,
        receipt: { title: 'The session is deleted', text, facts: { 'Uncovered appointments': 'affectedTotal' } },
      };
    case 'leave':
      return {
        method: 'DELETE',
        path: pathOf({ template: '/leaves/{leave_id}', params: { leave_id: id } }),
        body: null,
        receipt: { title: 'The leave is deleted', text },
      };
    case 'holiday':
      return {
        method: 'DELETE',
        path: pathOf({ template: '/holidays/{date}', params: { date: id } }),
        body: null,
        receipt: { title: 'The holiday is deleted', text },
      };
  }
}
