/** `/staff/consultations/{consultation}`: one request, the form of its time, link and doctor, and the changes of its state. */
import { valuesFrom } from '@hospital/form/declaration';
import { fieldProps } from '@hospital/form/field';
import type { Head } from '@hospital/page';
import { formatDate, formatTime } from '@hospital/page/format';
import { languageName } from '@hospital/page/language-names';
import { Button, LinkButton } from '@hospital/ui/button';
import { AbsenceNotice, Absent, absenceOf, statusOfAbsence } from '@hospital/ui/desk-absence';
import { failureText, statusOfFailure } from '@hospital/ui/desk-change';
import { Notice } from '@hospital/ui/notice';
import { Select } from '@hospital/ui/select';
import { TextInput } from '@hospital/ui/text-input';
import type { Consultation } from '@hospital/api/types';
import { hoursText } from './appointment/attendants.ts';
import { callTo } from './desk/appointment.ts';
import {
  type Change,
  TIMES,
  TO,
  changeOf,
  changeRequest,
  doctorsOf,
  scheduleForm,
  seenText,
} from './desk/consultation-change.ts';
import { StateMark } from './desk/consultation-state.tsx';
import {
  CONSULTATIONS_PATH,
  type ConsultationProps,
  LABELS,
  NEXT,
  type State,
  WORDS,
  consultationAddress,
  nameOf,
  stateOf,
} from './desk/consultations.ts';
import { deskDepartments, mayChange } from './desk/day.ts';
import { Facts } from '@hospital/ui/desk-facts';
import { Refusal } from './desk/refusal.tsx';
import { RESULT } from './desk/row.tsx';
import rows from '@hospital/ui/desk-row.module.css';
import styles from '@hospital/ui/desk.module.css';
import book from './desk/book.module.css';
import own from './desk/consultation.module.css';

export const action = changeRequest;

export function status(props: ConsultationProps): number {
  const { action: posted, data } = props;
  const change = changeOf(props);
  if (change?.kind === 'saved') return 200;
  if (posted) return statusOfFailure(posted.result.status);
  if (isMissing(props)) return 404;
  if (data.consultation?.ok) return 200;
  return statusOfAbsence(data.consultation ? absenceOf(data.consultation) : 'down');
}

/** Returns whether there is no such consultation. An address that is no id counts as none. */
function isMissing({ data: { consultation } }: ConsultationProps): boolean {
  return consultation?.ok === false && [400, 404].includes(consultation.status);
}

export default function StaffConsultation(props: ConsultationProps) {
  const { data } = props;
  const change = changeOf(props);
  const saved = change?.kind === 'saved' ? change.consultation : null;
  const shown = data.consultation?.ok ? data.consultation.body : saved;
  return (
    <section className={styles.page}>
      <p>
        <a href={CONSULTATIONS_PATH}>Back to the consultations</a>
      </p>
      <h1 className={own.name}>{shown ? nameOf(shown) : TITLE}</h1>
      {change && <Outcome change={change} />}
      {!data.consultation?.ok && <Missing props={props} />}
      {shown && <Open props={props} consultation={shown} change={change} />}
    </section>
  );
}

const TITLE = 'Video consultation';

function Missing({ props }: { props: ConsultationProps }) {
  const { data, params } = props;
  if (isMissing(props)) {
    return (
      <AbsenceNotice
        title="There is no such consultation"
        next={<LinkButton href={CONSULTATIONS_PATH}>Consultations</LinkButton>}
      >
        It was deleted, or there is a mistake in the link.
      </AbsenceNotice>
    );
  }
  const absence = data.consultation?.ok === false ? absenceOf(data.consultation) : 'down';
  const again = consultationAddress(params.consultation ?? '');
  return <Absent absence={absence} words={WORDS} again={again} whole={CONSULTATIONS_PATH} />;
}

/** Texts of a saved change, by the new state. */
const SAVED: Readonly<Record<State, string>> = {
  requested: '',
  scheduled: 'The time and the link are saved',
  completed: 'The consultation is marked as completed',
  no_show: 'The patient is marked as a no-show',
  cancelled: 'The consultation is cancelled',
};

/** Texts of a change that was not saved, by the wanted state. */
const UNSAVED: Readonly<Record<State, string>> = {
  requested: '',
  scheduled: 'The time was not saved',
  completed: '“Completed” was not saved',
  no_show: '“No-show” was not saved',
  cancelled: 'The consultation was not cancelled',
};

function Outcome({ change }: { change: Change }) {
  switch (change.kind) {
    case 'saved':
      return (
        <Notice tone="success" role="status" title={SAVED[change.to]} id={RESULT} tabIndex={-1}>
          <p>{change.isSame ? 'It already was so, and nothing new was sent.' : notified(change)}</p>
        </Notice>
      );
    case 'refused':
      return <Refusal title={UNSAVED.scheduled} violations={change.violations} />;
    case 'stale':
      return <Refusal title={UNSAVED[change.to]} text={STALE} differences={change.differences} />;
    case 'failed':
      return (
        <Refusal
          title={change.failure === 'unknown' ? 'The change may not have been saved' : UNSAVED[change.to]}
          text={change.detail || failureText(change.failure, 'consultation')}
        />
      );
    case 'unread':
      return <Refusal title="Nothing was changed" text="We couldn’t read your choice. Please choose again." />;
  }
}

const STALE =
  'Another person has changed this consultation since you opened it. We kept their change. ' +
  'If your change is still right, make it again.';

/** Returns who is notified of a change. */
function notified({ to, consultation }: { to: State; consultation: Consultation }): string {
  const { patientEmail, phone } = consultation;
  if (to !== 'scheduled' && to !== 'cancelled') return 'The patient is not notified of this.';
  const allotted =
    doctorsOf(consultation).length > 0
      ? 'the day, the time, the link and the doctor with the registration number'
      : 'the day, the time and the link';
  const what = to === 'scheduled' ? allotted : 'that it is cancelled';
  if (patientEmail) return `We’ll e-mail ${what} to ${patientEmail}.`;
  return `There is no e-mail address: call ${phone || 'the patient'} and tell the patient ${what}.`;
}

interface OpenProps {
  props: ConsultationProps;
  consultation: Consultation;
  change: Change | null;
}

function Open({ props, consultation, change }: OpenProps) {
  const { date, time, link, patientEmail, phone, reference, createTime, description } = consultation;
  const { doctorName, doctorRegistration } = consultation;
  const departments = deskDepartments({ data: { departments: props.data.departments } });
  const department = departments.find(({ id }) => id === consultation.department);
  const state = stateOf(consultation);
  const canChange = mayChange(props);
  return (
    <>
      <div>
        <StateMark consultation={consultation} />
      </div>
      <Facts
        facts={[
          [time ? 'Day' : 'Wanted day', formatDate(date)],
          ['Time', time && `${time} IST`],
          [
            'Link',
            link && (
              <a href={link} rel="noreferrer">
                {link}
              </a>
            ),
          ],
          ['Doctor', doctorName && `${doctorName} (${doctorRegistration})`],
          ['Department', department?.name ?? consultation.department],
          ['E-mail', patientEmail && <a href={mailTo(patientEmail)}>{patientEmail}</a>],
          ['Phone', phone && <a href={callTo(phone)}>{phone}</a>],
          ['Language', languageName(consultation.language)],
          ['Reference', reference],
          ['Requested', `${formatDate(createTime)}, ${formatTime(createTime)} IST`],
        ]}
      />
      {description && (
        <p className={own.text} dir="auto">
          {description}
        </p>
      )}
      {!canChange && <p>You can see consultations but not change them.</p>}
      {canChange && state && NEXT[state].includes('scheduled') && (
        <ScheduleForm
          {...{ props, consultation, change }}
          hours={department?.video?.hours ? `${department.name} by video: ${hoursText(department.video.hours)}.` : ''}
        />
      )}
      {canChange && state && <Changes props={props} consultation={consultation} state={state} />}
    </>
  );
}

function mailTo(email: string): string {
  return `mailto:${encodeURIComponent(email).replace(/%40/g, '@')}`;
}

function ScheduleForm({ props, consultation, change, hours }: OpenProps & { hours: string }) {
  const { action: posted, part } = props;
  const isTyped = posted && change?.kind !== 'saved' && !posted.form[TO];
  const doctors = doctorsOf(consultation);
  const { date, time, link, doctorId } = isTyped ? valuesFrom(scheduleForm, posted.form) : consultation;
  const registration = isTyped ? valuesFrom(scheduleForm, posted.form).doctorRegistration : '';
  const violations = change?.kind === 'refused' ? change.violations : [];
  const errorOf = (name: string) => violations.find(({ field }) => field === name)?.message;
  const isScheduled = stateOf(consultation) === 'scheduled';
  return (
    <form
      className={book.form}
      method="post"
      action={`${consultationAddress(consultation.id)}#${RESULT}`}
      noValidate
      aria-label="Time and link"
    >
      <h2>{isScheduled ? 'Change the time, the doctor or the link' : 'Give a time, a doctor and a link'}</h2>
      <input type="hidden" name="part" value={part} />
      <input type="hidden" name="seen" value={seenText(consultation)} />
      <div className={book.person}>
        <TextInput {...fieldProps(scheduleForm, 'date')} hint={hours} defaultValue={date} error={errorOf('date')} />
        <Select {...fieldProps(scheduleForm, 'time')} defaultValue={time} error={errorOf('time')}>
          <option value="">Choose</option>
          {time && !TIMES.includes(time) && <option>{time}</option>}
          {TIMES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </Select>
        {doctors.length > 0 && (
          <>
            <input type="hidden" name="doctors" value="1" />
            <Select {...fieldProps(scheduleForm, 'doctorId')} defaultValue={doctorId} error={errorOf('doctorId')}>
              <option value="">Choose</option>
              {withPresent(doctors, consultation).map((doctor) => (
                <option key={doctor.doctorId} value={doctor.doctorId}>
                  {`${doctor.name} (${doctor.registration || 'no number yet'})`}
                </option>
              ))}
            </Select>
            <TextInput
              {...fieldProps(scheduleForm, 'doctorRegistration')}
              defaultValue={registration}
              error={errorOf('doctorRegistration')}
            />
          </>
        )}
        <TextInput {...fieldProps(scheduleForm, 'link')} defaultValue={link} error={errorOf('link')} />
      </div>
      <p>{notified({ to: 'scheduled', consultation })}</p>
      <p className={book.send}>
        <Button type="submit">{isScheduled ? 'Save and notify the patient' : 'Schedule the consultation'}</Button>
      </p>
    </form>
  );
}

/** Returns the doctors of the choice. The allotted doctor is one of them, with the number that the patient was told. */
function withPresent(doctors: Consultation['doctors'], consultation: Consultation): Consultation['doctors'] {
  const { doctorId, doctorName: name, doctorRegistration: registration } = consultation;
  if (!doctorId) return doctors;
  const others = doctors.filter((doctor) => doctor.doctorId !== doctorId);
  return [{ doctorId, name, registration }, ...others];
}

interface ChangesProps {
  props: ConsultationProps;
  consultation: Consultation;
  state: State;
}

/** Renders the end of a consultation. None of these changes can be undone, so each of them is below a question. */
function Changes({ props, consultation, state }: ChangesProps) {
  const ends = NEXT[state].filter((to) => to !== 'scheduled');
  if (ends.length === 0) return null;
  const name = nameOf(consultation);
  const when = [formatDate(consultation.date), consultation.time].filter(Boolean).join(', ');
  return (
    <form method="post" action={`${consultationAddress(consultation.id)}#${RESULT}`} aria-label="End">
      <input type="hidden" name="part" value={props.part} />
      <input type="hidden" name="seen" value={seenText(consultation)} />
      <details className={rows.asked}>
        <summary>{ends.length > 1 ? 'Complete, no-show or cancel…' : 'Cancel the request…'}</summary>
        {`${name}, ${when}. A change can’t be undone. If you cancel: ${notified({ to: 'cancelled', consultation })}`}
        {ends.map((to) => (
          <button key={to} name={TO} value={to} className={rows.change} aria-label={`${DO[to]}: ${name}`}>
            {DO[to]}
          </button>
        ))}
      </details>
    </form>
  );
}

/** Labels of the buttons. */
const DO: Readonly<Record<State, string>> = {
  ...LABELS,
  completed: 'Mark as completed',
  no_show: 'Mark as no-show',
  cancelled: 'Cancel the consultation',
};

/** The title names no patient: the browser keeps titles in its history. */
export function head(props: ConsultationProps): Head {
  const prefix = changeOf(props)?.kind === 'saved' ? 'Saved: ' : status(props) >= 400 ? 'Error: ' : '';
  return {
    title: `${prefix}${TITLE}`,
    description: 'A request for a video consultation, for staff.',
    canonicalPath: CONSULTATIONS_PATH,
    robots: 'noindex',
    referrer: 'same-origin',
  };
}
