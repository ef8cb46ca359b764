// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { brokenRules } from '@hospital/ui/accessibility';
import type { SearchResult } from '@hospital/api/types';
import SearchPage, { head, status } from './search.tsx';
import { DOWN, failed, NOW, ok, SITE, words } from '../../test/answers.ts';

type Props = Parameters<typeof SearchPage>[0];

const DIRECTORY = {
  pages: [
    {
      path: '/appointment',
      team: 'booking',
      siteMap: true,
      search: { title: 'Book an appointment', summary: 'Choose a free time.', words: 'visit' },
    },
  ],
};

function props(q: string, answer: Props['data']['found'], query: Record<string, string> = {}): Props {
  return {
    params: {},
    query: { q, ...query },
    part: 'content:page',
    action: null,
    now: NOW,
    path: '/search',
    data: { found: answer, pages: ok(DIRECTORY), site: ok(SITE) },
  };
}
const page = (given: Props) =>
  render(
    <main>
      <SearchPage {...given} />
    </main>,
  ).container;
const results = (list: SearchResult[], corrected = '', nextPageToken = '') =>
  ok({ results: list, corrected, nextPageToken });
const result = (kind: string, title: string): SearchResult => ({
  kind,
  title,
  summary: `About ${title}`,
  path: `/${kind}/${title}`,
});

afterEach(cleanup);

describe('the search', () => {
  it('is a native form, with starting points', async () => {
    const given = props('', failed(400));
    const container = page(given);
    const form = screen.getByRole('search') as HTMLFormElement;
    expect([form.getAttribute('method'), form.getAttribute('action')]).toEqual(['get', '/search']);
    expect(screen.getByLabelText('What are you looking for?').getAttribute('name')).toBe('q');
    expect(screen.getByRole('link', { name: 'All doctors' }).getAttribute('href')).toBe('/doctors');
    expect([status(given), head(given).robots]).toEqual([200, undefined]);
    expect(await brokenRules(container)).toEqual([]);
  });

  it('shows the best answer as a card, and groups the others by kind', async () => {
    const list = [
      result('specialty', 'cardiology'),
      result('doctor', 'iyengar'),
      result('specialty', 'heart'),
      result('other', 'x'),
    ];
    const container = page(props('heart', results(list)));
    expect([...container.querySelectorAll('section')].map(words)).toEqual([
      'cardiologyAbout cardiology', 'DoctorsiyengarAbout iyengar', 'SpecialtiesheartAbout heart', 'Other pagesxAbout x',
    ]); // prettier-ignore
    expect(words(container)).toContain('4 results');
    expect(screen.getByRole('link', { name: 'iyengar' }).getAttribute('href')).toBe('/doctor/iyengar');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Search results for “heart”');
    expect((screen.getByLabelText('What are you looking for?') as HTMLInputElement).value).toBe('heart');
    expect(await brokenRules(container)).toEqual([]);
  });

  it('offers to book with a doctor who is the best answer', () => {
    page(props('iyengar', results([result('doctor', 'iyengar')])));
    expect(screen.getByRole('link', { name: 'Book with iyengar' }).getAttribute('href')).toBe(
      '/appointment?doctor=iyengar',
    );
  });

  it('U3: puts leading first aid with the number first, then pages by title', () => {
    const aid = { ...result('first_aid', 'Fever in a child: what to do'), path: '/emergency#child-fever' };
    const pages: Props['data']['pages'] = ok({
      pages: [{ path: '/emergency', search: { title: 'Child fever', summary: '', words: '' } }],
    } as never);
    const first = (list: SearchResult[]) => {
      const given = props('child fever', results(list));
      const container = page({ ...given, data: { ...given.data, pages } });
      const titles = [...container.querySelectorAll('section h2')].map(words);
      const call = container.querySelector('section')?.querySelector('a[href^="tel:"]');
      cleanup();
      return [...titles, Boolean(call)];
    };
    expect(first([aid, result('doctor', 'shalini')])).toEqual([
      'Fever in a child: what to do',
      'Pages',
      'Doctors',
      true,
    ]);
    expect(first([result('doctor', 'shalini'), aid])).toEqual(['Pages', 'Doctors', 'First aid', false]);
  });

  it('puts a task above the page that it leads to, and pages that match by other words below the best result', () => {
    const task = { ...result('task', 'Book now'), path: '/appointment' };
    const links = (list: SearchResult[]) => {
      const container = page(props('visit', results(list)));
      const found = [...container.querySelectorAll('section a')].map((link) => link.getAttribute('href'));
      cleanup();
      return found;
    };
    expect(links([task, result('blog', 'a')])).toEqual(['/appointment', '/blog/a']);
    expect(links([result('specialty', 'a'), result('blog', 'b')])).toEqual(['/specialty/a', '/appointment', '/blog/b']);
  });

  it('names the corrected query', () => {
    page(props('cardeology', results([result('specialty', 'cardiology')], 'cardiology')));
    expect(screen.getByRole('status').textContent).toBe(
      'We found nothing for “cardeology” as you wrote it. These are the results for “cardiology”.',
    );
  });

  it('shows that nothing was found', async () => {
    const given = props('<zzz>', results([]));
    const container = page(given);
    expect(words(container)).toContain('Nothing found for “<zzz>”.');
    expect(words(container)).toContain('Or ask reception');
    expect(screen.getByRole('link', { name: 'In an emergency' })).toBeTruthy();
    expect([status(given), head(given).robots, head(given).title]).toEqual([
      200,
      'noindex, follow',
      'Search | Sampige Hospital',
    ]);
    expect(await brokenRules(container)).toEqual([]);
  });

  it('shows that it is unavailable, and that it refuses', async () => {
    const container = page(props('heart & lung', DOWN));
    expect(words(container)).toContain('Search isn’t working right now');
    expect(screen.getByRole('link', { name: 'Try again' }).getAttribute('href')).toBe('/search?q=heart%20%26%20lung');
    expect(status(props('heart', DOWN))).toBe(503);
    expect(await brokenRules(container)).toEqual([]);
    cleanup();
    expect(words(page(props('.', failed(400))))).toContain('We can’t search for this.');
    expect(status(props('.', failed(400)))).toBe(200);
  });

  it('links to more results', () => {
    page(props('heart', results([result('blog', 'a')], '', 'next')));
    expect(screen.getByRole('link', { name: 'More results' }).getAttribute('href')).toBe('/search?q=heart&page=next');
    cleanup();
    page(props('heart', results([result('blog', 'a')]), { page: 'next' }));
    expect(screen.getByRole('link', { name: 'First results' }).getAttribute('href')).toBe('/search?q=heart');
  });

  describe('with pages of the site', () => {
    const titles = (container: Element) => [...container.querySelectorAll('h2')].map(words);
    const links = (container: Element) =>
      [...container.querySelectorAll('section a')].map((link) => link.getAttribute('href'));

    it('shows them first, each once', async () => {
      const same = { ...result('page', 'Book an appointment'), path: '/appointment' };
      const container = page(props('apointment', results([result('blog', 'Waiting'), same])));
      expect(titles(container)).toEqual(['Pages', 'Blog posts']);
      expect(links(container)).toEqual(['/appointment', '/blog/Waiting']);
      expect(words(container)).toContain('Choose a free time.');
      expect(await brokenRules(container)).toEqual([]);
    });

    it('shows them on the first page of the results only', () => {
      expect(links(page(props('visit', results([result('blog', 'Waiting')]), { page: 'x' })))).toEqual([
        '/blog/Waiting',
      ]);
    });

    it('shows them while the content search is unavailable, with an error status', async () => {
      const given = props('visit', DOWN);
      const container = page(given);
      expect(links(container)).toEqual(['/appointment']);
      expect(words(container)).toContain('Search isn’t working right now');
      expect(status(given)).toBe(503);
      expect(await brokenRules(container)).toEqual([]);
    });

    it('does not attribute them to the corrected query', () => {
      const shown = words(page(props('visti', results([result('blog', 'Waiting')], 'visit'))));
      expect(shown).toContain('As well as pages of the site, these are the results for “visit”.');
      expect(shown).not.toContain('We found nothing');
    });

    it('works without the directory of pages', () => {
      const given = props('visit', results([result('blog', 'Waiting')]));
      expect(links(page({ ...given, data: { ...given.data, pages: DOWN } }))).toEqual(['/blog/Waiting']);
    });
  });
});
