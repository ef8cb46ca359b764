/** `/staff/content/checklist`: what live records lack, and doctors who have only a profile or only a roster. */
import type { Department, Doctor } from '@hospital/api/types';
import type { Head, PageData, PageProps } from '@hospital/page';
import { formatTime } from '@hospital/page/format';
import { languageName } from '@hospital/page/language-names';
import { address } from '@hospital/ui/address';
import { classNames } from '@hospital/ui/class-names';
import { type Absence, Absent, type AbsenceWords, absenceOf, statusOfAbsence } from '@hospital/ui/desk-absence';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { Notice } from '@hospital/ui/notice';
import { type GapGroup, type RecordGap, gapAddress, gapGroups, gapText } from './desk/gaps.ts';
import { kindOf } from './desk/kinds.ts';
import { CHECKLIST_PATH, CONTENT_PATH, type ContentRecord, WORDS, recordAddress } from './desk/records.ts';
import { WHO, maySetRosters, oneSided, rosterAddress } from './desk/rosters.tsx';
import rows from '@hospital/ui/desk-row.module.css';
import styles from '@hospital/ui/desk.module.css';
import own from './desk/content.module.css';

interface Bodies {
  gaps: { gaps: readonly RecordGap[]; nextPageToken: string };
  /** Live records of doctors, in lists or not. */
  records: { records: readonly ContentRecord[]; nextPageToken: string };
  doctors: { doctors: readonly Doctor[]; nextPageToken: string };
  departments: { departments: readonly Department[] };
}

type ChecklistProps = Omit<PageProps, 'data'> & { data: Partial<PageData<Bodies>> };

const WORDS_OF_GAPS: AbsenceWords = {
  ...WORDS,
  things: 'checklist',
  whole: 'Whole checklist',
  page: 'The list has changed. Begin at its first page.',
};

function absenceIn({ data: { gaps } }: ChecklistProps): Absence | null {
  if (!gaps) return 'down';
  return gaps.ok ? null : absenceOf(gaps);
}

export function status(props: ChecklistProps): number {
  const absence = absenceIn(props);
  return absence ? statusOfAbsence(absence) : 200;
}

export default function StaffContentChecklist(props: ChecklistProps) {
  const { pageToken = '' } = props.query;
  const absence = absenceIn(props);
  const { gaps, nextPageToken } = props.data.gaps?.ok ? props.data.gaps.body : { gaps: [], nextPageToken: '' };
  const here = address(CHECKLIST_PATH, { pageToken });
  return (
    <section className={styles.page}>
      <p>
        <a href={CONTENT_PATH}>All content</a>
      </p>
      <h1>What is missing on the website</h1>
      {absence && <Absent absence={absence} words={WORDS_OF_GAPS} again={here} whole={CHECKLIST_PATH} />}
      {!absence && (
        <p className={styles.asOf}>
          {`As of ${formatTime(props.now)} IST, of what visitors read. Drafts don’t count. `}
          <a href={here}>Refresh</a>
        </p>
      )}
      {!pageToken && <Sides {...props} />}
      {!absence && gaps.length === 0 && (
        <NothingYet>
          <p>{pageToken ? 'Nothing more is missing.' : 'No record lacks anything that this list knows of.'}</p>
        </NothingYet>
      )}
      {gapGroups(gaps).map((group) => (
        <Group key={group.kind} group={group} />
      ))}
      {(nextPageToken || pageToken) && (
        <nav className={styles.pages} aria-label="More of the checklist">
          {pageToken && <a href={CHECKLIST_PATH}>First page</a>}
          {nextPageToken && <a href={address(CHECKLIST_PATH, { pageToken: nextPageToken })}>Next page</a>}
        </nav>
      )}
    </section>
  );
}

function Group({ group: { kind, alike, records } }: { group: GapGroup }) {
  return (
    <section className={styles.group} aria-labelledby={`of-${kind}`}>
      <h2 id={`of-${kind}`}>{kindOf(kind)?.title ?? kind}</h2>
      <ol className={styles.rows}>
        {records.map(({ id, title, gaps }) => (
          <li key={id} className={classNames(rows.row, own.gap)}>
            <h3 className={rows.name}>
              <a href={gapAddress(gaps[0] as RecordGap)}>{title || id}</a>
            </h3>
            {gaps.map((gap, index) => (
              <p key={index} className={own.about}>
                {gapText(gap)}
                {gap.language && (
                  <>
                    {' '}
                    <a href={gapAddress(gap)}>{`Translate into ${languageName(gap.language) || gap.language}`}</a>
                  </>
                )}
              </p>
            ))}
          </li>
        ))}
        {alike.map((equal) => (
          <li key={equal[0]?.id} className={classNames(rows.row, own.gap)}>
            <h3 className={rows.name}>{gapText(equal[0]?.gaps[0] as RecordGap)}</h3>
            <p className={classNames(own.about, own.steps)}>
              {equal.map(({ id, title, gaps }) => (
                <a key={id} href={gapAddress(gaps[0] as RecordGap)}>
                  {title || id}
                </a>
              ))}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Renders the doctors who are on one side only. Both sides are read apart: one may be down. */
function Sides(props: ChecklistProps) {
  const { records, doctors, departments } = props.data;
  if (!records?.ok || !doctors?.ok || !departments?.ok) {
    return (
      <Notice tone="warning" title="Profiles and rosters can’t be compared right now">
        <p>One of the two can’t be read. The rest of this list is complete. Try again in a few minutes.</p>
      </Notice>
    );
  }
  const { unrostered, unknown } = oneSided({
    records: records.body.records ?? [],
    profiles: doctors.body.doctors ?? [],
    departments: departments.body.departments ?? [],
  });
  const isCut = Boolean(records.body.nextPageToken || doctors.body.nextPageToken);
  if (unrostered.length + unknown.length === 0 && !isCut) return null;
  const mayAdd = maySetRosters(props);
  return (
    <section className={styles.group} aria-labelledby="rosters">
      <h2 id="rosters">Doctors and rosters</h2>
      {isCut && <p>There are more than 100 doctors: only the first 100 are compared.</p>}
      {unrostered.length > 0 && !mayAdd && <p>{WHO}</p>}
      <ol className={styles.rows}>
        {unrostered.slice(0, SIDES_MAX).map((doctor) => (
          <li key={doctor.id} className={classNames(rows.row, own.gap)}>
            <h3 className={rows.name}>
              <a href={recordAddress('doctor', doctor.id)}>{doctor.name}</a>
            </h3>
            <p className={own.about}>
              {'Has a profile, but no session in a roster: patients can’t book. '}
              {mayAdd && <a href={rosterAddress(doctor, departments)}>Add the doctor’s roster</a>}
            </p>
          </li>
        ))}
        {unknown.slice(0, SIDES_MAX).map(({ id, name }) => (
          <li key={id} className={classNames(rows.row, own.gap)}>
            <h3 className={rows.name}>{name}</h3>
            <p className={own.about}>
              {`Has a roster, but no live profile with the id ${id}. `}
              <a href={recordAddress('doctor', id)}>Look for its record</a>
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Rows of each side: a render has little time. */
const SIDES_MAX = 10;

export function head(props: ChecklistProps): Head {
  return {
    title: `${status(props) >= 400 ? 'Error: ' : ''}What is missing on the website`,
    description: 'What live records lack, for staff.',
    canonicalPath: CHECKLIST_PATH,
    robots: 'noindex',
    referrer: 'same-origin',
  };
}
