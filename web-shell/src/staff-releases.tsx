/** `/staff/releases`: which versions of the teams' pages this gateway serves, and what it refuses. */
import type { Head, PageProps, ReleasedTeam, Releases } from '@hospital/page';
import { Absent, type AbsenceWords, absenceOf, statusOfAbsence } from '@hospital/ui/desk-absence';
import { Facts } from '@hospital/ui/desk-facts';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { Notice } from '@hospital/ui/notice';
import { momentText } from './desk/moment.ts';
import { teamName } from './desk/teams.ts';
import styles from '@hospital/ui/desk.module.css';
import own from './desk/operations.module.css';

type ReleasesProps = PageProps<{ releases: Releases }>;

const PATH = '/staff/releases';

const WORDS: AbsenceWords = {
  things: 'releases',
  whole: 'All releases',
  page: '',
  filter: '',
  down: 'The site itself isn’t affected. Try again in a few minutes.',
};

export function status({ data }: ReleasesProps): number {
  return data.releases?.ok ? 200 : statusOfAbsence(absenceIn(data));
}

function absenceIn({ releases }: ReleasesProps['data']) {
  return absenceOf(releases && !releases.ok ? releases : { ok: false, status: 503, body: null });
}

export default function StaffReleases({ data, now }: ReleasesProps) {
  const found = data.releases?.ok ? data.releases.body : null;
  return (
    <section className={styles.page}>
      <h1>Releases</h1>
      {!found && <Absent absence={absenceIn(data)} words={WORDS} again={PATH} whole={PATH} />}
      {found && (
        <p className={styles.asOf}>
          The versions of pages that the answering gateway serves. Other gateways follow within a minute.{' '}
          <a href={PATH}>Refresh</a>
        </p>
      )}
      {found?.problem && (
        <Notice tone="failure" role="alert" title="The list of wanted versions is refused">
          <p>{`${found.problem}. The versions below stay live.`}</p>
        </Notice>
      )}
      {found?.keys_problem && (
        <Notice tone="failure" role="alert" title="The changed keys are refused">
          <p>{`${found.keys_problem}. The earlier keys stay in use.`}</p>
        </Notice>
      )}
      {found && <Teams remotes={found.remotes} now={now} />}
    </section>
  );
}

function Teams({ remotes, now }: { remotes: Releases['remotes']; now: string }) {
  const teams = Object.entries(remotes);
  if (teams.length === 0) {
    return (
      <NothingYet>
        <p>This gateway serves no pages.</p>
      </NothingYet>
    );
  }
  return teams.map(([name, team]) => (
    <section key={name} className={own.card} aria-labelledby={`team-${name}`}>
      <h2 id={`team-${name}`}>
        {teamName(name)} <small>{name}</small>
      </h2>
      <Team team={team} now={now} />
    </section>
  ));
}

function Team({ team, now }: { team: ReleasedTeam; now: string }) {
  const { stable, since, canary, previous, wanted, refused } = team;
  const isBehind = wanted !== null && wanted !== stable;
  return (
    <>
      <Facts
        facts={[
          ['Live', stable ?? 'Nothing'],
          ['Live here since', stable && since ? momentText(new Date(since * 1000).toISOString(), now) : null],
          ['Wanted, not live', isBehind && wanted],
          ['Canary', canary && `${canary.version}, for ${canary.percent} % of pages`],
          ['Before that', previous ?? null],
        ]}
      />
      {refused.length > 0 && (
        <Notice tone="failure" title={refused.length === 1 ? 'Refused version' : 'Refused versions'}>
          <ul>
            {refused.map(({ version, reason, detail }) => (
              <li key={`${version} ${reason}`}>
                <b>{version || 'The entry of this team'}</b>
                {` (${reason}): ${detail}`}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}

export function head(props: ReleasesProps): Head {
  return {
    title: `${status(props) >= 400 ? 'Error: ' : ''}Releases`,
    description: 'Live versions of pages, for staff.',
    canonicalPath: PATH,
    robots: 'noindex',
    referrer: 'same-origin',
  };
}
