// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import axe from 'axe-core';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import type { PageProps } from '@hospital/page';
import ErrorPage, { status as errorStatus } from '../src/error.tsx';
import FragmentFallback from '../src/fragment-fallback.tsx';
import HomeCheck from '../src/home-check.tsx';
import HomeContact from '../src/home-contact.tsx';
import HomeHero from '../src/home-hero.tsx';
import NotFound, { head, status } from '../src/not-found.tsx';
import { SITE } from './site-example.ts';

afterEach(cleanup);

const props = (path: string, params = {}): PageProps => ({
  params,
  query: {},
  data: {},
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
  expect([...document.querySelectorAll('dd')].map((value) => value.textContent)).toEqual(['46+', '50+', '10M+']);
  expect(await violations()).toEqual([]);
});

it('home: until the self-check opens, its place leads to a doctor', async () => {
  render(<HomeCheck />);
  expect(screen.getByRole('heading', { name: 'Check your health risk' })).toBeDefined();
  expect(screen.getByRole('link', { name: 'Book a check-up' }).getAttribute('href')).toBe(
    '/appointment?department=General%20Medicine',
  );
  expect(document.getElementById('check')).not.toBeNull();
  expect(await violations()).toEqual([]);
});

it('home: address, numbers and hours; the emergency number also when the site data is absent', async () => {
  const { rerender } = render(<HomeContact {...props('/')} data={{ site: { ok: true, status: 200, body: SITE } }} />);
  expect(screen.getByText(/27 Champaca Road, Jayanagar, Bengaluru 560041/)).toBeDefined();
  expect(screen.getByRole('link', { name: 'Contact Us' }).getAttribute('href')).toBe('/contact');
  expect(screen.getByRole('link', { name: '+91 80 0000 0100' }).getAttribute('href')).toBe('tel:+918000000100');
  expect(screen.getByText('24 hours, every day')).toBeDefined();
  expect(await violations()).toEqual([]);
  rerender(<HomeContact {...props('/')} data={{ site: { ok: false, status: 503, body: null } }} />);
  expect(screen.getAllByRole('link', { name: '+91 80 0000 0108' })).toHaveLength(2);
});

it('404: both ways out work as links', async () => {
  render(<NotFound {...props('/doctor/nobody')} />);
  expect(status()).toBe(404);
  expect(head(props('/doctor/nobody')).robots).toBe('noindex');
  expect(screen.getByText('404')).toBeDefined();
  expect(screen.getByRole('heading', { name: 'Page Not Found' })).toBeDefined();
  expect(screen.getByRole('link', { name: 'Go to Homepage' }).getAttribute('href')).toBe('/');
  expect(screen.getByRole('link', { name: 'Go Back' }).getAttribute('href')).toBe('/doctors');
  expect(await violations()).toEqual([]);
});

it('404: with its few lines of script, Go Back is the step back of the browser', () => {
  render(<NotFound {...props('/nowhere')} />);
  const back = vi.spyOn(history, 'back').mockImplementation(() => {});
  vi.spyOn(history, 'length', 'get').mockReturnValue(2);
  new Function(readFileSync(join(import.meta.dirname, '../src/not-found.inline.js'), 'utf8'))();
  const notPrevented = fireEvent.click(screen.getByRole('link', { name: 'Go Back' }));
  expect(notPrevented).toBe(false);
  expect(back).toHaveBeenCalledOnce();
});

it('error: status and text, and a way to try again', async () => {
  render(<ErrorPage {...props('/events', { status: '503', message: 'Service Unavailable' })} />);
  expect(errorStatus(props('/events'))).toBe(500);
  expect(screen.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeDefined();
  expect(screen.getByText('503 Service Unavailable')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Try Again' }).getAttribute('href')).toBe('/events');
  expect(await violations()).toEqual([]);
});

it('fallback: says that a part is missing', async () => {
  render(<FragmentFallback />);
  expect(screen.getByText(/not available at the moment/)).toBeDefined();
  expect(await violations()).toEqual([]);
});
