// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { DataResult } from '@hospital/page';
import { brokenRules } from '@hospital/ui/accessibility';
import keepRight from './home-now.script.ts';
import HomeNow from './home-now.tsx';

const DAY = '2026-11-25T05:40:00Z';
/** 3:05 AM in India, on Thursday. */
const NIGHT = '2026-11-25T21:35:00Z';
const ABSENT: DataResult<never> = { ok: false, status: 503, body: null };
const ok = (body: unknown) => ({ ok: true, status: 200, body }) as DataResult<never>;

const doctor = (number: number, specialtyKey: string, closedToNewPatients = false) => ({
  id: `doc-0${number}`, name: `Dr. ${number}`, initials: `D${number}`, specialty: specialtyKey, specialtyKey, closedToNewPatients,
}); // prettier-ignore
const time = (number: number, startsAt: string, time: string) => ({
  doctor: `doc-0${number}`, department: 'cardiology', date: startsAt.slice(0, 10), time, startsAt,
}); // prettier-ignore

const DOCTORS = ok({
  doctors: [
    doctor(1, 'neurology'), doctor(2, 'cardiology'), doctor(3, 'cardiology'), doctor(4, 'ent', true), doctor(5, 'ent'),
    doctor(6, 'urology'),
  ],
}); // prettier-ignore
const NEXT = ok({
  next: [
    time(1, '2026-11-26T04:30:00Z', '10:00 AM'),
    time(2, '2026-11-25T06:30:00Z', '12:00 PM'),
    time(3, '2026-11-25T07:00:00Z', '12:30 PM'),
    time(4, '2026-11-25T06:00:00Z', '11:30 AM'),
    time(5, '2026-11-25T05:30:00Z', '11:00 AM'),
    time(6, '2026-11-26T03:30:00Z', '9:00 AM'),
    time(7, '2026-11-25T06:00:00Z', '11:30 AM'),
    { doctor: 'doc-01', department: 'neurology', date: '', time: '', startsAt: '' },
  ],
});

const props = (now: string, doctors = DOCTORS, next = NEXT) => ({
  params: {}, query: {}, data: { doctors, next, site: ABSENT }, part: 'booking:home-now', action: null, now, path: '/',
}); // prettier-ignore
const links = () => screen.getAllByRole('link').map((link) => link.getAttribute('href'));
const heading = () => screen.getByRole('heading', { level: 2 }).textContent;

beforeEach(() => vi.useFakeTimers({ now: Date.parse(DAY) }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it('by day, names who is free next, one doctor of each specialty, and links the time', async () => {
  const { container } = render(<HomeNow {...props(DAY)} />);
  expect(heading()).toBe('Who is free next');
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'D2Dr. 2 cardiology Wed 25 Nov, 12:00 PM',
    'D6Dr. 6 urology Thu 26 Nov, 9:00 AM',
    'D1Dr. 1 neurology Thu 26 Nov, 10:00 AM',
  ]);
  expect(links()).toEqual([
    '/appointment?doctor=doc-02&department=cardiology&date=2026-11-25&time=12%3A00%20PM',
    '/appointment?doctor=doc-06&department=cardiology&date=2026-11-26&time=9%3A00%20AM',
    '/appointment?doctor=doc-01&department=cardiology&date=2026-11-26&time=10%3A00%20AM',
    '/appointment',
    '/emergency',
  ]);
  vi.useRealTimers();
  expect(await brokenRules(container)).toEqual([]);
});

it('by night, links the first aid of another hospital as a whole', () => {
  const given = props(NIGHT);
  render(<HomeNow {...given} data={{ ...given.data, site: ok({ name: 'Belaku Eye Hospital' }) }} />);
  expect(links().at(-1)).toBe('/emergency');
});

it('by night, offers the call, the way and first aid', async () => {
  const { container } = render(<HomeNow {...props(NIGHT)} />);
  expect(heading()).toBe('It is 3:05 AM. A doctor is here.');
  expect(links()).toEqual(['tel:+918000000108', expect.stringContaining('google.com/maps'), '/emergency#child-fever']);
  vi.useRealTimers();
  expect(await brokenRules(container)).toEqual([]);
});

it.each([
  ['booking', DOCTORS, ABSENT],
  ['content', ABSENT, NEXT],
  ['booking has no free time', DOCTORS, ok({ next: [] })],
])('by day without %s, still offers the call and first aid', (_, doctors, next) => {
  render(<HomeNow {...props(DAY, doctors, next)} />);
  expect(heading()).toBe('It is 11:10 AM. A doctor is here.');
  expect(links()).toEqual(['tel:+918000000108', expect.stringContaining('google.com/maps'), '/emergency#child-fever']);
});

it('corrects the time of a cached document, and keeps it correct', () => {
  const { container } = render(<HomeNow {...props(NIGHT)} />);
  vi.setSystemTime(Date.parse(NIGHT) + 60_000);
  keepRight(container);
  expect(heading()).toBe('It is 3:06 AM. A doctor is here.');
  vi.setSystemTime(Date.parse(NIGHT) + 119_000);
  vi.advanceTimersByTime(10_000);
  expect(heading()).toBe('It is 3:07 AM. A doctor is here.');
  vi.setSystemTime(Date.parse(NIGHT) + 3_600_000);
  fireEvent(document, new Event('visibilitychange'));
  expect(heading()).toBe('It is 4:05 AM. A doctor is here.');
});

it('hides times that have passed since the document was rendered', () => {
  const { container } = render(<HomeNow {...props(DAY)} />);
  vi.setSystemTime(Date.parse('2026-11-25T06:30:00Z'));
  keepRight(container);
  expect([...container.querySelectorAll<HTMLElement>('li')].map(({ hidden }) => hidden)).toEqual([true, false, false]);
  // Without a list, no title stays above nothing.
  expect(screen.getByRole('heading')).toBeDefined();
  vi.setSystemTime(Date.parse('2026-12-25T06:30:00Z'));
  fireEvent(document, new Event('visibilitychange'));
  expect(screen.queryByRole('heading')).toBeNull();
  expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    'See all free times',
    'Emergency? First aid',
  ]);
});
