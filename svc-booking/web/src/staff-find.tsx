/** `/staff/find`: an appointment by its reference, or by the patient's phone number or e-mail address. */
import { fieldProps } from '@hospital/form/field';
import { nativeAction, nativeStatus } from '@hospital/form/native';
import { type Outcome as SearchOutcome, outcomeOfAction } from '@hospital/form/outcome';
import type { FormFields, Head } from '@hospital/page';
import { istDay } from '@hospital/page/format';
import { Button } from '@hospital/ui/button';
import { classNames } from '@hospital/ui/class-names';
import { absenceOf } from '@hospital/ui/desk-absence';
import { statusOfFailure } from '@hospital/ui/desk-change';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { TextInput } from '@hospital/ui/text-input';
import { Absent } from './desk/absent.tsx';
import type { Listed } from './desk/appointment.ts';
import { type Change, changeOf, changeRequest, choiceIn, isChange, outcomeNow, toneOf } from './desk/change.ts';
import { type DayProps, dayAddress, dayTitle, deskDepartments, mayChange } from './desk/day.ts';
import { Keys } from './desk/keys.tsx';
import { Lost, Outcome, Said, Undo } from './desk/outcome.tsx';
import { ChangeForm, RESULT, Row, type RowContext } from './desk/row.tsx';
import {
  FIND_PATH,
  LOOK,
  RESULTS_MAX,
  appointmentsIn,
  byDay,
  searchForm,
  searchOf,
  searchText,
} from './desk/search.ts';
import styles from '@hospital/ui/desk.module.css';

type Searched = SearchOutcome<typeof searchForm>;

export const action = (posted: FormFields, now: string) =>
  isChange(posted) ? changeRequest(posted) : nativeAction(searchForm)(posted, now);

export function status(props: DayProps): number {
  const { action: posted } = props;
  if (!posted || !isChange(posted.form)) return nativeStatus(searchForm)(props);
  return toneOf(changeIn(props)) === 'success' ? 200 : statusOfFailure(posted.result.status);
}

export default function StaffFind(props: DayProps) {
  const { action: posted, now, part } = props;
  const outcome = searchedIn(props);
  const change = changeIn(props);
  const search = searchTextIn(props);
  const shown = resultsOf(outcome, change);
  const canChange = mayChange(props);
  const departments = new Map(deskDepartments(props).map(({ id, name }) => [id, name]));
  const isShown = change !== null && change.kind !== 'unread' && change.appointment !== null;
  return (
    <section className={styles.page}>
      <h1>Find an appointment</h1>
      {change && (isShown ? <Said change={change} /> : <Lost change={change} search={search} />)}
      <SearchForm part={part} search={search} error={errorOf(outcome)} />
      {posted && outcome.kind === 'failed' && outcome.reason !== NOT_FOUND && (
        <Absent
          absence={absenceOf({ ok: false, status: posted.result.status, body: null })}
          again={FIND_PATH}
          whole={FIND_PATH}
        />
      )}
      {isNothing(outcome) && <Nothing text={search} />}
      {canChange && shown.length > 0 && <ChangeForm action={FIND_PATH} part={part} search={search} />}
      {shown.length > 0 && (
        <Results shown={shown} change={change} context={{ now, departments, canChange }} isResult={!change} />
      )}
      {outcome.kind === 'success' && 'nextPageToken' in outcome.answer && outcome.answer.nextPageToken && (
        <p>{`These are the first ${RESULTS_MAX} appointments. Search by reference for another one.`}</p>
      )}
      {change && search && searchOf(search).kind !== 'reference' && <Again part={part} search={search} />}
    </section>
  );
}

function errorOf(outcome: Searched): string {
  return (outcome.kind === 'refused' && outcome.violations[0]?.message) || '';
}

/** Reason code of the API: no appointment has this reference. */
const NOT_FOUND = 'NOT_FOUND';

interface SearchFormProps {
  part: string;
  search: string;
  error?: string;
}

function SearchForm({ part, search, error }: SearchFormProps) {
  return (
    <form
      className={styles.search}
      role="search"
      method="post"
      action={`${FIND_PATH}#${RESULT}`}
      noValidate
      aria-label="Appointments"
    >
      <input type="hidden" name="part" value={part} />
      <TextInput
        {...fieldProps(searchForm, 'query')}
        defaultValue={search}
        error={error}
        data-focus={search && !error ? undefined : ''}
      />
      <Button type="submit">Find</Button>
    </form>
  );
}

interface ResultsProps {
  shown: readonly Listed[];
  change: Change | null;
  context: RowContext;
  /** The results themselves are the outcome of the post. */
  isResult: boolean;
}

function Results({ shown, change, context, isResult }: ResultsProps) {
  return (
    <>
      <p className={styles.asOf} id={isResult ? RESULT : undefined} tabIndex={-1} data-list="">
        {shown.length === 1 ? '1 appointment' : `${shown.length} appointments`}
      </p>
      {context.canChange && <Keys />}
      {byDay(shown, istDay(context.now)).map(({ day, appointments }) => (
        <div key={day} className={classNames(styles.group, styles.dated)}>
          <h2>
            <a href={dayAddress(day)}>{dayTitle(day, context.now)}</a>
          </h2>
          <ol className={styles.rows}>
            {appointments.map((appointment) => (
              <Row
                key={appointment.reference}
                appointment={appointment}
                context={context}
                outcome={
                  change ? (
                    <Outcome change={change}>
                      <Undo change={change} />
                    </Outcome>
                  ) : undefined
                }
              />
            ))}
          </ol>
        </div>
      ))}
    </>
  );
}

function Nothing({ text }: { text: string }) {
  const search = searchOf(text);
  return (
    <NothingYet id={RESULT} tabIndex={-1}>
      <p>
        <b>{`No appointment has ${searchText(search)}.`}</b>
      </p>
      {search.kind === 'reference' ? (
        <p>Check each letter and digit, or search by the phone number or the e-mail address of the booking.</p>
      ) : (
        <p>
          The booking may have another phone number or e-mail address. Ask for the reference on the confirmation, such
          as AB-7K3M-9QXD.
        </p>
      )}
    </NothingYet>
  );
}

/** Repeats the search, because after a change the page has one appointment only. */
function Again({ part, search }: { part: string; search: string }) {
  return (
    <form method="post" action={`${FIND_PATH}#${RESULT}`}>
      <input type="hidden" name="part" value={part} />
      <input type="hidden" name="query" value={search} />
      <Button type="submit" tone="secondary">{`Show all appointments with ${searchText(searchOf(search))}`}</Button>
    </form>
  );
}

function searchedIn({ action: posted, now }: DayProps): Searched {
  if (!posted || isChange(posted.form)) return { kind: 'none' };
  return outcomeOfAction(searchForm, posted, { now });
}

/** Returns the text that was searched for. A look at one appointment carries the text that had found it. */
function searchTextIn({ action: posted }: DayProps): string {
  const { search, query } = posted?.form ?? {};
  return (search?.at(-1) || query?.at(-1)) ?? '';
}

/** Returns the outcome of a change: posted here, or posted before and compared with the appointment found now. */
function changeIn(props: DayProps): Change | null {
  const { action: posted } = props;
  const outcome = searchedIn(props);
  const found = outcome.kind === 'success' ? appointmentsIn(outcome.answer)[0] : undefined;
  const choice = posted && found ? choiceIn(posted.form, LOOK) : null;
  if (choice && found && choice.seen.reference === found.reference) return outcomeNow(choice, found);
  return changeOf(posted, () => undefined);
}

function resultsOf(outcome: Searched, change: Change | null): readonly Listed[] {
  if (change) return change.kind !== 'unread' && change.appointment ? [change.appointment] : [];
  return outcome.kind === 'success' ? appointmentsIn(outcome.answer) : [];
}

function isNothing(outcome: Searched): boolean {
  if (outcome.kind === 'failed') return outcome.reason === NOT_FOUND;
  return outcome.kind === 'success' && appointmentsIn(outcome.answer).length === 0;
}

/** The title has neither the search nor a name: the browser keeps titles in its history. */
export function head(props: DayProps): Head {
  const outcome = searchedIn(props);
  const tone = toneOf(changeIn(props));
  const isError =
    tone === 'failure' || outcome.kind === 'refused' || (outcome.kind === 'failed' && !isNothing(outcome));
  const prefix = isError ? 'Error: ' : tone === 'success' ? 'Saved: ' : isNothing(outcome) ? 'Nothing found: ' : '';
  return {
    title: `${prefix}Find an appointment`,
    description: 'Search for an appointment, for staff.',
    canonicalPath: FIND_PATH,
    robots: 'noindex',
    referrer: 'same-origin',
  };
}
