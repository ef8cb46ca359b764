/** Changes of the roster by native forms: their API calls and their outcomes. */
import type { Appointment, Session } from '@hospital/api/types';
import { type AnyForm, valuesFrom } from '@hospital/form/declaration';
import { nativeAction } from '@hospital/form/native';
import { type Outcome, outcomeOfAction } from '@hospital/form/outcome';
import type { ActionOutcome, ActionRequest, FormFields, Problem } from '@hospital/page';
import { formatDate } from '@hospital/page/format';
import { failureOf, failureText, statusOfFailure } from '@hospital/ui/desk-change';
import { isDay } from '../appointment/calendar.ts';
import type { Listed } from '../desk/appointment.ts';
import { holidayForm, leaveForm } from './leave-form.ts';
import { askForm, declineForm } from './leave-request.ts';
import { PEOPLE_MAX, type Person, isOffer, offerRequest, offeredOf, personOf } from './people.ts';
import { REMOVE, type Removal, removalIn, removalRequest } from './removal.ts';
import { RULE, rulingIn, rulingRequest, ruledTitle, unruledWords } from './ruling.ts';
import { type RosterProps, nameOf, namesOf, sessionsIn } from './roster.ts';
import {
  SESSION_FIELDS,
  type SessionValues,
  changeSessionForm,
  labelOf,
  newSessionForm,
  valuesOf,
} from './session-form.ts';
import { daysText, sessionText } from './words.ts';

/** Name of the hidden field that names the form. */
export const ACT = 'act';

const FORMS = {
  session: newSessionForm,
  change: changeSessionForm,
  leave: leaveForm,
  holiday: holidayForm,
  ask: askForm,
  decline: declineForm,
};
export type Act = keyof typeof FORMS;

/** Returns the form that was posted, or null. */
export function actIn(form: FormFields | undefined): Act | null {
  const act = form?.[ACT]?.at(-1) ?? '';
  return Object.hasOwn(FORMS, act) ? (act as Act) : null;
}

/** The `action` export of the roster's pages. */
export function rosterAction(form: FormFields, now: string): ActionRequest | null {
  if (isOffer(form)) return offerRequest(form);
  if (form[REMOVE]) return removalRequest(form);
  if (form[RULE]) return rulingRequest(form);
  const act = actIn(form);
  return act && nativeAction(FORMS[act] as AnyForm)(form, now);
}

/** Appointments that a change left uncovered. */
export interface Affected {
  /** The first ones by time. */
  people: Person[];
  total: number;
}

export interface Difference {
  label: string;
  before: string;
  now: string;
}

/** Outcome of a change, in words. */
export interface Edited {
  /** Null for a deletion. */
  act: Act | null;
  tone: 'success' | 'failure';
  title: string;
  text?: string;
  /** Refused fields. Their ids are those of the controls. */
  errors: { id: string; message: string }[];
  /** After another person's change: what this person saw or entered, and what is stored. */
  differences: Difference[];
  affected: Affected | null;
}

const NOTHING = { errors: [], differences: [], affected: null };

const UNREAD: Edited = {
  ...NOTHING,
  act: null,
  tone: 'failure',
  title: 'Nothing was changed',
  text: 'We couldn’t read your choice. Please choose again.',
};

/** Returns the outcome of a posted change, null for any other post. */
export function editedOf(props: RosterProps): Edited | null {
  const { action } = props;
  if (!action || isOffer(action.form)) return null;
  if (action.form[REMOVE]) return removedOf(props, action);
  if (action.form[RULE]) return ruledOf(action);
  const act = actIn(action.form);
  return act ? sentOf(props, action, act) : UNREAD;
}

function sentOf(props: RosterProps, action: ActionOutcome, act: Act): Edited {
  const form = FORMS[act] as AnyForm;
  const outcome: Outcome = outcomeOfAction(form, action, { now: props.now });
  const done = { ...NOTHING, act, tone: 'success' } as const;
  const failed = { ...NOTHING, act, tone: 'failure', title: form.failure } as const;
  switch (outcome.kind) {
    case 'success':
      return { ...done, ...doneWords(props, act, action.form), affected: affectedIn(action.result.body) };
    case 'refused':
      return { ...failed, errors: outcome.violations.map(({ field, message }) => ({ id: field, message })) };
    case 'failed':
      return { ...failed, ...whyOf(props, action, act, outcome.detail) };
    case 'received':
      return { ...done, ...doneWords(props, act, action.form) };
    case 'none':
    case 'answered':
      return { ...UNREAD, act };
  }
}

/** Returns the text of a saved form. */
function doneWords(props: RosterProps, act: Act, posted: FormFields): Pick<Edited, 'title' | 'text'> {
  const names = namesOf(props);
  switch (act) {
    case 'session':
    case 'change': {
      const { doctorId, name } = valuesFrom(newSessionForm, posted);
      const whose = doctorId ? nameOf(`doctor:${doctorId}`, names) : name.trim();
      return { title: `The session of ${whose} is ${act === 'session' ? 'added' : 'changed'}.` };
    }
    case 'leave': {
      const { resource, leaveFrom, leaveUntil } = valuesFrom(leaveForm, posted);
      return { title: `Leave of ${nameOf(resource, names)} is added: ${daysText(leaveFrom, leaveUntil)}.` };
    }
    case 'ask': {
      const { leaveFrom, leaveUntil } = valuesFrom(askForm, posted);
      return {
        title: `You have asked for leave: ${daysText(leaveFrom, leaveUntil)}.`,
        text: 'This page shows the decision.',
      };
    }
    case 'decline': {
      const { whose, seen } = valuesFrom(declineForm, posted);
      return { title: `The request of ${whose} is declined: ${seen}.` };
    }
    case 'holiday': {
      const { date, name } = valuesFrom(holidayForm, posted);
      return { title: `${isDay(date) ? formatDate(date) : date} is a holiday: ${name.trim()}.` };
    }
  }
}

const THINGS: Readonly<Record<Act, string>> = {
  session: 'session',
  change: 'session',
  leave: 'leave',
  holiday: 'holiday',
  ask: 'request',
  decline: 'request',
};
const STALE = 'Another person has changed this session since you opened it. We kept their change.';

function whyOf(props: RosterProps, { form, result }: ActionOutcome, act: Act, detail: string) {
  if (result.status === 412 && act !== 'decline') {
    const present = sessionsIn(props).find(({ id }) => id === form.session?.at(-1));
    const text = `${STALE} The form has what you entered. Save it again to replace theirs.`;
    return { text, differences: present ? differencesOf(valuesFrom(newSessionForm, form), present) : [] };
  }
  const failure = failureOf(result.status, false);
  if (failure === 'unsaved' && detail) return { text: detail };
  const text = failureText(failure, THINGS[act], act === 'leave' ? 'leave' : undefined);
  return failure === 'unknown' ? { text, title: `The ${THINGS[act]} may not have been saved` } : { text };
}

/** Returns the fields in which a stored session differs from what the person entered. */
function differencesOf(entered: SessionValues, present: Session): Difference[] {
  const stored = valuesOf(present);
  const text = (values: SessionValues, field: keyof SessionValues) => [values[field]].flat().join(', ');
  return SESSION_FIELDS.filter((field) => text(entered, field) !== text(stored, field)).map((field) => ({
    label: labelOf(field),
    before: text(entered, field) || 'none',
    now: text(stored, field) || 'none',
  }));
}

const REMOVED: Readonly<Record<Removal['kind'], (removal: Removal) => string>> = {
  session: ({ whose, seen }) => `The session of ${whose} is deleted: ${seen}.`,
  leave: ({ whose, seen }) => `Leave of ${whose} is deleted: ${seen}.`,
  holiday: ({ whose, seen }) => `${whose} is no longer a holiday: ${seen}.`,
};

function removedOf(props: RosterProps, { form, result }: ActionOutcome): Edited {
  const removal = removalIn(form);
  if (!removal) return UNREAD;
  const { kind, id, whose, seen } = removal;
  const { status, body } = result;
  const edited = { ...NOTHING, act: null };
  if (status >= 200 && status <= 299) {
    return { ...edited, tone: 'success', title: REMOVED[kind](removal), affected: affectedIn(body) };
  }
  const failure = failureOf(status, false);
  const which = kind === 'holiday' ? `on ${whose}` : `of ${whose}`;
  const title = `The ${kind} ${which} ${failure === 'unknown' ? 'may not have been' : 'was not'} deleted`;
  if (status !== 412) {
    const text = failureText(failure, kind, kind === 'leave' ? 'leave' : undefined);
    return { ...edited, tone: 'failure', title, text };
  }
  const present = sessionsIn(props).find((session) => session.id === id);
  const now = present ? sessionText(present) : 'none';
  return {
    ...edited,
    tone: 'failure',
    title,
    text: `${STALE} If your choice is still right, choose it again.`,
    differences: now === seen ? [] : [{ label: 'Session', before: seen, now }],
  };
}

function ruledOf({ form, result: { status, body } }: ActionOutcome): Edited {
  const ruling = rulingIn(form);
  if (!ruling) return UNREAD;
  const edited = { ...NOTHING, act: null };
  if (status >= 200 && status <= 299) {
    return { ...edited, tone: 'success', title: ruledTitle(ruling), affected: affectedIn(body) };
  }
  return { ...edited, tone: 'failure', ...unruledWords(ruling, status, body as Partial<Problem> | null) };
}

/** Returns the uncovered appointments of a response, null if it has none. */
function affectedIn(body: unknown): Affected | null {
  const { affected, affectedTotal = 0 } = (body ?? {}) as { affected?: Appointment[]; affectedTotal?: number };
  if (!affected || affected.length === 0) return null;
  const people = affected.slice(0, PEOPLE_MAX).map((one: Listed) => personOf(one));
  return { people, total: Math.max(affectedTotal, affected.length) };
}

/** Returns the HTTP status of a page after a post, or null if nothing failed. */
export function failedStatus(props: RosterProps): number | null {
  const { action } = props;
  if (!action) return null;
  const offered = offeredOf(action);
  const isDone = offered ? offered.kind === 'sent' : editedOf(props)?.tone === 'success';
  return isDone ? null : statusOfFailure(action.result.status);
}

/** Returns what a document's title begins with after a post. */
export function titlePrefix(props: RosterProps, isAbsent: boolean): string {
  if (failedStatus(props) !== null || isAbsent) return 'Error: ';
  return props.action ? 'Saved: ' : '';
}
