// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { brokenRules } from '@hospital/ui/accessibility';
import { SITE, absent, ok } from '../test/answers.ts';
import keepRight from './home-contact.script.ts';
import HomeContact from './home-contact.tsx';

/** A Saturday, 6:59:45 PM in India. */
const NOW = '2026-11-21T13:29:45Z';
const props = (site = ok(SITE)) => ({
  params: {}, query: {}, data: { site }, part: 'messaging:home-contact', action: null, now: NOW, path: '/',
}); // prettier-ignore
const OPD = 'Outpatient department (OPD)';
const row = (label: string) => screen.getByText(label).closest('div')?.textContent;

beforeEach(() => vi.useFakeTimers({ now: Date.parse(NOW) }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it('has address, directions, numbers and opening state', async () => {
  const { container } = render(<HomeContact {...props()} />);
  expect(screen.getByText(/27 Champaca Road, Jayanagar, Bengaluru 560041/)).toBeDefined();
  expect(screen.getByRole('link', { name: 'Contact Us' }).getAttribute('href')).toBe('/contact');
  expect(screen.getByRole('link', { name: 'Get Directions (opens in a new tab)' }).getAttribute('href')).toContain(
    'google.com/maps',
  );
  expect(screen.getByRole('link', { name: '+91 80 0000 0100' }).getAttribute('href')).toBe('tel:+918000000100');
  expect(row(OPD)).toBe(`${OPD}9:00 AM to 8:00 PMOpen now, until 8:00 PM`);
  expect(row('Visiting hours')).toBe('Visiting hoursby arrangement');
  vi.useRealTimers();
  expect(await brokenRules(container)).toEqual([]);
});

it('has the emergency number without site data', () => {
  render(<HomeContact {...props(absent())} />);
  expect(screen.getAllByRole('link', { name: '+91 80 0000 0108' })).toHaveLength(2);
});

it('updates the opening state after a cached response and while it stays open', () => {
  const { container } = render(<HomeContact {...props()} />);
  vi.setSystemTime(Date.parse('2026-11-21T14:29:50Z'));
  keepRight(container);
  expect(row(OPD)).toContain('Open now, until 8:00 PM');
  vi.advanceTimersByTime(30_000);
  expect(row(OPD)).toBe(`${OPD}9:00 AM to 8:00 PMClosed now`);
  vi.setSystemTime(Date.parse('2026-11-23T04:00:00Z'));
  fireEvent(document, new Event('visibilitychange'));
  expect(row(OPD)).toContain('Open now, until 8:00 PM');
  expect(container.querySelector('[data-open=true]')).toBeTruthy();
});
