/** `/search`: search over everything that has a page. A plain form without script. */
import type { Directory, Head, PageProps } from '@hospital/page';
import { LinkButton } from '@hospital/ui/button';
import { Notice } from '@hospital/ui/notice';
import type { SearchResponse, SearchResult, Site } from '@hospital/api/types';
import { titled } from '@hospital/ui/head';
import layout from '@hospital/ui/layout.module.css';
import { PageHero } from '@hospital/ui/page-hero';
import { statusOf } from '@hospital/ui/read';
import { SearchBox } from '@hospital/ui/search-box';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { siteOf } from '@hospital/ui/site';
import { address } from '@hospital/ui/address';
import { Pager } from '@hospital/ui/pager';
import list from '../parts/list.module.css';
import { BestAnswer, NothingFound } from './answers.tsx';
import { type PageFound, pagesFor } from './directory.ts';
import styles from './search.module.css';
import { Filled, Text } from '@hospital/page/text';
import { plural, t, template } from '../messages.ts';

/** `found`: results of the content search; `pages`: directory of the site's pages. */
type SearchProps = PageProps<{ found: SearchResponse; pages: Directory; site: Site }>;

const KINDS = {
  first_aid: 'First aid',
  task: 'Do it here',
  doctor: 'Doctors',
  specialty: 'Specialties',
  surgery: 'Surgeries',
  service: 'Services',
  blog: 'Blog posts',
  news: 'News',
  event: 'Events',
  page: 'Pages',
} as const;
/** Kinds that a patient can act on. */
const ANSWERS = new Set(['first_aid', 'task', 'doctor', 'specialty', 'surgery', 'service']);
const ELSEWHERE = 'Other pages';
type Kind = (typeof KINDS)[keyof typeof KINDS] | typeof ELSEWHERE;
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
        title={q ? t('Search results for “{words}”', { words: q }) : t('Search')}
        lead={t('Search for doctors, illnesses, operations, services, events and articles.')}
      >
        <div className={styles.form}>
          <SearchBox
            id="q"
            label={t('What are you looking for?')}
            landmark={t('Whole site')}
            action="/search"
            defaultValue={q}
          />
        </div>
      </PageHero>
      <div className={layout.page}>{q ? <Results {...props} /> : <StartingPoints title={t('Or start here')} />}</div>
    </>
  );
}

function Results(props: SearchProps) {
  const { query } = props;
  const { found } = props.data;
  const q = wanted(props);
  const pages = pagesOf(props);
  const results = resultsOf(props, pages);
  const best = query.page ? undefined : bestOf(props, results);
  const others = best ? results.slice(1) : results;
  if (!found.ok && found.status === 400 && pages.length === 0) {
    return <NothingYet>{t('We can’t search for this. Try fewer or simpler words.')}</NothingYet>;
  }
  if (found.ok && results.length === 0) {
    return (
      <>
        <NothingFound q={q} site={siteOf(props.data.site)} />
        <StartingPoints title={t('Or start here')} />
      </>
    );
  }
  return (
    <div className={list.list}>
      {found.ok && found.body.corrected && (
        <Corrected q={q} corrected={found.body.corrected} beside={pages.length > 0} />
      )}
      {best && <BestAnswer result={best} site={siteOf(props.data.site)} />}
      {found.ok && !query.page && (
        <p className={styles.count}>
          {found.body.nextPageToken
            ? plural('{count} or more result|{count} or more results', results.length)
            : plural('{count} result|{count} results', results.length)}
        </p>
      )}
      {grouped(others).map(([kind, entries]) => (
        <Group key={kind} kind={kind} entries={entries} />
      ))}
      {found.ok ? (
        <Pager
          what="results"
          path="/search"
          query={{ q }}
          later={Boolean(query.page)}
          next={found.body.nextPageToken}
          words={{
            label: t('More results'),
            first: t('First results'),
            next: t('More results'),
            end: t('There are no more results.'),
          }}
        />
      ) : (
        found.status !== 400 && <Silent q={q} />
      )}
    </div>
  );
}

/** Returns the matching site pages, only for the first page of the results. */
function pagesOf(props: SearchProps): PageFound[] {
  const { pages } = props.data;
  return pages.ok && !props.query.page ? pagesFor(wanted(props), pages.body.pages) : [];
}

/**
 * Orders results: leading first aid and tasks, site pages by title, the best other content, site pages by other words,
 * then the rest. Each path occurs once.
 */
function resultsOf({ data: { found } }: SearchProps, pages: PageFound[]): SearchResult[] {
  const all = found.ok ? found.body.results : [];
  const start = all.findIndex(({ kind }) => kind !== 'first_aid' && kind !== 'task');
  const leading = start < 0 ? all : all.slice(0, start);
  const taken = new Set(leading.map(({ path }) => path));
  const further = pages.filter(({ path }) => !taken.has(path));
  const ofSite = (inTitle: boolean) =>
    further
      .filter((page) => page.inTitle === inTitle)
      .map(({ path, title, summary }) => ({ kind: 'page', path, title, summary }));
  for (const { path } of further) taken.add(path);
  const [second, ...rest] = all.filter(({ path }) => !taken.has(path));
  return [...leading, ...ofSite(true), ...(second ? [second] : []), ...ofSite(false), ...rest];
}

/** Returns the first result if it is the content search's best and of a kind that answers a question. */
function bestOf({ data: { found } }: SearchProps, [first]: SearchResult[]): SearchResult | undefined {
  const isBest = found.ok && first && first.path === found.body.results[0]?.path && ANSWERS.has(first.kind);
  return isBest ? first : undefined;
}

/** `beside`: whether site pages matched the original words. */
function Corrected({ q, corrected, beside }: { q: string; corrected: string; beside: boolean }) {
  return (
    <Notice role="status">
      <p>
        <Filled
          text={template(
            beside
              ? 'As well as pages of the site, these are the results for {corrected}.'
              : 'We found nothing for “{words}” as you wrote it. These are the results for {corrected}.',
          )}
          with={{ words: q, corrected: <strong>“{corrected}”</strong> }}
        />
      </p>
    </Notice>
  );
}

function Silent({ q }: { q: string }) {
  return (
    <Notice tone="failure" title={t('Search isn’t working right now')}>
      <p>{t('Please try again in a minute, or start from one of these pages.')}</p>
      <LinkButton tone="secondary" href={address('/search', { q })}>
        {t('Try again')}
      </LinkButton>
    </Notice>
  );
}

/** Groups results by kind, in the order of each kind's best result. */
function grouped(results: SearchResult[]): [kind: Kind, entries: SearchResult[]][] {
  const groups = new Map<Kind, SearchResult[]>();
  for (const result of results) {
    const kind = Object.hasOwn(KINDS, result.kind) ? KINDS[result.kind as keyof typeof KINDS] : ELSEWHERE;
    groups.set(kind, [...(groups.get(kind) ?? []), result]);
  }
  return [...groups];
}

function Group({ kind, entries }: { kind: Kind; entries: SearchResult[] }) {
  const id = kind.toLowerCase().replace(' ', '-');
  return (
    <section aria-labelledby={id}>
      <h2 className={styles.kind} id={id}>
        {t(kind)}
      </h2>
      <ul className={styles.results}>
        {entries.map(({ path, title, summary }) => (
          <li className={styles.result} key={path}>
            <a className={styles.title} href={path}>
              <Text>{title}</Text>
            </a>
            {summary && (
              <p className={styles.summary}>
                <Text>{summary}</Text>
              </p>
            )}
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
              {t(label)}
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
    // The query is not repeated, because a crafted URL could put foreign words into the hospital's title.
    title: titled(t('Search'), props.data.site),
    description: t('Search the whole site: doctors, specialties, surgeries, services, blog posts, news and events.'),
    canonicalPath: '/search',
    ...(q && { robots: 'noindex, follow' }),
  };
}

/** An empty result is a success, and so is a refused query. */
export function status(props: SearchProps): number {
  const { found } = props.data;
  if (!wanted(props) || found.status === 400) return 200;
  return statusOf(found);
}
