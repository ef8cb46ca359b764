// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { brokenRules } from '@hospital/ui/accessibility';
import SurgeriesPage, * as all from './surgeries.tsx';
import SurgeryPage, * as one from '../surgery/surgery.tsx';
import {
  DEPARTMENTS,
  DOCTOR,
  DOWN,
  MISSING,
  NEXT_FREE,
  SITE,
  SURGERY,
  ofType,
  ok,
  props,
  words,
} from '../../test/answers.ts';

afterEach(cleanup);

const list = (surgeries = [SURGERY]) =>
  props({ surgeries: ok({ surgeries, nextPageToken: '' }), site: ok(SITE) }, {}, '/deluxe-surgeries');
const SURGEON = { ...DOCTOR, id: 'doc-02', slug: 'dr-rao', name: 'Dr. Rao', languages: ['Kannada', 'English'] };
const data = {
  surgery: ok(SURGERY),
  doctors: ok({ doctors: [DOCTOR, SURGEON], specialties: [], nextPageToken: '' }),
  next: ok({ next: [{ ...NEXT_FREE, doctor: 'doc-02', department: 'orthopedics' }] }),
  departments: DEPARTMENTS,
  site: ok(SITE),
};
const shown = (slug = SURGERY.slug, change: Partial<Parameters<typeof SurgeryPage>[0]['data']> = {}) =>
  props({ ...data, ...change }, { slug }, `/deluxe-surgeries/${slug}`);
const showAll = (given: Parameters<typeof SurgeriesPage>[0]) =>
  render(
    <main>
      <SurgeriesPage {...given} />
    </main>,
  ).container;
const show = (given: Parameters<typeof SurgeryPage>[0]) =>
  render(
    <main>
      <SurgeryPage {...given} />
    </main>,
  ).container;

describe('the surgeries', () => {
  it('are cards with times, facilities and a consultation link', async () => {
    const container = showAll(list());
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Deluxe Surgeries');
    const card = within(container.querySelector('[data-card]') as HTMLElement);
    expect(card.getByRole('link', { name: 'Learn More about Arthroscopy' }).getAttribute('href')).toBe(
      '/deluxe-surgeries/arthroscopy',
    );
    expect(words(container.querySelector('[data-card] dl') as Element)).toBe(
      'From₹64,000StayDay careOperation30-60 minutesRecovery1-2 weeks',
    );
    expect(screen.getByRole('heading', { name: 'What makes the stay easier' })).toBeTruthy();
    expect(screen.getByRole('link', { name: '+91 80 0000 0141' })).toBeTruthy();
    expect(container.querySelector('a[href="mailto:visit@hospital.example"]')).toBeTruthy();
    expect(await brokenRules(container)).toEqual([]);
  });

  it('show that there are none, or that they are unavailable', async () => {
    expect(showAll(list([])).textContent).toContain('No surgeries to show at the moment.');
    cleanup();
    const down = props({ surgeries: DOWN, site: DOWN }, {}, '/deluxe-surgeries');
    const container = showAll(down);
    expect(container.textContent).toContain('The list of surgeries can’t be shown right now');
    expect([all.status(list()), all.status(down)]).toEqual([200, 503]);
    expect(await brokenRules(container)).toEqual([]);
  });
});

describe('one surgery', () => {
  it('shows all its sections', async () => {
    const container = show(shown());
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Arthroscopy');
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      'What it costs',
      'Who operates',
      'Your recovery',
      'About Arthroscopy',
      'When it is advised',
      'Key benefits',
      'What happens',
      'Frequently asked questions',
      'Plan your operation',
      'Ask about Arthroscopy',
    ]);
    for (const text of ['30-60 minutes', '1-2 weeks', 'A knee that locks', 'Small cuts', 'The surgeon looks.'])
      expect(container.textContent).toContain(text);
    expect(await brokenRules(container)).toEqual([]);
  });

  it('U8: begins with price, times and stay', () => {
    const facts = words(show(shown()).querySelector('header dl') as Element);
    expect(facts).toBe(
      'Price₹64,000 – ₹2,15,000In the theatre30-60 minutesIn hospitalDay careBack to desk work3-14 daysBack to daily life1-2 weeks',
    );
  });

  it('U8: shows packages, what they include, what changes them and insurance', () => {
    const container = show(shown());
    const cost = within(container.querySelector('[aria-labelledby=cost]') as HTMLElement);
    expect(cost.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
      'Trim',
      'New ligament',
      'Included',
      'Not included',
      'What changes the price',
      'Insurance and cashless treatment',
    ]);
    for (const text of ['₹64,000 – ₹96,000', '₹1,48,000 – ₹2,15,000', 'The MRI scan', 'Usually 1 to 4 hours.'])
      expect(cost.getByText(text)).toBeTruthy();
    expect(cost.getAllByRole('listitem').map(({ textContent }) => textContent)).toContain('Show your card.');
  });

  it('U8: names the surgeon with languages, fee and next free time, and links to the form', () => {
    const container = show(shown());
    const surgeon = within(container.querySelector('[aria-labelledby=surgeon]') as HTMLElement);
    expect(surgeon.getByRole('link', { name: 'Dr. Rao' }).getAttribute('href')).toBe('/doctor/dr-rao');
    for (const text of ['Kannada, English', '₹900']) expect(surgeon.getByText(text)).toBeTruthy();
    const next = surgeon.getByRole('link', { name: 'Next free: Mon 23 Nov, 9:00 AM with Dr. Rao' });
    expect(next.getAttribute('href')).toBe(
      '/appointment?department=orthopedics&doctor=doc-02&date=2026-11-23&time=9%3A00%20AM',
    );
    const links = [...container.querySelectorAll('a[href="/appointment?department=orthopedics&doctor=doc-02"]')];
    expect(links).toHaveLength(4);
  });

  it('shows the recovery as an ordered timeline', () => {
    const steps = show(shown()).querySelectorAll('[aria-labelledby=recovery] ol > li');
    expect([...steps].map(words)).toEqual(['Day 0HomeKeep it raised.', 'Week 1DeskWork again.']);
  });

  it('is complete without the directory, and with a service that sends no prices', async () => {
    const { cost: _, recoverySteps: __, price: ___, stay: ____, backToWork: _____, ...older } = SURGERY;
    const surgery = ok(older as typeof SURGERY);
    const container = show(shown(SURGERY.slug, { surgery, doctors: DOWN, next: DOWN, departments: DOWN }));
    expect(screen.getAllByRole('heading', { level: 2 })[0]?.textContent).toBe('About Arthroscopy');
    expect(container.textContent).not.toMatch(/undefined|₹|NaN/);
    expect(await brokenRules(container)).toEqual([]);
  });

  it('opens one question at a time, none at first', () => {
    const questions = [...show(shown()).querySelectorAll<HTMLDetailsElement>('[aria-labelledby=faq] details')];
    expect(questions.map((question) => question.open)).toEqual([false, false]);
    expect(new Set(questions.map((question) => question.getAttribute('name')))).toEqual(new Set(['faq']));
  });

  it('has its own text if unknown, and is a failure if unavailable', async () => {
    const unknown = shown('99', { surgery: MISSING });
    const container = show(unknown);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Surgery Not Found');
    expect(screen.getByRole('link', { name: 'Go Back' }).getAttribute('href')).toBe('/deluxe-surgeries');
    expect([one.status(unknown), one.head(unknown).robots]).toEqual([404, 'noindex']);
    expect(await brokenRules(container)).toEqual([]);
    expect(one.status(shown('x', { surgery: DOWN }))).toBe(503);
  });

  it('has one canonical URL', () => {
    expect([one.location(shown()), one.location(shown('3'))]).toEqual([null, '/deluxe-surgeries/arthroscopy']);
    const { canonicalPath, jsonLd } = one.head(shown('3'));
    expect(canonicalPath).toBe('/deluxe-surgeries/arthroscopy');
    expect(ofType(jsonLd, 'MedicalProcedure')).toMatchObject({
      name: 'Arthroscopy',
      howPerformed: 'You sleep. The surgeon looks.',
    });
    expect(ofType(jsonLd, 'FAQPage').mainEntity).toHaveLength(2);
    expect(ofType(jsonLd, 'BreadcrumbList').itemListElement[2]).toEqual({
      '@type': 'ListItem',
      position: 3,
      name: 'Arthroscopy',
      item: 'https://hospital.example/deluxe-surgeries/arthroscopy',
    });
  });
});
