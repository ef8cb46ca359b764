// @vitest-environment happy-dom
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { brokenRules } from '@hospital/ui/accessibility';
import type { Doctor } from '@hospital/api/list-doctors';
import { drawPortrait } from '../portraits/draw.mjs';
import { PEOPLE } from '../portraits/people.mjs';
import DoctorsPage, { head, status } from './doctors.tsx';
import { PORTRAITS } from './doctors/portraits.ts';

const web = join(import.meta.dirname, '..');

afterEach(cleanup);

function doctor(id: number, slug: string, specialty: string): Doctor {
  return {
    id: `doc-${id}`, slug, name: `Dr. ${slug}`, specialty, specialtyKey: specialty.toLowerCase(), degrees: 'MBBS, MD',
    experience: '7 Years', visitingDays: 'Mon–Sat', timings: '9:00 AM - 1:00 PM', consultationFee: '₹700', image: '', about: '', initials: 'AB',
    education: [], specializations: [], achievements: [], seoTitle: '', metaDescription: '', focusKeyword: '', registrationNumber: '',
  }; // prettier-ignore
}

const LIST = [
  doctor(1, 'dr-vasundhara-hegde', 'Radiology'),
  doctor(6, 'dr-nandini-iyengar', 'Cardiology'),
  doctor(99, 'dr-without-portrait', 'Cardiology'),
];

type Props = Parameters<typeof DoctorsPage>[0];

const answer = (doctors: Doctor[]) => ({
  ok: true as const,
  status: 200,
  body: { doctors, specialties: ['Radiology', 'Cardiology'], nextPageToken: '' },
});
const DOWN = { ok: false as const, status: 503, body: null };

function props(doctors: Doctor[], query: Record<string, string> = {}): Props {
  return {
    params: {},
    query,
    action: null,
    now: '2026-11-21T09:30:00Z',
    path: '/doctors',
    data: { doctors: answer(doctors), all: answer(LIST), site: DOWN },
  };
}

const page = (given: Props) =>
  render(
    <main>
      <DoctorsPage {...given} />
    </main>,
  ).container;

describe('the directory', () => {
  it('shows each doctor with every fact and both ways on', async () => {
    const container = page(props(LIST));
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Meet Our Expert Medical Team');
    expect(container.querySelectorAll('[data-card]')).toHaveLength(3);
    expect(screen.getByRole('link', { name: 'View Profile of Dr. dr-nandini-iyengar' }).getAttribute('href')).toBe(
      '/doctor/dr-nandini-iyengar',
    );
    expect(screen.getAllByRole('link', { name: 'Book Appointment' }).map((link) => link.getAttribute('href'))).toEqual(
      Array(3).fill('/appointment'),
    );
    expect(container.querySelector('[data-card] dl')?.textContent).toBe(
      'Experience7 YearsDaysMon–SatTimings9:00 AM - 1:00 PMConsultation fee₹700',
    );
    expect(screen.getByRole('link', { name: 'Book Appointment Now' })).toBeTruthy();
    expect(await brokenRules(container)).toEqual([]);
  });

  it('puts initials behind every portrait and leaves them where there is none', () => {
    const container = page(props(LIST));
    expect(container.querySelectorAll('[data-card] img')).toHaveLength(2);
    expect([...container.querySelectorAll('[data-card] [aria-hidden]')].map(({ textContent }) => textContent)).toEqual([
      'AB',
      'AB',
      'AB',
    ]);
  });

  it('filters by a form in the address, without script', () => {
    page(props(LIST, { q: 'nan', specialty: 'cardiology' }));
    const form = screen.getByRole('search') as HTMLFormElement;
    expect([form.getAttribute('method'), form.getAttribute('action')]).toEqual(['get', '/doctors']);
    expect(screen.getByPlaceholderText('Search doctors by name or specialty...')).toHaveProperty('value', 'nan');
    const select = screen.getByLabelText('Specialty') as HTMLSelectElement;
    expect([...select.options].map(({ text }) => text)).toEqual(['All Specialties', 'Radiology', 'Cardiology']);
    expect(select.value).toBe('Cardiology');
  });

  it('keeps a label that only the address knows', () => {
    page(props(LIST, { specialty: 'Paediatrics' }));
    expect((screen.getByLabelText('Specialty') as HTMLSelectElement).value).toBe('Paediatrics');
  });

  it('says so when nobody is found', async () => {
    const container = page(props([], { q: 'zzq' }));
    expect(screen.getByRole('heading', { name: 'No Doctors Found' })).toBeTruthy();
    expect(container.textContent).toContain('Try adjusting your search criteria or specialty filter.');
    expect(await brokenRules(container)).toEqual([]);
  });

  it('says so when the list cannot be read, and is no success then', async () => {
    const down: Props = { ...props([]), data: { ...props([]).data, doctors: DOWN } };
    const container = page(down);
    expect(container.textContent).toContain('The list of doctors cannot be shown right now');
    expect([status(down), status(props([]))]).toEqual([503, 200]);
    expect(await brokenRules(container)).toEqual([]);
  });

  it('holds back whom the address does not ask for, for the filter to find', () => {
    const given = props([LIST[1] as Doctor], { q: 'nan' });
    const container = page(given);
    expect([...container.querySelectorAll<HTMLElement>('[data-card]')].map(({ hidden }) => hidden)).toEqual([
      true,
      false,
      true,
    ]);
    expect(container.querySelector('[data-count]')?.textContent).toBe('1 doctor');
    cleanup();
    const alone = page({ ...given, data: { ...given.data, all: DOWN } });
    expect(alone.querySelectorAll('[data-card]')).toHaveLength(1);
  });

  it('is one page for search engines, and its searches are none', () => {
    expect(head(props(LIST)).canonicalPath).toBe('/doctors');
    expect(head(props(LIST)).robots).toBeUndefined();
    expect(head(props(LIST, { q: 'nan' })).robots).toBe('noindex, follow');
  });
});

describe('portraits', () => {
  const file = (slug: string) => readFileSync(join(web, 'portraits/drawn', `${slug}.svg`), 'utf8');

  it('are those that the script draws', () => {
    expect(readdirSync(join(web, 'portraits/drawn')).sort()).toEqual(PEOPLE.map(({ slug }) => `${slug}.svg`).sort());
    PEOPLE.forEach((person, index) => expect(file(person.slug)).toBe(drawPortrait(person, index)));
  });

  it('are one for each doctor of the content, sixteen different ones', () => {
    const content = readFileSync(join(web, '../content/doctors.toml'), 'utf8');
    const slugs = [...content.matchAll(/^slug = "(.+)"$/gm)].map(([, slug]) => slug);
    expect(slugs).toHaveLength(16);
    expect(Object.keys(PORTRAITS).sort()).toEqual(slugs.sort());
    expect(new Set(PEOPLE.map(({ slug }) => file(slug))).size).toBe(16);
  });

  it('are small and carry nothing that runs', () => {
    for (const { slug } of PEOPLE) {
      expect(file(slug).length).toBeLessThan(2500);
      expect(file(slug)).not.toMatch(/script|href|style=|on\w+=/);
    }
  });
});
