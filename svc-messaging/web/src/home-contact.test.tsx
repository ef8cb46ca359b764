// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { brokenRules } from '@hospital/ui/accessibility';
import { SITE, absent, ok } from '../test/answers.ts';
import HomeContact from './home-contact.tsx';

const NOW = '2026-11-21T13:29:45Z';
const props = (site = ok(SITE)) => ({
  params: {}, query: {}, data: { site }, part: 'messaging:home-contact', action: null, now: NOW, path: '/',
}); // prettier-ignore

afterEach(cleanup);

it('has address, directions and numbers', async () => {
  const { container } = render(<HomeContact {...props()} />);
  expect(screen.getByText(/27 Champaca Road, Jayanagar, Bengaluru 560041/)).toBeDefined();
  expect(screen.getByRole('link', { name: 'Contact Us' }).getAttribute('href')).toBe('/contact');
  expect(screen.getByRole('link', { name: 'Get Directions (opens in a new tab)' }).getAttribute('href')).toContain(
    'google.com/maps',
  );
  expect(screen.getByRole('link', { name: '+91 80 0000 0100' }).getAttribute('href')).toBe('tel:+918000000100');
  expect(await brokenRules(container)).toEqual([]);
});

it('has the emergency number without site data', () => {
  render(<HomeContact {...props(absent())} />);
  expect(screen.getAllByRole('link', { name: '+91 80 0000 0108' })).toHaveLength(1);
});
