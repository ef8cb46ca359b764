/** `/staff/rosters/{resource}`: the sessions and the leave of one doctor or clinic. */
import type { Session } from '@hospital/api/types';
import type { FormFields, Head } from '@hospital/page';
import { formatTime } from '@hospital/page/format';
import { Absent, AbsenceNotice, statusOfAbsence } from '@hospital/ui/desk-absence';
import { LinkButton } from '@hospital/ui/button';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { actIn, failedStatus, rosterAction, titlePrefix } from './roster/edit.ts';
import { EditForm, LeaveFields, SessionFields, isRefused } from './roster/fields.tsx';
import { Result } from './roster/outcome.tsx';
import {
  ROSTERS_PATH,
  type RosterProps,
  WORDS,
  absenceIn,
  departmentsIn,
  doctorIn,
  isResource,
  leavesIn,
  mayChange,
  nameOf,
  namesOf,
  resourceAddress,
  resourceOf,
  sessionsIn,
} from './roster/roster.ts';
import { LeaveRow, RemoveForm, SessionRow } from './roster/rows.tsx';
import { NAME_CHARACTERS_MAX, type SessionValues, emptyValues, valuesOf } from './roster/session-form.ts';
import desk from '@hospital/ui/desk.module.css';
import styles from './roster/roster.module.css';

/** Maximum rows of each list: the gateway's engine has 50 ms. */
const ROWS_MAX = 25;

export const action = (posted: FormFields, now: string) => rosterAction(posted, now);

export function status(props: RosterProps): number {
  if (!isResource(resourceIn(props))) return 404;
  const failed = failedStatus(props);
  if (failed) return failed;
  const absence = absenceIn(props.data.sessions) ?? absenceIn(props.data.leaves);
  return absence ? statusOfAbsence(absence) : 200;
}

function resourceIn({ params }: Pick<RosterProps, 'params'>): string {
  return params.resource ?? '';
}

export default function StaffRoster(props: RosterProps) {
  const resource = resourceIn(props);
  if (!isResource(resource)) return <Unknown />;
  const whose = nameOf(resource, namesOf(props));
  const changed = changedIn(props);
  const here = resourceAddress(resource, { session: changed?.id });
  return (
    <section className={desk.page}>
      <h1>{whose}</h1>
      <p>
        <a className={styles.link} href={ROSTERS_PATH}>
          All rosters of this week
        </a>
      </p>
      <Result {...{ props, here }} />
      <p className={desk.asOf} data-live="as-of">
        {`As of ${formatTime(props.now)} IST. `}
        <a href={here}>Refresh</a>
      </p>
      {!mayChange(props) && <p>You can see sessions and leave but not change them.</p>}
      {mayChange(props) && <RemoveForm here={here} part={props.part} />}
      <Sessions {...{ props, whose, here, changed }} />
      <Leaves {...{ props, whose, here }} />
    </section>
  );
}

function Unknown() {
  return (
    <section className={desk.page}>
      <h1>Roster</h1>
      <AbsenceNotice
        title="There is no such doctor or clinic"
        next={<LinkButton href={ROSTERS_PATH}>All rosters</LinkButton>}
      >
        The address names neither a doctor nor a clinic. Choose one in the week.
      </AbsenceNotice>
    </section>
  );
}

function ownSessions(props: RosterProps): Session[] {
  return sessionsIn(props).filter((session) => resourceOf(session) === resourceIn(props));
}

/** Returns the session that the address opens for a change. A saved change closes it. */
function changedIn(props: RosterProps): Session | undefined {
  const isSaved = actIn(props.action?.form) === 'change' && !isRefused(props, 'change');
  return isSaved ? undefined : ownSessions(props).find(({ id }) => id === props.query.session);
}

interface PartProps {
  props: RosterProps;
  whose: string;
  here: string;
}

function Sessions({ props, whose, here, changed }: PartProps & { changed: Session | undefined }) {
  const { data } = props;
  const absence = absenceIn(data.sessions);
  const sessions = ownSessions(props);
  const departments = new Map(departmentsIn(props).map(({ id, name }) => [id, name]));
  const isCut = data.sessions?.ok && (data.sessions.body.nextPageToken || sessions.length > ROWS_MAX);
  const doctor = doctorIn(resourceIn(props));
  return (
    <section className={desk.group} aria-labelledby="sessions">
      <h2 id="sessions">Sessions</h2>
      {absence && <Absent absence={absence} words={WORDS} again={here} whole={here} />}
      <div className={desk.live} data-live={absence ? undefined : 'sessions'}>
        {!absence && sessions.length === 0 && (
          <NothingYet>
            <p>
              {doctor ? `${whose} has no sessions, so nobody can book.` : 'This clinic has no session: it was deleted.'}
            </p>
          </NothingYet>
        )}
        {sessions.length > 0 && (
          <ol className={desk.rows}>
            {sessions.slice(0, ROWS_MAX).map((session) => (
              <SessionRow
                key={session.id}
                {...{ session, whose }}
                department={departments.get(session.department) ?? session.department}
                canChange={mayChange(props)}
              />
            ))}
          </ol>
        )}
      </div>
      {isCut && <p>There are more sessions than this page can read, so some may be missing here.</p>}
      {changed && mayChange(props) && (
        <section id="change" aria-labelledby="change-title">
          <h3 id="change-title">Change a session</h3>
          <EditForm {...{ props, here }} act="change" label="Change a session" save="Save the session">
            <input type="hidden" name="session" value={changed.id} />
            <input type="hidden" name="etag" value={changed.etag} />
            <SessionFields props={props} act="change" fresh={valuesOf(changed)} />
          </EditForm>
          <p>
            <a className={styles.link} href={resourceAddress(resourceIn(props))}>
              Keep it as it is
            </a>
          </p>
        </section>
      )}
      {!changed && doctor && mayChange(props) && (
        <details className={styles.add} open={isRefused(props, 'session') || Boolean(props.query.name)}>
          <summary>{`Add a session of ${whose}…`}</summary>
          <EditForm {...{ props, here }} act="session" label="New session" save="Add the session">
            <SessionFields
              props={props}
              act="session"
              fresh={firstValues(props, doctor, sessions)}
              isNamed={sessions.length === 0}
            />
          </EditForm>
        </details>
      )}
    </section>
  );
}

/** Returns the values of a further session; of the first one, with what the address has from the doctor's profile. */
function firstValues({ query }: RosterProps, doctor: string, [session]: readonly Session[]): SessionValues {
  if (session) return emptyValues(doctor, session.department);
  const { name = '', department = '' } = query;
  return { ...emptyValues(doctor, department), name: name.slice(0, NAME_CHARACTERS_MAX) };
}

const LEAVE_WORDS = { ...WORDS, things: 'leave', down: 'No leave is lost. Try again in a few minutes.' };

function Leaves({ props, whose, here }: PartProps) {
  const { data } = props;
  const absence = absenceIn(data.leaves);
  const leaves = [...leavesIn(props)].sort((one, other) => (one.from < other.from ? -1 : 1));
  const isCut = data.leaves?.ok && (data.leaves.body.nextPageToken || leaves.length > ROWS_MAX);
  return (
    <section className={desk.group} aria-labelledby="leave">
      <h2 id="leave">Leave</h2>
      {absence && <Absent absence={absence} words={LEAVE_WORDS} again={here} whole={here} />}
      <div className={desk.live} data-live={absence ? undefined : 'leaves'}>
        {!absence && leaves.length === 0 && (
          <NothingYet>
            <p>{`${whose} has no leave: all sessions take place.`}</p>
          </NothingYet>
        )}
        {leaves.length > 0 && (
          <ol className={desk.rows}>
            {leaves.slice(0, ROWS_MAX).map((leave) => (
              <LeaveRow key={leave.id} {...{ leave, whose }} canChange={mayChange(props)} />
            ))}
          </ol>
        )}
      </div>
      {isCut && <p>There is more leave than this page can show, so some is missing here.</p>}
      {mayChange(props) && (
        <>
          <h3>Add leave</h3>
          <p>Booked appointments stay as they are. You then see which ones are uncovered.</p>
          <EditForm {...{ props, here }} act="leave" label="New leave" save="Add the leave">
            <LeaveFields props={props} resource={resourceIn(props)} />
          </EditForm>
        </>
      )}
    </section>
  );
}

export function head(props: RosterProps): Head {
  const resource = resourceIn(props);
  const name = isResource(resource) ? nameOf(resource, namesOf(props)) : 'Roster';
  return {
    title: `${titlePrefix(props, status(props) >= 400)}${name}, sessions and leave`,
    description: 'Sessions and leave of a doctor or a clinic, for staff.',
    canonicalPath: ROSTERS_PATH,
    robots: 'noindex',
    referrer: 'same-origin',
  };
}
