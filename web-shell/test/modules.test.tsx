// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import axe from 'axe-core';
import { afterEach, expect, it } from 'vitest';
import type { PageProps } from '@hospital/page';
import ErrorPage, { status as errorStatus } from '../src/error.tsx';
import FragmentFallback from '../src/fragment-fallback.tsx';
import HomeHero from '../src/home-hero.tsx';
import NotFound, { head, status } from '../src/not-found.tsx';
import { SITE } from './site-example.ts';

afterEach(cleanup);

const props = (path: string, params = {}): PageProps => ({
  params,
  query: {},
  data: {},
  part: 'shell:part',
  action: null,
  now: '2026-11-21T09:30:00Z',
  path,
});

async function violations(): Promise<string[]> {
  const rules = { 'color-contrast': { enabled: false }, region: { enabled: false } };
  return (await axe.run(document.body, { rules })).violations.map(({ id }) => id);
}

it('home: badges, three statistics and the ways to an appointment', async () => {
  render(<HomeHero {...props('/')} data={{ site: { ok: true, status: 200, body: SITE } }} />);
  expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1);
  expect(screen.getByRole('link', { name: 'Virtual Consultation' }).getAttribute('href')).toBe('/virtual-consultation');
  expect(screen.getByRole('link', { name: 'Book Appointment' }).getAttribute('href')).toBe('/appointment');
  expect(screen.getByRole('link', { name: 'Scroll to see more' }).getAttribute('href')).toBe('#check');
  // The gateway searches the HTML for exactly this.
  expect(document.getElementById('check')?.innerHTML).toBe('<div data-slot="assessment"></div>');
  expect([...document.querySelectorAll('dd')].map((value) => value.textContent)).toEqual(['46+', '50+', '10M+']);
  expect(await violations()).toEqual([]);
});

const hrefs = () => screen.getAllByRole('link').map((link) => link.getAttribute('href'));

it('404: both ways out work as links', async () => {
  // The path that the gateway passes for an address without a section.
  render(<NotFound {...props('/404')} />);
  expect(status()).toBe(404);
  expect(head(props('/404')).robots).toBe('noindex');
  expect(screen.getByText('404')).toBeDefined();
  expect(screen.getByRole('heading', { name: 'Page Not Found' })).toBeDefined();
  expect(screen.getByRole('link', { name: 'Go to Homepage' }).getAttribute('href')).toBe('/');
  expect(screen.getByRole('link', { name: 'Go Back' }).getAttribute('href')).toBe('/');
  expect(screen.queryByRole('heading', { level: 2 })).toBeNull();
  expect(await violations()).toEqual([]);
});

it.each([
  ['/doctor/asha-rao/x', '/doctors', '/search?q=x'],
  ['/doctors/dr-asha-rao', '/doctors', '/search?q=dr%20asha%20rao'],
  ['/service/x-ray+unit', '/services', '/search?q=x%20ray%20unit'],
  ['/news/2026/%E0%B2%86%E0%B2%B6%E0%B2%BE', '/events', '/search?q=%E0%B2%86%E0%B2%B6%E0%B2%BE'],
  ['/blog/sleep%', '/blogs', '/search?q=sleep'],
  ['/blog/12', '/blogs', null],
  ['/doctor', '/doctors', null],
])('404: %s suggests the list of its section and a search', async (path, list, search) => {
  render(<NotFound {...props(path)} />);
  expect(hrefs()).toEqual(['/', list, list, ...(search ? [search] : [])]);
  expect(await violations()).toEqual([]);
});

it('404: suggests nothing for unknown names, and never the page itself', () => {
  for (const path of ['/constructor/x', '/__proto__/x', '/doctors']) {
    render(<NotFound {...props(path)} />);
    expect(hrefs(), path).toEqual(['/', '/']);
    cleanup();
  }
});

it('404: shows no text of the address, and limits the search', () => {
  render(<NotFound {...props(`/doctors/for-emergencies-call-+91-98-${'a'.repeat(4000)}`)} />);
  expect(document.body.textContent).not.toMatch(/emergencies|91/);
  const search = new URL(hrefs().at(-1) ?? '', 'http://x').searchParams.get('q') ?? '';
  expect(search).toMatch(/^for emergencies call a+$/);
  expect(search.length).toBe(100);
});

it.each([
  [{ status: '503', message: 'Service Unavailable' }, 503, '503 Service Unavailable'],
  [{ status: '504' }, 504, '504 Gateway Timeout'],
  [{ status: '429' }, 429, '429'],
  [{ status: '200', message: 'Service Unavailable' }, 500, '500 Service Unavailable'],
  [{}, 500, '500 Internal Server Error'],
])('error: %j is sent and shown as the same status, with a retry link', async (params, sent, shown) => {
  render(<ErrorPage {...props('/events', params)} />);
  expect(errorStatus(props('/events', params))).toBe(sent);
  expect(screen.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeDefined();
  expect(screen.getByText(shown)).toBeDefined();
  expect(screen.getByRole('link', { name: 'Try Again' }).getAttribute('href')).toBe('/events');
  expect(await violations()).toEqual([]);
});

it('fallback: shows that a part is missing', async () => {
  render(<FragmentFallback />);
  expect(screen.getByText(/isn’t available at the moment/)).toBeDefined();
  expect(await violations()).toEqual([]);
});
