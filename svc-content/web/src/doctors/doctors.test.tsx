// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { brokenRules } from '@hospital/ui/accessibility';
import type { Doctor } from '@hospital/api/types';
import { DEPARTMENTS, NEXT_FREE, ok, SPECIALTY } from '../../test/answers.ts';
import DoctorsPage, { head, status } from './doctors.tsx';

afterEach(cleanup);

function doctor(id: number, slug: string, specialty: string): Doctor {
  return {
    id: `doc-${id}`, slug, name: `Dr. ${slug}`, specialty, specialtyKey: specialty.toLowerCase(), degrees: 'MBBS, MD',
    experience: '7 Years', visitingDays: 'Mon–Sat', timings: '9:00 AM - 1:00 PM', consultationFee: '₹700', image: '', about: '', initials: 'AB',
    education: [], specializations: [], achievements: [], seoTitle: '', metaDescription: '', focusKeyword: '', registrationNumber: '', closedToNewPatients: false, languages: ['Kannada', 'English'],
  }; // prettier-ignore
}

const LIST = [
  doctor(1, 'dr-vasundhara-hegde', 'Radiology'),
  { ...doctor(6, 'dr-nandini-iyengar', 'Cardiology'), id: 'doc-06' },
  doctor(99, 'dr-without-portrait', 'Cardiology'),
];

const specialty = (slug: string, name: string) => ({ ...SPECIALTY, slug, name, doctors: [] });
const SPECIALTIES = [
  specialty('gynecology', 'Obstetrics & Gynaecology'),
  specialty('urology', 'Urology'),
  specialty('cardiology', 'Cardiology'),
];

type Props = Parameters<typeof DoctorsPage>[0];

const answer = (doctors: Doctor[]) => ({
  ok: true as const,
  status: 200,
  body: { doctors, specialties: ['Radiology', 'Cardiology'], nextPageToken: '' },
});
const DOWN = { ok: false as const, status: 503, body: null };

/** `ofSpecialty` is the API's response for the label in the URL. */
function props(query: Record<string, string> = {}, ofSpecialty: Doctor[] = LIST): Props {
  return {
    params: {},
    query,
    part: 'content:page',
    action: null,
    now: '2026-11-21T09:30:00Z',
    path: '/doctors',
    data: {
      all: answer(LIST),
      ofSpecialty: answer(ofSpecialty),
      next: DOWN,
      departments: DEPARTMENTS,
      specialties: ok({ specialties: SPECIALTIES, nextPageToken: '' }),
      site: DOWN,
    },
  };
}

const page = (given: Props) =>
  render(
    <main>
      <DoctorsPage {...given} />
    </main>,
  ).container;

describe('the directory', () => {
  it('shows each doctor with all facts and both links', async () => {
    const container = page(props());
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Meet Our Expert Medical Team');
    expect(container.querySelectorAll('[data-card]')).toHaveLength(3);
    expect(screen.getByRole('link', { name: 'View Profile of Dr. dr-nandini-iyengar' }).getAttribute('href')).toBe(
      '/doctor/dr-nandini-iyengar',
    );
    // W3: each card leads to the form with its doctor preselected.
    const bookings = screen.getAllByRole('link', { name: /^Book Appointment with/ });
    expect(bookings.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Book Appointment with Dr. dr-vasundhara-hegde', '/appointment?doctor=doc-1'],
      ['Book Appointment with Dr. dr-nandini-iyengar', '/appointment?department=cardiology&doctor=doc-06'],
      ['Book Appointment with Dr. dr-without-portrait', '/appointment?doctor=doc-99'],
    ]);
    expect(container.querySelector('[data-card] dl')?.textContent).toBe(
      'Consultation fee₹700DaysMon–SatTimings9:00 AM - 1:00 PMSpeaksKannada, English',
    );
    expect(container.querySelector('[data-card]')?.textContent).toContain('Radiology 7\u00a0Years of experience');
    expect(screen.getByRole('link', { name: 'Book Appointment Now' })).toBeTruthy();
    expect(await brokenRules(container)).toEqual([]);
  });

  it('U10: links to the next free time of each doctor, under names that differ', async () => {
    const times = [
      NEXT_FREE,
      // A doctor without free times, and one whose time is already past.
      { ...NEXT_FREE, doctor: 'doc-1', date: '', time: '', startsAt: '' },
      { ...NEXT_FREE, doctor: 'doc-99', date: '2026-11-21', startsAt: '2026-11-21T03:30:00Z' },
    ];
    const given = props();
    const container = page({ ...given, data: { ...given.data, next: ok({ next: times }) } });
    expect(screen.getByRole('link', { name: /^Next free/ })).toMatchObject({
      textContent: 'Next free: Mon 23 Nov, 9:00 AM with Dr. dr-nandini-iyengar',
    });
    expect(screen.getByRole('link', { name: /^Next free/ }).getAttribute('href')).toBe(
      '/appointment?department=cardiology&doctor=doc-06&date=2026-11-23&time=9%3A00%20AM',
    );
    expect(container.querySelector('[data-card]')?.textContent).toContain('No free time online in the next 60 days');
    const names = [...container.querySelectorAll('[data-card] a')].map(
      (link) => link.getAttribute('aria-label') ?? link.textContent,
    );
    expect(new Set(names).size).toBe(names.length);
    expect(await brokenRules(container)).toEqual([]);
  });

  it('renders without the next free times', () => {
    const given = props();
    const before = page(given).innerHTML;
    expect(before).not.toContain('Next free');
    expect(status(given)).toBe(200);
    cleanup();
    // A body that violates the contract.
    const strange = ok({}) as unknown as Props['data']['next'];
    expect(page({ ...given, data: { ...given.data, next: strange } }).innerHTML).toBe(before);
  });

  it('puts initials behind every portrait, and shows them without one', () => {
    const container = page(props());
    expect(container.querySelectorAll('[data-card] img')).toHaveLength(2);
    expect([...container.querySelectorAll('[data-card] [aria-hidden]')].map(({ textContent }) => textContent)).toEqual([
      'AB',
      'AB',
      'AB',
    ]);
  });

  it('filters by a form, without script', () => {
    page(props({ q: 'nan', specialty: 'cardiology' }));
    const form = screen.getByRole('search') as HTMLFormElement;
    expect([form.getAttribute('method'), form.getAttribute('action')]).toEqual(['get', '/doctors']);
    expect(screen.getByPlaceholderText('Search doctors by name or specialty...')).toHaveProperty('value', 'nan');
    const select = screen.getByLabelText('Specialty') as HTMLSelectElement;
    expect([...select.options].map(({ text }) => text)).toEqual(['All Specialties', 'Radiology', 'Cardiology']);
    expect(select.value).toBe('Cardiology');
  });

  it('S7: does not add a label from the URL to its list', () => {
    const container = page(props({ specialty: 'Paediatrics' }, []));
    const select = screen.getByLabelText('Specialty') as HTMLSelectElement;
    expect([...select.options].map(({ text }) => text)).toEqual(['All Specialties', 'Radiology', 'Cardiology']);
    expect([select.value, container.querySelector('form')?.dataset.asked]).toEqual(['', 'Paediatrics']);
    expect(screen.getByRole('heading', { name: 'No Doctors Found' })).toBeTruthy();
  });

  it('S6: shows the clinics of a specialty without doctors', async () => {
    const container = page(props({ specialty: 'Obstetrics & Gynaecology' }, []));
    const instead = within(container.querySelector('[data-instead]') as HTMLElement);
    expect(instead.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Antenatal clinicMon–Wed, 9:00 AM – 1:00 PMFirst floorConsultation fee ₹500',
      'Gynaecology clinicMon–Wed, 9:00 AM – 1:00 PMConsultation fee ₹500',
    ]);
    expect(instead.getByRole('link', { name: 'Book Obstetrics & Gynaecology' }).getAttribute('href')).toBe(
      '/appointment?department=gynecology',
    );
    expect(container.querySelector<HTMLElement>('[data-nobody]')?.hidden).toBe(true);
    expect(await brokenRules(container)).toEqual([]);
  });

  it('S6: tells if a specialty has neither doctor nor clinic', async () => {
    const container = page(props({ specialty: 'urology' }, []));
    const instead = container.querySelector('[data-instead]') as HTMLElement;
    expect(instead.textContent).toContain('You can’t book Urology online');
    expect([...instead.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual([
      '/contact',
      // The first department of the hospital.
      '/appointment?department=cardiology',
    ]);
    expect(await brokenRules(container)).toEqual([]);
  });

  it('S6: has no way to book a doctor who isn’t taking new patients', () => {
    const closed = LIST.map((one) => ({ ...one, closedToNewPatients: one.id === 'doc-06' }));
    const given = props();
    page({ ...given, data: { ...given.data, all: answer(closed) } });
    expect(screen.queryByRole('link', { name: /^Book Appointment with Dr. dr-nandini/ })).toBeNull();
    expect(screen.getAllByRole('link', { name: /^Book Appointment with/ })).toHaveLength(2);
  });

  it('shows that no doctor was found', async () => {
    const container = page(props({ q: 'zzq' }));
    expect(screen.getByRole('heading', { name: 'No Doctors Found' })).toBeTruthy();
    expect(container.textContent).toContain('Try adjusting your search criteria or specialty filter.');
    expect(await brokenRules(container)).toEqual([]);
  });

  it('shows that the list is unavailable, with an error status', async () => {
    const down: Props = { ...props(), data: { ...props().data, all: DOWN } };
    const container = page(down);
    expect(container.textContent).toContain('The list of doctors can’t be shown right now');
    expect([status(down), status(props())]).toEqual([503, 200]);
    expect(await brokenRules(container)).toEqual([]);
  });

  it('hides doctors outside the filter of the URL, but keeps them for the script', () => {
    const container = page(props({ q: 'nan' }));
    expect([...container.querySelectorAll<HTMLElement>('[data-card]')].map(({ hidden }) => hidden)).toEqual([
      true,
      false,
      true,
    ]);
    expect(container.querySelector('[data-found]')?.textContent).toBe('1 doctor');
  });

  it('finds doctors by an equivalent label of the API', () => {
    const container = page(props({ specialty: 'Heart & vessels', q: 'nan' }, [LIST[1] as Doctor]));
    expect(container.querySelector('[data-found]')?.textContent).toBe('1 doctor');
    const chosen = screen.getByLabelText<HTMLSelectElement>('Specialty').selectedOptions[0];
    // The script finds the doctors by this key, too.
    expect([chosen?.text, chosen?.dataset.key]).toEqual(['Cardiology', 'cardiology']);
  });

  it('is one page to search engines, and its searches are not indexed', () => {
    expect(head(props()).canonicalPath).toBe('/doctors');
    expect(head(props()).robots).toBeUndefined();
    expect(head(props({ q: 'nan' })).robots).toBe('noindex, follow');
  });

  it('has only labels of the directory in its title', () => {
    expect(head(props({ specialty: 'cardiology' }))).toMatchObject({
      title: 'Doctors for Cardiology | Sampige Hospital',
    });
    expect(head(props({ specialty: 'cardiology' })).robots).toBeUndefined();
    const foreign = head(props({ specialty: 'emergencies call +91 99999', q: 'call +91 99999' }, []));
    expect([foreign.title, foreign.robots]).toEqual(['Our doctors | Sampige Hospital', 'noindex, follow']);
    expect(JSON.stringify(foreign)).not.toContain('99999');
  });
});
