import type { DeskEntry, DeskListing, Head, PageProps } from '@hospital/page';
import { formatDate } from '@hospital/page/format';
import { teamName } from './desk/teams.ts';
import { START } from './desk.tsx';
import styles from './start.module.css';

export function head({ path }: PageProps): Head {
  return { title: 'Start', description: 'Start page of staff.', canonicalPath: path, robots: 'noindex' };
}

/** Renders the start page of the staff area: the person's pages by team, or what to do without any. */
export default function Start({ staff, data, now }: PageProps<{ pages: DeskListing }>) {
  const listed = data.pages?.ok ? data.pages.body.pages : [];
  const teams = byTeam(listed.filter(({ path }) => path !== START));
  return (
    <section className={styles.start}>
      <h1>{staff ? `Hello, ${staff.name}` : 'Hello'}</h1>
      <p>{formatDate(now)}</p>
      {teams.length === 0 ? (
        <p>
          There are no pages for your account yet. Ask the person who manages staff accounts at the hospital to give you
          a role. Then sign out and sign in again.
        </p>
      ) : (
        teams.map(([team, pages]) => (
          <section key={team} aria-labelledby={`team-${team}`}>
            <h2 id={`team-${team}`}>{teamName(team)}</h2>
            <ul className={styles.pages}>
              {pages.map((page) => (
                <li key={page.path}>
                  <a href={page.path}>{page.label}</a>
                </li>
              ))}
            </ul>
          </section>
        ))
      )}
    </section>
  );
}

/** Groups pages by team, in their order. */
function byTeam(pages: readonly DeskEntry[]): [string, DeskEntry[]][] {
  const teams = new Map<string, DeskEntry[]>();
  for (const page of pages) teams.set(page.team, [...(teams.get(page.team) ?? []), page]);
  return [...teams];
}
