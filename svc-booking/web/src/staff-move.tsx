/** `/staff/move/{appointment}/{date}`: another free time of the same doctor, or of the department after a clinic. */
import type { FormFields, Head, PostAddress } from '@hospital/page';
import { formatDate, istDay } from '@hospital/page/format';
import { languageName } from '@hospital/page/language-names';
import { Button, LinkButton } from '@hospital/ui/button';
import { Absent, AbsenceNotice, absenceOf } from '@hospital/ui/desk-absence';
import { failureText, statusOfFailure } from '@hospital/ui/desk-change';
import { Notice } from '@hospital/ui/notice';
import { Absent as AbsentAppointments } from './desk/absent.tsx';
import { type Listed, attendantOf, isMailed, nameOf } from './desk/appointment.ts';
import { seenOf, seenText } from './desk/choice.ts';
import { TODAY_PATH, dayAddress, deskDepartments, statusOfAbsence } from './desk/day.ts';
import { Facts } from '@hospital/ui/desk-facts';
import { type Free, TIMES_WORDS, WHEN, dayProblem, firstDay, whenText } from './desk/free.ts';
import {
  type Move,
  type MoveProps,
  SEEN,
  isMovable,
  moveAddressOn,
  moveOf,
  moveRequest,
  whoseTimes,
} from './desk/move.ts';
import { Refusal } from './desk/refusal.tsx';
import { RESULT } from './desk/row.tsx';
import { FIND_PATH } from './desk/search.ts';
import { LABELS, stateOf } from './desk/states.ts';
import { TimeChoice } from './desk/time-choice.tsx';
import styles from '@hospital/ui/desk.module.css';
import book from './desk/book.module.css';

export const action = (posted: FormFields, _now: string, address: PostAddress) => moveRequest(posted, address);

/** Returns the address with the appointment's doctor and a span of days, or null if it is the present one. Forms stay. */
export function location(props: MoveProps): string | null {
  const appointment = movableIn(props);
  const { date = '' } = props.params;
  const { department = '', doctor = '', from = '', to } = props.query;
  if (props.action || !appointment || dayProblem(date, props.now)) return null;
  const found = addressOf(props, date, firstDay(date, from));
  const present = moveAddressOn(props.params.appointment ?? '', date, { department, doctor }, from);
  return present === found && found.endsWith(`&to=${to}`) ? null : found;
}

/** Returns the address of a day's free times, of the appointment's doctor or department. */
function addressOf({ data, params, query }: MoveProps, day: string, from?: string): string {
  const { department = '', doctor = '' } = query;
  const whose = data.appointment?.ok ? whoseTimes(data.appointment.body) : { department, doctor };
  return moveAddressOn(params.appointment ?? '', day, whose, from);
}

function movableIn({ data: { appointment } }: MoveProps): Listed | null {
  return appointment?.ok && isMovable(appointment.body) ? appointment.body : null;
}

export function status(props: MoveProps): number {
  const { action: posted, data, params, now } = props;
  const move = moveOf(props);
  if (move?.kind === 'done') return 200;
  if (posted && move) return statusOfFailure(posted.result.status);
  if (location(props)) return 302;
  if (isMissing(props)) return 404;
  if (data.appointment?.ok !== true) return statusOfAbsence(data.appointment ? absenceOf(data.appointment) : 'down');
  if (dayProblem(params.date ?? '', now)) return 400;
  return data.free?.ok === false && movableIn(props) ? statusOfAbsence(absenceOf(data.free)) : 200;
}

/** Returns whether there is no such appointment. An address that is no id counts as none. */
function isMissing({ data: { appointment } }: MoveProps): boolean {
  return appointment?.ok === false && [400, 404].includes(appointment.status);
}

export default function StaffMove(props: MoveProps) {
  const { appointment } = props.data;
  const move = moveOf(props);
  return (
    <section className={styles.page}>
      <h1>{TITLE}</h1>
      {move?.kind === 'done' ? (
        <Moved from={move.seen} appointment={move.appointment} now={props.now} />
      ) : (
        <>
          {move && <Refused move={move} />}
          {appointment?.ok ? (
            <Open props={props} appointment={appointment.body} move={move} />
          ) : (
            <Missing props={props} />
          )}
        </>
      )}
    </section>
  );
}

const TITLE = 'Move an appointment';

function Missing({ props }: { props: MoveProps }) {
  const { appointment } = props.data;
  if (isMissing(props)) {
    return (
      <AbsenceNotice
        title="There is no such appointment"
        next={<LinkButton href={FIND_PATH}>Find an appointment</LinkButton>}
      >
        It was deleted, or there is a mistake in the link.
      </AbsenceNotice>
    );
  }
  const absence = appointment?.ok === false ? absenceOf(appointment) : 'down';
  return <AbsentAppointments absence={absence} again={addressOf(props, props.params.date ?? '')} whole={TODAY_PATH} />;
}

interface OpenProps {
  props: MoveProps;
  appointment: Listed;
  move: Move | null;
}

function Open({ props, appointment, move }: OpenProps) {
  const { data, now, params, query } = props;
  const day = params.date ?? '';
  const problem = dayProblem(day, now);
  const state = stateOf(appointment);
  const departments = deskDepartments({ data: { departments: data.departments } });
  const department = departments.find(({ id }) => id === appointment.department)?.name ?? appointment.department;
  const absence = data.free?.ok ? null : data.free ? absenceOf(data.free) : 'down';
  return (
    <>
      <Facts
        facts={[
          ['Patient', nameOf(appointment)],
          ['Booked now', `${formatDate(appointment.date)}, ${appointment.time} IST`],
          ['Doctor or clinic', attendantOf(appointment)],
          ['Department', department],
          ['Language', languageName(appointment.language)],
          ['Reference', appointment.reference],
        ]}
      />
      {!isMovable(appointment) && (
        <Notice
          tone="warning"
          title={`This appointment can’t be moved: its status is “${state ? LABELS[state] : 'Unknown'}”`}
        />
      )}
      {isMovable(appointment) && problem && (
        <AbsenceNotice
          title="There are no times on this day"
          next={<LinkButton href={addressOf(props, istDay(now))}>Show the free times from today on</LinkButton>}
        >
          {`${problem}.`}
        </AbsenceNotice>
      )}
      {isMovable(appointment) && !problem && absence && (
        <Absent
          absence={absence}
          words={TIMES_WORDS}
          again={addressOf(props, day, query.from)}
          whole={dayAddress(appointment.date)}
        />
      )}
      {isMovable(appointment) && !problem && data.free?.ok && (
        <MoveForm {...{ props, appointment, move, day }} free={data.free.body} />
      )}
      <p>
        <a href={dayAddress(appointment.date)}>Back to the list of the day</a>
      </p>
    </>
  );
}

function MoveForm({ props, appointment, move, day, free }: OpenProps & { day: string; free: Free }) {
  const { action: posted, now, part, query } = props;
  const chosen = posted?.form[WHEN]?.at(-1) ?? '';
  const name = nameOf(appointment);
  return (
    <form
      className={book.form}
      method="post"
      action={`${addressOf(props, day, query.from)}#${RESULT}`}
      noValidate
      aria-label="Another time"
    >
      <input type="hidden" name="part" value={part} />
      <input type="hidden" name={SEEN} value={seenText(seenOf(appointment))} />
      <TimeChoice
        {...{ free, day, now, chosen }}
        nearest={move?.kind === 'taken' ? move.nearest : []}
        taken={move?.kind === 'taken' ? whenText(move.when) : ''}
        isNamed={!appointment.attendant?.doctorId}
        error={move?.kind === 'unchosen' ? UNCHOSEN : undefined}
        addressOf={(to, from) => addressOf(props, to, from)}
      />
      <p>
        {`${name} has ${appointment.time} on ${formatDate(appointment.date)}. That time becomes free, and `}
        {appointment.email
          ? `we’ll e-mail the new time with a new link${day === istDay(now) ? ', unless it has begun' : ''}. The old link stops working.`
          : 'nobody is notified, as there’s no e-mail address.'}
      </p>
      <p className={book.send}>
        <Button type="submit">{`Move ${name} to the chosen time`}</Button>
      </p>
    </form>
  );
}

const UNCHOSEN = 'Choose a free time';

function Refused({ move }: { move: Exclude<Move, { kind: 'done' }> }) {
  switch (move.kind) {
    case 'unread':
      return <Refusal title="Nothing was moved" text="We couldn’t read your choice. Please choose again." />;
    case 'unchosen':
      return <Refusal title={NOT_MOVED} violations={[{ field: WHEN, message: UNCHOSEN }]} />;
    case 'taken':
      return (
        <Refusal
          title={NOT_MOVED}
          text={`${move.when.time} on ${formatDate(move.when.date)} was just taken. Choose another time.`}
        />
      );
    case 'stale':
      return <Refusal title={NOT_MOVED} text={STALE} differences={move.differences} />;
    case 'failed':
      return (
        <Refusal
          title={move.failure === 'unknown' ? 'The appointment may not have been moved' : NOT_MOVED}
          text={move.detail || failureText(move.failure, 'appointment')}
        />
      );
  }
}

const NOT_MOVED = 'The appointment was not moved';
const STALE =
  'Another person has changed this appointment since you opened it. We kept their change. ' +
  'If a move is still right, choose the time again.';

interface MovedProps {
  from: { date: string; time: string };
  appointment: Listed;
  now: string;
}

function Moved({ from, appointment, now }: MovedProps) {
  const { date, time, email, reference } = appointment;
  const name = nameOf(appointment);
  return (
    <div className={book.done} id={RESULT} tabIndex={-1}>
      <Notice tone="success" role="status" title={`${name} is moved to ${formatDate(date)}, ${time}`}>
        <p>
          {isMailed(appointment, now)
            ? 'The new time goes to the patient’s e-mail address.'
            : email
              ? 'The new time has begun, so nobody was e-mailed: tell it by phone.'
              : 'The patient has no e-mail address: tell the new time by phone.'}
        </p>
      </Notice>
      <Facts
        facts={[
          ['Before', `${formatDate(from.date)}, ${from.time} IST`],
          ['Now', `${formatDate(date)}, ${time} IST`],
          ['Doctor or clinic', attendantOf(appointment)],
          ['Reference', reference],
        ]}
      />
      <p className={book.send}>
        <LinkButton href={dayAddress(date)}>Show the list of that day</LinkButton>
        <LinkButton href={TODAY_PATH} tone="secondary">
          Today
        </LinkButton>
      </p>
    </div>
  );
}

/** The title names no patient: the browser keeps titles in its history. */
export function head(props: MoveProps): Head {
  const isDone = moveOf(props)?.kind === 'done';
  const prefix = isDone ? 'Saved: ' : status(props) >= 400 ? 'Error: ' : '';
  return {
    title: `${prefix}${TITLE}`,
    description: 'Move an appointment to another time, for staff.',
    canonicalPath: TODAY_PATH,
    robots: 'noindex',
    referrer: 'same-origin',
  };
}
