// @vitest-environment happy-dom
import axe from 'axe-core';
import { cleanup, render, screen } from '@testing-library/react';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DeskEntry, DocumentInput, PageProps, StaffMember } from '@hospital/page';
import renderDocument from '../src/document.tsx';
import ErrorPage from '../src/error.tsx';
import Forbidden, { status } from '../src/forbidden.tsx';
import NotFound from '../src/not-found.tsx';
import Start from '../src/start.tsx';
import { SITE } from './site-example.ts';

const PAGES: DeskEntry[] = [
  { path: '/staff', label: 'Start', team: 'shell' },
  { path: '/staff/today', label: 'Today', team: 'booking' },
  { path: '/staff/content', label: 'Pages & posts', team: 'content' },
  { path: '/staff/content/changes', label: 'Changes', team: 'content' },
];

function open(path: string, more: Partial<DocumentInput> = {}) {
  const parts = renderDocument({
    path,
    site: { ok: true, status: 200, body: SITE },
    head: { title: 'Today', description: 'D', canonicalPath: path, robots: 'index, follow' },
    now: '2026-11-26T09:30:00Z',
    bare: false,
    staff: { name: 'Asha <Rao>', pages: PAGES },
    ...more,
  });
  document.documentElement.setAttribute('lang', 'en-IN');
  document.head.innerHTML = parts.head;
  document.body.innerHTML = `${parts.before}<main id="main" tabindex="-1"><h1>Page</h1></main>${parts.after}`;
  return parts;
}

const rules = { 'color-contrast': { enabled: false } };
const violations = async () => (await axe.run(document.body, { rules })).violations.map(({ id }) => id);

beforeEach(() => {
  document.head.innerHTML = '';
  document.body.innerHTML = '';
});
afterEach(cleanup);

describe('the frame of the staff area', () => {
  it('names the person, signs out by a form, and has no patient footer and no script', async () => {
    const parts = open('/staff/today');
    expect(JSON.stringify(parts)).not.toMatch(/<script|<footer|ld\+json|newsletter/);
    expect(document.body.firstElementChild?.getAttribute('href')).toBe('#main');
    expect(document.querySelector('header form span')?.textContent).toBe('Asha <Rao>');
    const form = document.querySelector('header form') as HTMLFormElement;
    expect([form.method, form.getAttribute('action')]).toEqual(['post', '/staff/sign-out']);
    expect(form.querySelector('button')?.textContent).toBe('Sign out');
    expect(document.querySelector('a[href="tel:+918000000108"]')?.textContent).toBe('+91 80 0000 0108');
    expect(await violations()).toEqual([]);
  });

  it('lists the pages and marks the current one, also for pages below it', () => {
    const marked = (path: string) => {
      open(path);
      const links = [...document.querySelectorAll('body > nav a')];
      expect(links.map((link) => link.textContent)).toEqual(['Start', 'Today', 'Pages & posts', 'Changes']);
      return links.map((link) => link.getAttribute('aria-current'));
    };
    expect(marked('/staff')).toEqual(['page', null, null, null]);
    expect(marked('/staff/today')).toEqual([null, 'page', null, null]);
    expect(marked('/staff/content/doctor/asha-rao')).toEqual([null, null, 'true', null]);
    expect(marked('/staff/content/changes')).toEqual([null, null, null, 'page']);
    expect(marked('/staff/today2')).toEqual([null, null, null, null]);
    // The same links in the menu of phones.
    expect(document.querySelectorAll('header details nav a')).toHaveLength(4);
  });

  it('has no navigation without pages, and the built-in facts without data', async () => {
    open('/staff', { staff: { name: 'Asha', pages: [] }, site: { ok: false, status: 503, body: null } });
    expect(document.querySelector('nav')).toBeNull();
    expect(document.querySelector('header a[href="/staff"]')?.textContent).toContain('Sampige Hospital');
    expect(await violations()).toEqual([]);
  });

  it('is not for search engines, whatever the page declares', () => {
    const { head } = open('/staff/today');
    expect(document.title).toBe('Today | Sampige Hospital staff');
    expect(document.querySelector('meta[name=robots]')?.getAttribute('content')).toBe('noindex, nofollow');
    expect(document.querySelector('meta[name=referrer]')?.getAttribute('content')).toBe('same-origin');
    expect(head).not.toMatch(/canonical|og:|twitter:/);
  });

  it('leaves the frame of visitors unchanged', () => {
    const { before, after } = open('/doctors', { staff: undefined });
    expect(before + after).not.toContain('/staff');
    expect(after).toContain('<footer');
  });

  it('uses no class: those of a module would be in every visitor\u2019s styles', () => {
    expect(open('/staff').before).not.toContain('class=');
    const css = readFileSync(join(import.meta.dirname, '../src/style/desk.css'), 'utf8');
    expect(css).not.toMatch(/^\s*\./m);
    expect(css).toContain('@media print');
  });
});

const ASHA: StaffMember = { name: 'Asha Rao', scopes: [] };
const props = <Data extends object>(data: PageProps<Data>['data'], more: Partial<PageProps<Data>> = {}) => ({
  params: {},
  query: {},
  data,
  part: 'shell:/staff',
  action: null,
  now: '2026-11-26T09:30:00Z',
  path: '/staff',
  staff: ASHA,
  ...more,
});
const hrefs = () => screen.getAllByRole('link').map((link) => link.getAttribute('href'));

describe('the start page', () => {
  const listing = (pages: DeskEntry[]) => ({ pages: { ok: true as const, status: 200, body: { pages } } });

  it('greets the person and lists the pages by team', async () => {
    const extra = { path: '/staff/rota', label: 'Rota', team: 'catering' };
    render(<Start {...props(listing([...PAGES, extra]))} />);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Hello, Asha Rao');
    expect(screen.getByText('Thursday 26 November 2026')).toBeDefined();
    const headings = screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent);
    expect(headings).toEqual(['Appointments', 'Website', 'Catering']);
    expect(hrefs()).toEqual(['/staff/today', '/staff/content', '/staff/content/changes', '/staff/rota']);
    expect((await axe.run(document.body, { rules: { ...rules, region: { enabled: false } } })).violations).toEqual([]);
  });

  it('explains what to do without any page', () => {
    render(<Start {...props(listing(PAGES.slice(0, 1)))} />);
    expect(screen.getByText(/Ask the person who manages staff accounts/)).toBeDefined();
    expect(screen.queryByRole('link')).toBeNull();
  });
});

describe('errors of the staff area', () => {
  it('403 names the page and whom to ask', async () => {
    render(<Forbidden {...props({}, { params: { status: '403', label: 'Today' } })} />);
    expect(status()).toBe(403);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('You don’t have access to “Today”');
    expect(screen.getByText(/ask the person who manages staff accounts/)).toBeDefined();
    expect(hrefs()).toEqual(['/staff']);
    expect((await axe.run(document.body, { rules: { ...rules, region: { enabled: false } } })).violations).toEqual([]);
  });

  it('lead back to the start page of staff', () => {
    render(<NotFound {...props({}, { path: '/404' })} />);
    expect(hrefs()).toEqual(['/staff', '/staff']);
    cleanup();
    render(<ErrorPage {...props({}, { path: '/staff/today', params: { status: '503' } })} />);
    expect(hrefs()).toEqual(['/staff/today', '/staff']);
  });
});
