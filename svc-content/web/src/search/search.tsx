/** `/search`: everything that has a page. A plain form; no script. */
import type { Head, PageProps } from '@hospital/page';
import { Button, LinkButton } from '@hospital/ui/button';
import { Notice } from '@hospital/ui/notice';
import type { Site } from '@hospital/api/get-site';
import type { SearchResponse, SearchResult } from '@hospital/api/search';
import { titled } from '@hospital/ui/head';
import layout from '@hospital/ui/layout.module.css';
import { PageHero } from '@hospital/ui/page-hero';
import { statusOf } from '@hospital/ui/read';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { address } from '@hospital/ui/address';
import { Pager } from '@hospital/ui/pager';
import list from '../parts/list.module.css';
import styles from './search.module.css';

type SearchProps = PageProps<{ found: SearchResponse; site: Site }>;

/** The API's limit for a search. */
const SEARCH_CHARACTERS_MAX = 100;
const KINDS: Readonly<Record<string, string>> = {
  doctor: 'Doctors',
  specialty: 'Specialties',
  surgery: 'Surgeries',
  service: 'Services',
  blog: 'Blog posts',
  news: 'News',
  event: 'Events',
  page: 'Pages',
};
const ELSEWHERE = 'Other pages';
const STARTING_POINTS = [
  ['All doctors', '/doctors'],
  ['Specialties', '/specialties'],
  ['Surgeries', '/deluxe-surgeries'],
  ['Services', '/services'],
  ['Health blog', '/blogs'],
  ['In an emergency', '/emergency'],
] as const;

const wanted = ({ query }: SearchProps) => (query.q ?? '').trim();

export default function SearchPage(props: SearchProps) {
  const q = wanted(props);
  return (
    <>
      <PageHero
        title={q ? `Search results for “${q}”` : 'Search'}
        lead="Doctors, illnesses, operations, services, events and articles, by any word."
      >
        <form className={styles.form} role="search" method="get" action="/search" aria-label="Whole site">
          <label className={styles.label} htmlFor="q">
            What are you looking for?
          </label>
          <div className={styles.row}>
            <input
              className={styles.input}
              id="q"
              type="search"
              name="q"
              defaultValue={q}
              maxLength={SEARCH_CHARACTERS_MAX}
              enterKeyHint="search"
              autoComplete="off"
            />
            <Button type="submit">Search</Button>
          </div>
        </form>
      </PageHero>
      <div className={layout.page}>{q ? <Results {...props} /> : <StartingPoints title="Or start here" />}</div>
    </>
  );
}

function Results(props: SearchProps) {
  const {
    query,
    data: { found },
  } = props;
  const q = wanted(props);
  if (!found.ok && found.status === 400) {
    return <NothingYet>This cannot be searched for. Try fewer or simpler words.</NothingYet>;
  }
  if (!found.ok) {
    return (
      <Notice tone="failure" title="The search does not answer right now">
        <p>Please try again in a minute, or start from one of these pages.</p>
        <LinkButton tone="secondary" href={address('/search', { q })}>
          Try again
        </LinkButton>
      </Notice>
    );
  }
  const { results, corrected, nextPageToken } = found.body;
  if (results.length === 0) {
    return (
      <>
        <NothingYet>
          <strong>Nothing found for “{q}”.</strong>
          <br />
          Try another word, a shorter one, or the name of the part of the body.
        </NothingYet>
        <StartingPoints title="Or start here" />
      </>
    );
  }
  return (
    <div className={list.list}>
      {corrected && (
        <Notice role="status">
          <p>
            Nothing has the words “{q}” as they are written. These are the results for <strong>“{corrected}”</strong>.
          </p>
        </Notice>
      )}
      {grouped(results).map(([kind, entries]) => (
        <Group key={kind} kind={kind} entries={entries} />
      ))}
      <Pager
        what="results"
        path="/search"
        query={{ q }}
        later={Boolean(query.page)}
        next={nextPageToken}
        words={{ first: 'First results', next: 'More results', end: 'These are all results.' }}
      />
    </div>
  );
}

/** Kinds in the order of their best result. */
function grouped(results: SearchResult[]): [kind: string, entries: SearchResult[]][] {
  const groups = new Map<string, SearchResult[]>();
  for (const result of results) {
    const kind = Object.hasOwn(KINDS, result.kind) ? (KINDS[result.kind] as string) : ELSEWHERE;
    groups.set(kind, [...(groups.get(kind) ?? []), result]);
  }
  return [...groups];
}

function Group({ kind, entries }: { kind: string; entries: SearchResult[] }) {
  const id = kind.toLowerCase().replace(' ', '-');
  return (
    <section aria-labelledby={id}>
      <h2 className={styles.kind} id={id}>
        {kind}
      </h2>
      <ul className={styles.results}>
        {entries.map(({ path, title, summary }) => (
          <li className={styles.result} key={path}>
            <a className={styles.title} href={path}>
              {title}
            </a>
            {summary && <p className={styles.summary}>{summary}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function StartingPoints({ title }: { title: string }) {
  return (
    <nav aria-labelledby="start">
      <h2 className={styles.kind} id="start">
        {title}
      </h2>
      <ul className={styles.start}>
        {STARTING_POINTS.map(([label, path]) => (
          <li key={path}>
            <LinkButton tone="secondary" href={path}>
              {label}
            </LinkButton>
          </li>
        ))}
      </ul>
    </nav>
  );
}

export function head(props: SearchProps): Head {
  const q = wanted(props);
  return {
    // What somebody searched for is not repeated: a title is taken for the hospital's own words.
    title: titled('Search', props.data.site),
    description: 'Search the whole site: doctors, specialties, surgeries, services, blog posts, news and events.',
    canonicalPath: '/search',
    ...(q && { robots: 'noindex, follow' }),
  };
}

/** Nothing found is an answer; a refused search is one too. */
export function status(props: SearchProps): number {
  const { found } = props.data;
  if (!wanted(props) || found.status === 400) return 200;
  return statusOf(found);
}
