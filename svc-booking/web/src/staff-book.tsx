/**
 * `/staff/book` and `/staff/book/{date}`: the front desk books for a caller or a person at the desk. With `walkIn`, the
 * first free time of today is chosen, and Enter books the person as arrived. The address
 * without a day leads to that of the chosen day, because an API path can be filled from the address only.
 */
import { fieldProps } from '@hospital/form/field';
import { nativeAction, nativeStatus } from '@hospital/form/native';
import { valuesFrom } from '@hospital/form/declaration';
import type { Head } from '@hospital/page';
import { istDay } from '@hospital/page/format';
import { LANGUAGES } from '@hospital/page/language';
import { OWN_NAMES } from '@hospital/page/language-names';
import { Button } from '@hospital/ui/button';
import { Absent, absenceOf } from '@hospital/ui/desk-absence';
import { Select } from '@hospital/ui/select';
import { TextInput } from '@hospital/ui/text-input';
import { alternativesIn } from './appointment/alternatives.ts';
import {
  BOOK_PATH,
  HERE,
  type BookOutcome,
  type BookProps,
  bookAddress,
  bookForm,
  bookOutcome,
  dayIn,
  firstFree,
  freeIn,
  isLost,
  isWalkIn,
  wantedIn,
} from './desk/book.ts';
import { Booked } from './desk/booked.tsx';
import { deskDepartments, statusOfAbsence } from './desk/day.ts';
import { type Free, TAKEN, TIMES_WORDS, dayProblem, firstDay, whenOf } from './desk/free.ts';
import { Refusal } from './desk/refusal.tsx';
import { RESULT } from './desk/row.tsx';
import { TimeChoice } from './desk/time-choice.tsx';
import { WhoseForm } from './desk/whose-form.tsx';
import styles from '@hospital/ui/desk.module.css';
import book from './desk/book.module.css';

export const action = nativeAction(bookForm);

/** Returns the address of the chosen day with its span of days, or null if it is the present one. Forms stay. */
export function location(props: BookProps): string | null {
  const { action: posted, params, query, now } = props;
  const whose = wantedIn(props);
  const day = dayIn(props);
  if (posted || !whose.department || dayProblem(day, now)) return null;
  const found = bookAddress(day, whose, firstDay(day, query.from));
  const present = bookAddress(params.date ?? '', whose, query.from);
  return params.date && query.from && present === found && found.endsWith(`&to=${query.to}`) ? null : found;
}

/** The redirect is temporary: the address without a day leads to the present day. */
export function status(props: BookProps): number {
  if (location(props)) return 302;
  const posted = nativeStatus(bookForm)(props);
  if (posted !== 200 || bookOutcome(props).kind === 'success') return posted;
  if (problemIn(props)) return 400;
  const absence = absenceIn(props);
  return absence ? statusOfAbsence(absence) : 200;
}

/** Returns why the day of the address cannot be booked, or an empty text. */
function problemIn(props: BookProps): string {
  return dayProblem(dayIn(props), props.now);
}

/** Returns why the free times cannot be shown; null if they can, or none are asked for. */
function absenceIn(props: BookProps) {
  const { free } = props.data;
  return free && !free.ok && wantedIn(props).department && !problemIn(props) ? absenceOf(free) : null;
}

export default function StaffBook(props: BookProps) {
  const { data, now, query } = props;
  const outcome = bookOutcome(props);
  const [whose, day, problem] = [wantedIn(props), dayIn(props), problemIn(props)];
  const departments = deskDepartments({ data: { departments: data.departments } });
  const absence = absenceIn(props);
  const free = whose.department && !problem ? freeIn(data.free) : null;
  if (outcome.kind === 'success') {
    const { department } = outcome.answer;
    return (
      <section className={styles.page}>
        <h1>{titleOf(props)}</h1>
        <Booked
          now={now}
          appointment={outcome.answer}
          wanted={whenOf(props.action?.form.when?.at(-1) ?? '')}
          department={departments.find(({ id }) => id === department)?.name ?? department}
        />
      </section>
    );
  }
  return (
    <section className={styles.page}>
      <h1>{titleOf(props)}</h1>
      <Refused props={props} outcome={outcome} />
      <WhoseForm {...{ departments, whose, day, now, problem }} />
      {absence && (
        <Absent absence={absence} words={TIMES_WORDS} again={bookAddress(day, whose, query.from)} whole={BOOK_PATH} />
      )}
      {!whose.department && (
        <p>
          {whose.walkIn
            ? 'Choose a department or a doctor. The running or the next free time is then chosen.'
            : 'Choose a department or a doctor first.'}
        </p>
      )}
      {(free || props.action) && <BookForm {...{ props, outcome, free }} />}
    </section>
  );
}

function titleOf({ query }: Pick<BookProps, 'query'>): string {
  return wantedIn({ query }).walkIn ? 'Book a walk-in' : 'Book for a caller';
}

function Refused({ props, outcome }: { props: BookProps; outcome: BookOutcome }) {
  if (outcome.kind === 'refused') return <Refusal title={bookForm.failure} violations={outcome.violations} />;
  if (outcome.kind === 'received') return <Refusal title={LOST} text={AGAIN} />;
  if (outcome.kind !== 'failed') return null;
  return isLost(props) ? (
    <Refusal title={LOST} text={AGAIN} />
  ) : (
    <Refusal title={bookForm.failure} text={outcome.detail || 'Everything you typed is still here.'} />
  );
}

const LOST = 'The appointment may not have been booked';
const AGAIN = 'We got no reply. Send the form again without a change: the same form never books twice.';

interface BookFormProps {
  props: BookProps;
  outcome: BookOutcome;
  /** Null: only what was typed is shown. */
  free: Free | null;
}

function BookForm({ props, outcome, free }: BookFormProps) {
  const { action: posted, now, part, query } = props;
  const [whose, day] = [wantedIn(props), dayIn(props)];
  const isHere = isWalkIn(props) && (!free || firstFree(free, day) !== '');
  const values = valuesFrom(bookForm, posted?.form ?? {});
  const errors = new Map(outcome.kind === 'refused' ? outcome.violations.map((one) => [one.field, one.message]) : []);
  const input = (name: 'patientName' | 'phone' | 'email') => (
    <TextInput {...fieldProps(bookForm, name)} defaultValue={values[name]} error={errors.get(name)} />
  );
  return (
    <form
      className={book.form}
      method="post"
      action={`${bookAddress(day, whose, query.from)}#${RESULT}`}
      noValidate
      aria-label="Time and patient"
    >
      <input type="hidden" name="part" value={part} />
      <input type="hidden" name="department" value={whose.department} />
      <input type="hidden" name="doctor" value={whose.doctor} />
      {free ? (
        <TimeChoice
          {...{ free, day, now }}
          chosen={values.when || (isHere ? firstFree(free, day) : '')}
          nearest={alternativesIn(outcome)}
          taken={outcome.kind === 'failed' && outcome.reason === TAKEN ? values.when : ''}
          isNamed={!whose.doctor}
          error={errors.get('when')}
          ended="The times of today are over."
          enter={isHere ? HERE : undefined}
          addressOf={(to, from) => bookAddress(to, whose, from)}
        />
      ) : (
        <input type="hidden" name="when" value={values.when} />
      )}
      <div className={book.person}>
        {input('patientName')}
        {input('phone')}
        {input('email')}
        <Select {...fieldProps(bookForm, 'language')} defaultValue={values.language} error={errors.get('language')}>
          {LANGUAGES.map((code) => (
            <option key={code} value={code === 'en' ? '' : code} lang={code}>
              {OWN_NAMES[code]}
            </option>
          ))}
        </Select>
      </div>
      <p className={book.send}>
        {isHere && (
          <Button type="submit" {...HERE}>
            Book as arrived
          </Button>
        )}
        <Button type="submit" tone={isHere ? 'secondary' : undefined}>
          Book the appointment
        </Button>
        {!isHere && day === istDay(now) && (
          <Button type="submit" tone="secondary" {...HERE}>
            Book as arrived
          </Button>
        )}
      </p>
    </form>
  );
}

/** The title names no patient: the browser keeps titles in its history. */
export function head(props: BookProps): Head {
  const { kind } = bookOutcome(props);
  const isError =
    kind === 'refused' || kind === 'failed' || kind === 'received' || absenceIn(props) !== null || problemIn(props);
  const prefix = kind === 'success' ? 'Saved: ' : isError ? 'Error: ' : '';
  return {
    title: `${prefix}${titleOf(props)}`,
    description: 'Book an appointment for a caller, for staff.',
    canonicalPath: BOOK_PATH,
    robots: 'noindex',
    referrer: 'same-origin',
  };
}
