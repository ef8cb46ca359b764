/** Moves of an appointment by the front desk: its address, API call and outcome. */
import { pathOf } from '@hospital/api/call';
import type { Department } from '@hospital/api/types';
import type { ActionRequest, FormFields, PageData, PageProps, PostAddress, Problem } from '@hospital/page';
import { istDay } from '@hospital/page/format';
import { type Failure, failureOf } from '@hospital/ui/desk-change';
import { type DayTime, alternativesIn } from '../appointment/alternatives.ts';
import type { Listed } from './appointment.ts';
import { type Difference, type Seen, differences, seenIn } from './choice.ts';
import { type Free, SHOW, TAKEN, WHEN, type Whose, timesAddress, whenOf } from './free.ts';
import { stateOf } from './states.ts';

const MOVE_PATH = '/staff/move';
/** Field with what the person saw of the appointment. */
export const SEEN = 'seen';

interface MoveBodies {
  appointment: Listed;
  departments: { departments: Department[] };
  free: Free;
}

export type MoveProps = Omit<PageProps, 'data'> & { data: Partial<PageData<MoveBodies>> };

/** Returns whose times an appointment can move to: those of its doctor, or of its department after a clinic. */
export function whoseTimes({ department, attendant }: Pick<Listed, 'attendant' | 'department'>): Whose {
  return { department, doctor: attendant?.doctorId ?? '' };
}

/** Returns the page of a move. It has the random id, which names no person. */
export function moveAddress(appointment: Listed, now: string): string {
  const { date } = appointment;
  const today = istDay(now);
  return moveAddressOn(appointment.id, date > today ? date : today, whoseTimes(appointment));
}

export function moveAddressOn(id: string, day: string, whose: Whose, from?: string): string {
  return timesAddress(`${MOVE_PATH}/${encodeURIComponent(id)}`, day, whose, from);
}

/** Returns whether the appointment can be moved. The service checks it again. */
export function isMovable(appointment: Pick<Listed, 'status' | 'consultationTime'>): boolean {
  return stateOf(appointment) === 'booked';
}

interface Wanted {
  seen: Seen;
  when: DayTime | null;
}

/** Reads the form; null if it is not one of this page. */
function wantedIn(form: FormFields): Wanted | null {
  const seen = seenIn(form[SEEN]?.at(-1) ?? '');
  return seen && { seen, when: whenOf(form[WHEN]?.at(-1) ?? '') };
}

/** Returns whether the form only asks for another day. */
function isShown(form: FormFields): boolean {
  return form[SHOW.name]?.at(-1) === SHOW.value;
}

/** Returns the API call of a posted move. */
export function moveRequest(form: FormFields, { params, query }: PostAddress): ActionRequest | null {
  const wanted = isShown(form) ? null : wantedIn(form);
  if (!wanted?.when) return null;
  return {
    method: 'POST',
    path: pathOf({
      template: '/appointments/{appointment_id}:move',
      params: { appointment_id: params.appointment ?? '' },
    }),
    headers: { 'If-Match': `"${wanted.seen.etag}"` },
    body: { ...wanted.when, department: query.department ?? '', doctorId: query.doctor ?? '' },
    receipt: {
      title: 'The appointment is moved',
      text: 'The page can’t be shown right now. Times are Indian Standard Time (IST).',
      facts: { Reference: 'reference', Patient: 'patientName', Date: 'date', Time: 'time' },
    },
  };
}

export type Move =
  /** Moved, by this request or by an earlier press. */
  | { kind: 'done'; seen: Seen; appointment: Listed }
  /** No time was chosen. */
  | { kind: 'unchosen' }
  | { kind: 'taken'; when: DayTime; nearest: DayTime[] }
  /** Changed by another person since the page was opened. */
  | { kind: 'stale'; differences: Difference[] }
  /** `detail`: advice of the service, or empty. */
  | { kind: 'failed'; failure: Failure; detail: string }
  /** The form was not one of this page. */
  | { kind: 'unread' };

/** Returns the outcome of a posted move, null for any other post. */
export function moveOf({ action, data }: MoveProps): Move | null {
  if (!action || isShown(action.form)) return null;
  const wanted = wantedIn(action.form);
  if (!wanted) return { kind: 'unread' };
  const { seen, when } = wanted;
  if (!when) return { kind: 'unchosen' };
  const present = data.appointment?.ok ? data.appointment.body : null;
  const { status, body } = action.result;
  const isSaved = status >= 200 && status <= 299;
  const saved = isSaved ? (present ?? (body as Listed)) : present;
  if (saved && (isSaved || isAt(saved, when))) return { kind: 'done', seen, appointment: saved };
  return refusalOf(wanted.seen, when, status, (body ?? {}) as Partial<Problem>, present);
}

function refusalOf(
  seen: Seen,
  when: DayTime,
  status: number,
  { reason, detail, fields, ...problem }: Partial<Problem>,
  present: Listed | null,
): Move {
  if (reason === TAKEN) return { kind: 'taken', when, nearest: alternativesIn(problem) };
  const changed = present ? differences(seen, present) : [];
  if (status === 412 || changed.length > 0) return { kind: 'stale', differences: changed };
  const refused = fields?.map(({ message }) => message).join(' ');
  return { kind: 'failed', failure: failureOf(status, present !== null), detail: refused || (reason && detail) || '' };
}

function isAt({ date, time, status }: Listed, when: DayTime): boolean {
  return date === when.date && time === when.time && isMovable({ status });
}
