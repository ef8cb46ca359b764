/** `/staff/consultations`: the requested video consultations by state, for the front desk. */
import type { Consultation } from '@hospital/api/types';
import type { Head } from '@hospital/page';
import { formatDate, formatTime, istDay } from '@hospital/page/format';
import { classNames } from '@hospital/ui/class-names';
import { Absent, statusOfAbsence } from '@hospital/ui/desk-absence';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { callTo } from './desk/appointment.ts';
import { StateMark } from './desk/consultation-state.tsx';
import {
  CONSULTATIONS_PATH,
  type ConsultationProps,
  LABELS,
  STATES,
  type State,
  WORDS,
  absenceIn,
  consultationAddress,
  grouped,
  listAddress,
  nameOf,
  stateIn,
  stateOf,
} from './desk/consultations.ts';
import { deskDepartments } from './desk/day.ts';
import { languageText } from './desk/language.ts';
import rows from '@hospital/ui/desk-row.module.css';
import styles from '@hospital/ui/desk.module.css';
import row from './desk/row.module.css';

export function status(props: ConsultationProps): number {
  const absence = absenceIn(props);
  return absence ? statusOfAbsence(absence) : 200;
}

/** Element id of the text before the list. */
const LIST = 'list';

export default function StaffConsultations(props: ConsultationProps) {
  const { data, now, query } = props;
  const { status: wanted = '', pageToken = '' } = query;
  const absence = absenceIn(props);
  const listed = data.list?.ok ? data.list.body.consultations : [];
  const next = data.list?.ok ? data.list.body.nextPageToken : '';
  const isComplete = !next && !pageToken;
  const here = listAddress(wanted, pageToken);
  const departments = deskDepartments({ data: { departments: data.departments } });
  const names = new Map(departments.map(({ id, name }) => [id, name]));
  return (
    <section className={styles.page}>
      {!absence && (
        <a className={styles.skip} href={`#${LIST}`}>
          Skip to the list
        </a>
      )}
      <h1>{TITLE}</h1>
      <Counts listed={absence ? null : listed} state={stateIn(wanted)} isPart={!isComplete} />
      {absence && <Absent absence={absence} words={WORDS} again={here} whole={CONSULTATIONS_PATH} />}
      {!absence && (
        <>
          <p className={styles.asOf} id={LIST} tabIndex={-1} data-live="as-of">
            {`As of ${formatTime(now)} IST, ${isComplete ? 'newest request first' : 'in the order of days'}.`}{' '}
            <a href={here}>Refresh</a>
          </p>
          <div className={styles.live} data-live="rows">
            {listed.length === 0 && (
              <NothingYet>
                <p>{EMPTY[stateIn(wanted) ?? 'all']}</p>
              </NothingYet>
            )}
            {grouped(listed, isComplete, now).map(({ label, consultations }) => (
              <div key={label} className={styles.group} data-key={label}>
                <h2>{label}</h2>
                <ol className={styles.rows}>
                  {consultations.map((one) => (
                    <Row
                      key={one.id}
                      consultation={one}
                      time={isComplete ? formatTime(one.createTime) : one.time}
                      department={names.get(one.department) ?? one.department}
                      today={istDay(now)}
                    />
                  ))}
                </ol>
              </div>
            ))}
          </div>
          {!isComplete && (
            <nav className={styles.pages} aria-label="More consultations">
              {pageToken && <a href={listAddress(wanted)}>First page</a>}
              {next && <a href={listAddress(wanted, next)}>Later days</a>}
              {!next && <p>This is the end of the list.</p>}
            </nav>
          )}
        </>
      )}
    </section>
  );
}

const TITLE = 'Video consultations';

/** What an empty list means, by the filter. */
const EMPTY: Readonly<Record<'all' | State, string>> = {
  all: 'There are no consultations. New requests from the page “Virtual consultation” appear here.',
  requested: 'No request waits for a time.',
  scheduled: 'No consultation is scheduled.',
  completed: 'No consultation is completed yet, or its time of keeping has ended.',
  no_show: 'No patient has missed a consultation, or its time of keeping has ended.',
  cancelled: 'No consultation was cancelled, or its time of keeping has ended.',
};

interface CountsProps {
  /** Null: nothing can be counted. */
  listed: readonly Consultation[] | null;
  state: State | null;
  /** The list is one page of several, so the counts are those of this page. */
  isPart: boolean;
}

/** Renders the counts by state, each with the link to its consultations. */
function Counts({ listed, state, isPart }: CountsProps) {
  return (
    <nav className={styles.counts} data-live="counts" aria-label={isPart ? 'By status, on this page' : 'By status'}>
      <a href={listAddress()} aria-current={state ? undefined : 'true'}>
        All {listed && !state && <b>{listed.length}</b>}
      </a>
      {STATES.map((one) => (
        <a key={one} href={listAddress(one)} aria-current={state === one ? 'true' : undefined}>
          {LABELS[one]}{' '}
          {listed && (!state || state === one) && <b>{listed.filter((found) => stateOf(found) === one).length}</b>}
        </a>
      ))}
    </nav>
  );
}

interface RowProps {
  consultation: Consultation;
  /** Time of the request, or of the consultation: that by which the list is ordered. */
  time: string;
  department: string;
  today: string;
}

function Row({ consultation, time, department, today }: RowProps) {
  const { id, date, phone, reference, language } = consultation;
  const when = `For ${formatDate(date)}${consultation.time && `, ${consultation.time} IST`}`;
  const place = [when, consultation.doctorName, department].filter(Boolean).join(', ');
  return (
    <li className={classNames(rows.row, row.row)} tabIndex={-1} data-row="" data-key={id}>
      <span className={row.time}>{time}</span>
      <h3 className={rows.name}>
        <a href={consultationAddress(id)}>{nameOf(consultation)}</a>
      </h3>
      {phone && (
        <a className={row.phone} href={callTo(phone)}>
          {phone}
        </a>
      )}
      <p className={row.place}>{[place, languageText(language)].filter(Boolean).join('. ')}</p>
      <p className={row.reference}>{reference}</p>
      <StateMark consultation={consultation} />
      {stateOf(consultation) === 'requested' && date <= today && (
        <p className={row.uncovered}>
          {date === today ? 'The wanted day is today.' : 'The wanted day has passed without a time.'}
        </p>
      )}
    </li>
  );
}

export function head(props: ConsultationProps): Head {
  return {
    title: `${absenceIn(props) ? 'Error: ' : ''}${TITLE}`,
    description: 'Requests for video consultations, for staff.',
    canonicalPath: CONSULTATIONS_PATH,
    robots: 'noindex',
    referrer: 'same-origin',
  };
}
