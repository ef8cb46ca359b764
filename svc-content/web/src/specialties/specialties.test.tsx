// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { brokenRules } from '@hospital/ui/accessibility';
import SpecialtiesPage, * as all from './specialties.tsx';
import SpecialtyPage, * as one from '../specialty/specialty.tsx';
import {
  DEPARTMENTS,
  DOCTOR,
  DOWN,
  MISSING,
  NEXT_FREE,
  SITE,
  SPECIALTY,
  ofType,
  ok,
  props,
} from '../../test/answers.ts';

afterEach(cleanup);

const GYNAECOLOGY = { ...SPECIALTY, slug: 'gynecology', name: 'Obstetrics & Gynaecology', doctors: [] };
const UROLOGY = { ...SPECIALTY, slug: 'urology', name: 'Urology', rich: false, doctors: [] };
const problems = ['My knee hurts', 'My back hurts'];
const AROUND = {
  next: ok({ next: [NEXT_FREE] }),
  departments: DEPARTMENTS,
  profiles: ok({
    departmentProfiles: [{ id: 'orthopedics', name: 'Orthopedics', summary: '', treats: [], problems }],
    nextPageToken: '',
  }),
  site: ok(SITE),
};
const doctors = ok({ doctors: [DOCTOR], specialties: [], nextPageToken: '' });
const list = (specialties = [SPECIALTY, GYNAECOLOGY, SPECIALTY]) =>
  props(
    { specialties: ok({ specialties, nextPageToken: '' }), departments: DEPARTMENTS, site: ok(SITE) },
    {},
    '/specialties',
  );
const shown = (changes = {}, slug = SPECIALTY.slug) =>
  props({ ...AROUND, specialty: ok({ ...SPECIALTY, ...changes }), doctors }, { slug }, `/specialty/${slug}`);
const showAll = (given: Parameters<typeof SpecialtiesPage>[0]) =>
  render(
    <main>
      <SpecialtiesPage {...given} />
    </main>,
  ).container;
const show = (given: Parameters<typeof SpecialtyPage>[0]) =>
  render(
    <main>
      <SpecialtyPage {...given} />
    </main>,
  ).container;

describe('the specialties', () => {
  it('are cards in the order of the content, with duplicates', async () => {
    const container = showAll(list());
    expect(container.textContent).toContain('18+ specialties');
    const cards = [...container.querySelectorAll<HTMLElement>('[data-card]')];
    expect(cards.map((card) => card.querySelector('h2')?.textContent)).toEqual([
      'Orthopaedics',
      'Obstetrics & Gynaecology',
      'Orthopaedics',
    ]);
    const second = within(cards[1] as HTMLElement);
    expect(second.getByRole('link', { name: /^Learn More/ }).getAttribute('href')).toBe('/specialty/gynecology');
    expect(second.getByRole('link', { name: /^View Doctors/ }).getAttribute('href')).toBe(
      '/doctors?specialty=Obstetrics%20%26%20Gynaecology',
    );
    expect(
      within(cards[0] as HTMLElement)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['Dr. Nandini Iyengar', 'Dr. Without Profile', 'Fracture care']);
    expect(screen.getByRole('link', { name: 'Book Appointment' }).getAttribute('href')).toBe('/appointment');
    expect(screen.getByRole('link', { name: 'Find a Doctor' }).getAttribute('href')).toBe('/doctors');
    expect(await brokenRules(container)).toEqual([]);
  });

  it('S6: name the clinics of one without doctors, and mark those that cannot be booked', async () => {
    const container = showAll(list([GYNAECOLOGY, UROLOGY]));
    const cards = [...container.querySelectorAll<HTMLElement>('[data-card]')];
    expect(cards[0]?.textContent).toContain('Antenatal clinicGynaecology clinic');
    expect(cards.map(({ textContent }) => textContent.includes('Not bookable online. Please ask us.'))).toEqual([
      false,
      true,
    ]);
    expect(await brokenRules(container)).toEqual([]);
  });

  it('show that there are none, or that they are unavailable', async () => {
    expect(showAll(list([])).textContent).toContain('No specialties to show at the moment.');
    cleanup();
    const down = props({ specialties: DOWN, departments: DOWN, site: DOWN }, {}, '/specialties');
    const container = showAll(down);
    expect(container.textContent).toContain('The list of specialties can’t be shown right now');
    expect([all.status(list()), all.status(down)]).toEqual([200, 503]);
    expect(await brokenRules(container)).toEqual([]);
  });
});

describe('one specialty', () => {
  it('shows text, doctors, services and questions', async () => {
    const container = show(shown());
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Orthopaedics');
    const people = within(screen.getByRole('region', { name: 'Who sees you, and when' }));
    expect(people.getByRole('link', { name: 'View Profile of Dr. Nandini Iyengar' }).getAttribute('href')).toBe(
      '/doctor/dr-nandini-iyengar',
    );
    expect(people.getByRole('link', { name: /^Next free: Mon 23 Nov, 9:00 AM/ }).getAttribute('href')).toBe(
      '/appointment?department=cardiology&doctor=doc-06&date=2026-11-23&time=9%3A00%20AM',
    );
    expect(container.textContent).toContain('Dr. Without Profile');
    expect(container.textContent).toContain('Fracture care');
    const questions = [...container.querySelectorAll('details')];
    expect(questions.map((question) => question.getAttribute('name'))).toEqual(['faq', 'faq']);
    expect(screen.getByRole('link', { name: 'View Doctors' }).getAttribute('href')).toBe(
      '/doctors?specialty=Orthopaedics',
    );
    expect(await brokenRules(container)).toEqual([]);
  });

  it('leads from a problem in the patient’s words to a booking, and from danger to help', () => {
    show(shown());
    const links = within(screen.getByRole('navigation', { name: 'What brings you here?' })).getAllByRole('link');
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual(
      problems.map((problem) => [problem, '/appointment?department=orthopedics']),
    );
    expect(screen.getByRole('link', { name: 'Get help now' }).getAttribute('href')).toBe('/emergency');
    cleanup();
    show({ ...shown(), data: { ...shown().data, profiles: DOWN } });
    expect(screen.queryByRole('heading', { name: 'What brings you here?' })).toBeNull();
  });

  it('W3: links to the form with its department', () => {
    show(shown());
    expect(screen.getAllByRole('link', { name: 'Book Appointment' }).map((link) => link.getAttribute('href'))).toEqual(
      Array(2).fill('/appointment?department=orthopedics'),
    );
    cleanup();
    show(shown({ slug: 'nephrology', name: 'Nephrology', doctors: ['Dr. Chitra'], rich: false }, 'nephrology'));
    expect(screen.getAllByRole('link', { name: 'Book Appointment' })[0]?.getAttribute('href')).toBe(
      '/appointment?department=general-medicine&doctor=doc-14',
    );
    expect(screen.getByText(/under General Medicine/)).toBeTruthy();
  });

  it('S6: shows the clinics of one without doctors', async () => {
    const container = show(shown(GYNAECOLOGY, 'gynecology'));
    expect(container.textContent).toContain(
      'Antenatal clinicMon–Wed, 9:00 AM – 1:00 PMFirst floorConsultation fee ₹500',
    );
    expect(screen.getByRole('link', { name: 'Book Appointment in Antenatal clinic' }).getAttribute('href')).toBe(
      '/appointment?department=gynecology',
    );
    expect(await brokenRules(container)).toEqual([]);
  });

  it('S6: offers no booking of one with neither doctor nor clinic', async () => {
    const container = show(shown(UROLOGY, 'urology'));
    expect(screen.queryByRole('link', { name: 'Book Appointment' })).toBeNull();
    expect(container.textContent).toContain('You can’t book Urology online');
    expect(screen.getAllByRole('link', { name: 'Contact Us' })).not.toHaveLength(0);
    // The first department of the hospital.
    expect(screen.getAllByRole('link', { name: 'Book Cardiology' })[0]?.getAttribute('href')).toBe(
      '/appointment?department=cardiology',
    );
    expect(await brokenRules(container)).toEqual([]);
  });

  it('names its doctors even if their profiles are unavailable', () => {
    const container = show({ ...shown(), data: { ...shown().data, doctors: DOWN } });
    expect(container.textContent).toContain('Dr. Nandini Iyengar');
    expect(screen.queryByRole('link', { name: /Dr. Nandini Iyengar/ })).toBeNull();
  });

  it('is short with only a description', async () => {
    const container = show(shown({ rich: false, slug: 'cardiology', name: 'Cardiology' }, 'cardiology'));
    expect(screen.getByRole('heading', { name: 'Cardiology at Sampige Hospital' })).toBeTruthy();
    expect(container.textContent).not.toContain('Dr. Nandini Iyengar');
    expect(container.textContent).not.toContain('Fracture care');
    expect(container.querySelector('details')).toBeNull();
    expect(await brokenRules(container)).toEqual([]);
  });

  it('has its own text if unknown, and is a failure if unavailable', async () => {
    const unknown = props({ ...AROUND, specialty: MISSING, doctors }, { slug: 'x' }, '/specialty/x');
    const container = show(unknown);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Specialty Not Found');
    expect([one.status(unknown), one.head(unknown).title]).toEqual([404, 'Specialty Not Found | Sampige Hospital']);
    expect(await brokenRules(container)).toEqual([]);
    expect(one.status(props({ ...AROUND, specialty: DOWN, doctors: DOWN }, { slug: 'x' }))).toBe(503);
  });

  it('has one canonical URL', () => {
    expect([one.location(shown()), one.location(shown({}, 'orthopaedics'))]).toEqual([null, '/specialty/orthopedics']);
    const { canonicalPath, jsonLd } = one.head(shown({}, 'orthopaedics'));
    expect(canonicalPath).toBe('/specialty/orthopedics');
    expect(ofType(jsonLd, 'MedicalSpecialty').name).toBe('Orthopaedics');
    expect(ofType(jsonLd, 'FAQPage').mainEntity[0]).toEqual({
      '@type': 'Question',
      name: 'Is walking bad?',
      acceptedAnswer: { '@type': 'Answer', text: 'No.' },
    });
    expect(ofType(jsonLd, 'BreadcrumbList').itemListElement).toHaveLength(3);
  });

  it('has no structured data of hidden questions', () => {
    const { jsonLd, keywords } = one.head(shown({ rich: false }));
    expect(() => ofType(jsonLd, 'FAQPage')).toThrow('0 objects');
    expect(keywords).not.toContain('Fracture care');
  });
});
