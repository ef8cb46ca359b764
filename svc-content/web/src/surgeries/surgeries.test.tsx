// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { brokenRules } from '@hospital/ui/accessibility';
import SurgeriesPage, * as all from './surgeries.tsx';
import SurgeryPage, * as one from '../surgery/surgery.tsx';
import { DEPARTMENTS, DOWN, MISSING, SITE, SURGERY, ofType, ok, props } from '../../test/answers.ts';

afterEach(cleanup);

const list = (surgeries = [SURGERY]) =>
  props({ surgeries: ok({ surgeries, nextPageToken: '' }), site: ok(SITE) }, {}, '/deluxe-surgeries');
const shown = (slug = SURGERY.slug) =>
  props({ surgery: ok(SURGERY), departments: DEPARTMENTS, site: ok(SITE) }, { slug }, `/deluxe-surgeries/${slug}`);
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
    expect(card.getByText('30-60 minutes')).toBeTruthy();
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

  it('W3: links to the form with its surgeon, and names them', () => {
    const container = show(shown());
    const links = [...container.querySelectorAll('a[href^="/appointment"]')];
    expect(links.map((link) => link.getAttribute('href'))).toEqual(
      Array(3).fill('/appointment?department=orthopedics&doctor=doc-02'),
    );
    expect(container.textContent).toContain('Who you seeDr. Rao');
    expect(container.textContent).toContain('Consultation fee₹900');
  });

  it('opens one question at a time, none at first', () => {
    const questions = [...show(shown()).querySelectorAll('details')];
    expect(questions.map((question) => question.open)).toEqual([false, false]);
    expect(new Set(questions.map((question) => question.getAttribute('name')))).toEqual(new Set(['faq']));
  });

  it('has its own text if unknown, and is a failure if unavailable', async () => {
    const unknown = props(
      { surgery: MISSING, departments: DEPARTMENTS, site: ok(SITE) },
      { slug: '99' },
      '/deluxe-surgeries/99',
    );
    const container = show(unknown);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Surgery Not Found');
    expect(screen.getByRole('link', { name: 'Go Back' }).getAttribute('href')).toBe('/deluxe-surgeries');
    expect([one.status(unknown), one.head(unknown).robots]).toEqual([404, 'noindex']);
    expect(await brokenRules(container)).toEqual([]);
    expect(one.status(props({ surgery: DOWN, departments: DOWN, site: DOWN }, { slug: 'x' }))).toBe(503);
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
