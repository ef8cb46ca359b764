// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { brokenRules } from '@hospital/ui/accessibility';
import DoctorPage, { head, location, status } from './doctor.tsx';
import { openingHours } from './describe.ts';
import { DEPARTMENTS, DOCTOR, DOWN, MISSING, NEXT_FREE, SITE, ofType, ok, props } from '../../test/answers.ts';

afterEach(cleanup);

const BOOK = /^Book Appointment with /;

const page = (given: Parameters<typeof DoctorPage>[0]) =>
  render(
    <main>
      <DoctorPage {...given} />
    </main>,
  ).container;
const shown = (changes = {}, slug = DOCTOR.slug) =>
  props(
    {
      doctor: ok({ ...DOCTOR, ...changes }),
      next: ok({ next: [NEXT_FREE] }),
      departments: DEPARTMENTS,
      site: ok(SITE),
    },
    { slug },
    `/doctor/${slug}`,
  );

describe('one doctor', () => {
  it('shows the profile and its links', async () => {
    const container = page(shown());
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Dr. Nandini Iyengar');
    for (const text of [
      'Cardiology',
      'MBBS, DM',
      '17 Years',
      'Mon–Sat',
      '10:00 AM - 1:00 PM',
      '₹1000',
      'MBBS, Mysuru',
      'Heart failure',
      'Runs a clinic',
      'Registration numberKMC 000106',
      'Speaks Kannada, English',
    ]) {
      expect(container.textContent).toContain(text);
    }
    // W3: the button leads to the form with this doctor preselected.
    expect(screen.getByRole('link', { name: BOOK }).getAttribute('href')).toBe(
      '/appointment?department=cardiology&doctor=doc-06',
    );
    expect(screen.getByRole('link', { name: 'View All Doctors' }).getAttribute('href')).toBe('/doctors');
    expect(screen.getByRole('link', { name: '+91 80 0000 0141' }).getAttribute('href')).toBe('tel:+918000000141');
    expect(container.querySelector('nav[aria-label=Breadcrumb]')?.textContent).toBe('HomeDoctorsDr. Nandini Iyengar');
    expect(await brokenRules(container)).toEqual([]);
  });

  it('shows the next free times as links to a prefilled form', async () => {
    const days = [
      // 4:00 PM in India: later than the page's time, 3:00 PM. 2:30 PM has passed.
      { date: '2026-11-21', times: ['2:30 PM', '4:00 PM'] },
      { date: '2026-11-22', times: ['12:00 PM', '12:30 PM', '2:00 PM', '2:30 PM', '3:00 PM', '3:30 PM'] },
      { date: '2026-11-24', times: ['9:00 AM'] },
    ];
    const next = ok({ next: [{ ...NEXT_FREE, date: '2026-11-21', time: '2:30 PM', days }] });
    const container = page({ ...shown(), data: { ...shown().data, next } });
    const section = within(screen.getByRole('region', { name: 'Next free times' }));
    expect(section.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
      'Today Sat 21 Nov',
      'Tomorrow Sun 22 Nov',
      'Tue 24 Nov',
    ]);
    const links = section.getAllByRole('link', { name: / on / });
    expect(links.map(({ textContent }) => textContent)).toEqual([
      '4:00 PM on Saturday 21 November 2026 with Dr. Nandini Iyengar',
      ...['12:00 PM', '12:30 PM', '2:00 PM'].map(
        (time) => `${time} on Sunday 22 November 2026 with Dr. Nandini Iyengar`,
      ),
      '3 more on Sunday 22 November 2026',
      '9:00 AM on Tuesday 24 November 2026 with Dr. Nandini Iyengar',
    ]);
    expect([links[0], links[4]].map((link) => link?.getAttribute('href'))).toEqual([
      '/appointment?department=cardiology&doctor=doc-06&date=2026-11-21&time=4%3A00%20PM',
      '/appointment?department=cardiology&doctor=doc-06&date=2026-11-22',
    ]);
    expect(await brokenRules(container)).toEqual([]);
  });

  it('shows the next time of a service that lists no days', () => {
    page(shown());
    expect(screen.getByRole('link', { name: /^9:00 AM on Monday 23 November 2026/ }).getAttribute('href')).toBe(
      '/appointment?department=cardiology&doctor=doc-06&date=2026-11-23&time=9%3A00%20AM',
    );
  });

  it('offers a call and colleagues if no time is free', async () => {
    const next = ok({ next: [{ ...NEXT_FREE, date: '', time: '', startsAt: '' }] });
    const container = page({ ...shown(), data: { ...shown().data, next } });
    expect(screen.getByRole('heading', { name: 'No free times online' })).toBeTruthy();
    expect(container.querySelector('a[href^="/appointment"]')).toBeNull();
    expect(screen.getByRole('link', { name: 'See who else can see you' }).getAttribute('href')).toBe(
      '/doctors?specialty=Cardiology',
    );
    expect(await brokenRules(container)).toEqual([]);
  });

  it('leads to the form if the free times are unavailable', () => {
    page({ ...shown(), data: { ...shown().data, next: DOWN } });
    expect(screen.getByRole('heading', { name: 'Book a visit' })).toBeTruthy();
    expect(screen.getByRole('link', { name: BOOK })).toBeTruthy();
  });

  it('W3: passes the doctor to the form even if the departments are unavailable', () => {
    page({ ...shown(), data: { ...shown().data, departments: DOWN } });
    expect(screen.getAllByRole('link', { name: BOOK })[0]?.getAttribute('href')).toBe('/appointment?doctor=doc-06');
  });

  it('S6: names the department under which the form lists a specialist', () => {
    const chitra = shown({ id: 'doc-14', name: 'Dr. Chitra', specialty: 'Nephrology', specialtyKey: 'nephrology' });
    expect(page(chitra).textContent).toContain('In the booking form, you’ll find Dr. Chitra under General Medicine.');
    expect(screen.getAllByRole('link', { name: BOOK })[0]?.getAttribute('href')).toBe(
      '/appointment?department=general-medicine&doctor=doc-14',
    );
    cleanup();
    expect(page(shown()).textContent).not.toContain('In the booking form');
  });

  it('S6: offers no booking with a doctor who isn’t taking new patients', async () => {
    const container = page(shown({ closedToNewPatients: true }));
    expect(container.textContent).toContain('Dr. Nandini Iyengar isn’t taking new patients');
    expect(container.querySelector('a[href^="/appointment"]')).toBeNull();
    expect(screen.getByRole('link', { name: 'See colleagues in Cardiology' }).getAttribute('href')).toBe(
      '/doctors?specialty=Cardiology',
    );
    expect(await brokenRules(container)).toEqual([]);
  });

  it('generates a text for a profile without one', () => {
    const bare = shown({
      about: '',
      education: [],
      achievements: [],
      specializations: [],
      timings: 'Appointment Only',
    });
    expect(page(bare).textContent).toContain(
      'Dr. Nandini Iyengar is a specialist in Cardiology at Sampige Hospital with 17 years of experience. Dr. Nandini Iyengar holds MBBS, DM. Consultations are held Mon–Sat, by appointment.',
    );
    expect(screen.queryByRole('heading', { name: 'Education' })).toBeNull();
    cleanup();
    expect(page(shown({ registrationNumber: '' })).textContent).not.toContain('Registration number');
    expect(head(bare).description.length).toBeLessThanOrEqual(160);
  });

  it('is the 404 page for an unknown doctor', async () => {
    const unknown = props(
      { doctor: MISSING, next: DOWN, departments: DOWN, site: ok(SITE) },
      { slug: 'x' },
      '/doctor/x',
    );
    const container = page(unknown);
    expect(container.textContent).toContain('404');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Page Not Found');
    expect(screen.getByRole('link', { name: 'Go to Homepage' }).getAttribute('href')).toBe('/');
    expect(screen.getByRole('link', { name: 'Go Back' }).getAttribute('href')).toBe('/doctors');
    expect([status(unknown), head(unknown).robots, location(unknown)]).toEqual([404, 'noindex', null]);
    expect(await brokenRules(container)).toEqual([]);
  });

  it('shows that the profile is unavailable, with an error status', async () => {
    const down = props({ doctor: DOWN, next: DOWN, departments: DOWN, site: DOWN }, { slug: 'x' }, '/doctor/x');
    const container = page(down);
    expect(container.textContent).toContain('This profile can’t be shown right now');
    expect(screen.getByRole('link', { name: 'Try again' }).getAttribute('href')).toBe('/doctor/x');
    expect([status(down), head(down).robots]).toEqual([503, 'noindex']);
    expect(await brokenRules(container)).toEqual([]);
  });

  it('redirects the id to the slug', () => {
    expect(location(shown())).toBeNull();
    expect(location(shown({}, 'doc-06'))).toBe('/doctor/dr-nandini-iyengar');
  });

  it('has structured data of the doctor', () => {
    const { title, canonicalPath, keywords, jsonLd } = head(shown({}, 'doc-06'));
    expect([title, canonicalPath]).toEqual([
      'Dr. Nandini Iyengar, Cardiology | Sampige Hospital',
      '/doctor/dr-nandini-iyengar',
    ]);
    expect(keywords).toContain('cardiologist Jayanagar');
    expect(ofType(jsonLd, 'Physician')).toMatchObject({
      '@context': 'https://schema.org',
      name: 'Dr. Nandini Iyengar',
      url: 'https://hospital.example/doctor/dr-nandini-iyengar',
      medicalSpecialty: ['https://schema.org/Cardiovascular'],
      telephone: '+918000000141',
      address: { streetAddress: '214, 9th Main Road, Jayanagar', addressLocality: 'Bengaluru' },
      openingHours: 'Mo-Sa 10:00-13:00',
      hospitalAffiliation: { '@id': 'https://hospital.example/#hospital' },
    });
    expect(ofType(jsonLd, 'BreadcrumbList').itemListElement.map(({ item }: { item: string }) => item)).toEqual([
      'https://hospital.example/',
      'https://hospital.example/doctors',
      'https://hospital.example/doctor/dr-nandini-iyengar',
    ]);
    expect(head(shown({ seoTitle: 'Heart doctor', metaDescription: 'Described.' }))).toMatchObject({
      title: 'Heart doctor',
      description: 'Described.',
    });
  });

  it('parses only timings that are a range', () => {
    expect(openingHours('4:00 PM - 7:30 PM')).toBe('16:00-19:30');
    expect(openingHours('12:00 PM - 1:00 PM')).toBe('12:00-13:00');
    expect(openingHours('Appointment Only')).toBeNull();
  });
});
