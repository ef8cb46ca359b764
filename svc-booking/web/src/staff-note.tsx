/** `/staff/note/{appointment}`: the desk's note on an appointment. */
import { fieldProps } from '@hospital/form/field';
import { nativeAction } from '@hospital/form/native';
import { valuesFrom } from '@hospital/form/declaration';
import type { Head } from '@hospital/page';
import { formatDate } from '@hospital/page/format';
import { languageName } from '@hospital/page/language-names';
import { Button, LinkButton } from '@hospital/ui/button';
import { AbsenceNotice, absenceOf } from '@hospital/ui/desk-absence';
import { failureOf, failureText, statusOfFailure } from '@hospital/ui/desk-change';
import { Facts } from '@hospital/ui/desk-facts';
import { Notice } from '@hospital/ui/notice';
import { TextArea } from '@hospital/ui/text-area';
import { Absent } from './desk/absent.tsx';
import { type Listed, attendantOf, nameOf } from './desk/appointment.ts';
import { TODAY_PATH, dayAddress, statusOfAbsence } from './desk/day.ts';
import { type NoteProps, noteAddress, noteForm, noteOf, noteOutcome } from './desk/note.ts';
import { Refusal } from './desk/refusal.tsx';
import { RESULT } from './desk/row.tsx';
import { FIND_PATH } from './desk/search.ts';
import styles from '@hospital/ui/desk.module.css';
import book from './desk/book.module.css';

export const action = nativeAction(noteForm);

export function status(props: NoteProps): number {
  const { action: posted, data } = props;
  const { kind } = noteOutcome(props);
  if (isSaved(props)) return 200;
  if (posted) return kind === 'refused' ? 400 : statusOfFailure(posted.result.status);
  if (isMissing(props)) return 404;
  if (data.appointment?.ok) return 200;
  return statusOfAbsence(data.appointment ? absenceOf(data.appointment) : 'down');
}

/** Returns whether there is no such appointment. An address that is no id counts as none. */
function isMissing({ data: { appointment } }: NoteProps): boolean {
  return appointment?.ok === false && [400, 404].includes(appointment.status);
}

/** Returns the appointment as it is now; null if it cannot be shown. */
function presentIn(props: NoteProps): Listed | null {
  const outcome = noteOutcome(props);
  if (outcome.kind === 'success') return outcome.answer;
  return props.data.appointment?.ok ? props.data.appointment.body : null;
}

/** Returns whether the note is as it was posted: by this request, or by an earlier press. */
function isSaved(props: NoteProps): boolean {
  const { action: posted, data } = props;
  const outcome = noteOutcome(props);
  if (outcome.kind === 'success') return true;
  if (outcome.kind !== 'failed' || !data.appointment?.ok) return false;
  return noteOf(data.appointment.body) === (posted?.form.note?.at(-1) ?? '').trim();
}

const TITLE = 'Note for the desk';
const STALE = 412;

export default function StaffNote(props: NoteProps) {
  const present = presentIn(props);
  return (
    <section className={styles.page}>
      <h1>{present ? nameOf(present) : TITLE}</h1>
      <Result props={props} present={present} />
      {present && (
        <Facts
          facts={[
            ['Day', formatDate(present.date)],
            ['Time', `${present.time} IST`],
            ['Doctor or clinic', attendantOf(present)],
            ['Language', languageName(present.language)],
            ['Reference', present.reference],
          ]}
        />
      )}
      {!present && <Missing props={props} />}
      {(present?.patientName || props.action) && <NoteForm props={props} present={present} />}
      {present && !present.patientName && <p>The patient’s data was erased, so no note can be kept.</p>}
      {present && (
        <p>
          <a href={dayAddress(present.date)}>Back to the list of the day</a>
        </p>
      )}
    </section>
  );
}

function Missing({ props }: { props: NoteProps }) {
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
  return <Absent absence={absence} again={noteAddress(props.params.appointment ?? '')} whole={TODAY_PATH} />;
}

interface PartProps {
  props: NoteProps;
  present: Listed | null;
}

function Result({ props, present }: PartProps) {
  const { action: posted } = props;
  const outcome = noteOutcome(props);
  if (!posted) return null;
  if (isSaved(props)) {
    const title = present && noteOf(present) ? 'The note is saved' : 'The note is removed';
    return <Notice tone="success" role="status" title={title} id={RESULT} tabIndex={-1} />;
  }
  if (outcome.kind === 'refused') return <Refusal title={noteForm.failure} violations={outcome.violations} />;
  if (outcome.kind === 'none')
    return <Refusal title={noteForm.failure} text="We couldn’t read the form. Please save it again." />;
  const { status: code } = posted.result;
  if (code === STALE && present) {
    const now = noteOf(present);
    return (
      <Refusal
        title={noteForm.failure}
        text={
          'Another person has changed this appointment since you opened it. ' +
          (now ? `The note is now: “${now}”. ` : 'There is no note now. ') +
          'Your text is below. If you save it, it replaces the note.'
        }
      />
    );
  }
  const isSame = present !== null && present.etag === posted.form.etag?.at(-1);
  const failure = failureOf(code, isSame);
  const detail = outcome.kind === 'failed' && outcome.reason === 'ERASED' ? outcome.detail : '';
  return (
    <Refusal
      title={failure === 'unknown' ? 'The note may not have been saved' : noteForm.failure}
      text={detail || failureText(failure, 'appointment')}
    />
  );
}

function NoteForm({ props, present }: PartProps) {
  const { action: posted, params, part } = props;
  const outcome = noteOutcome(props);
  const typed = posted && !isSaved(props) ? valuesFrom(noteForm, posted.form) : null;
  const id = present?.id ?? params.appointment ?? '';
  const error = outcome.kind === 'refused' ? outcome.violations.find(({ field }) => field === 'note')?.message : '';
  return (
    <form
      className={book.form}
      method="post"
      action={`${noteAddress(params.appointment ?? id)}#${RESULT}`}
      noValidate
      aria-label={TITLE}
    >
      <input type="hidden" name="part" value={part} />
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="etag" value={present?.etag ?? typed?.etag ?? ''} />
      <TextArea
        {...fieldProps(noteForm, 'note')}
        dir="auto"
        defaultValue={typed ? typed.note : present ? noteOf(present) : ''}
        error={error}
      />
      <p className={book.send}>
        <Button type="submit">Save the note</Button>
      </p>
    </form>
  );
}

/** The title names no patient: the browser keeps titles in its history. */
export function head(props: NoteProps): Head {
  const prefix = isSaved(props) ? 'Saved: ' : status(props) >= 400 ? 'Error: ' : '';
  return {
    title: `${prefix}${TITLE}`,
    description: 'The desk’s note on an appointment, for staff.',
    canonicalPath: TODAY_PATH,
    robots: 'noindex',
    referrer: 'same-origin',
  };
}
