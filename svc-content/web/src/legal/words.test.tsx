// @vitest-environment happy-dom
/** Pages that are words: legal texts and what to do in an emergency. */
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { brokenRules } from '@hospital/ui/accessibility';
import type { Page } from '@hospital/api/get-page';
import EmergencyPage, { head as emergencyHead } from '../emergency/emergency.tsx';
import LegalPage, { head, status } from './legal.tsx';
import { DOWN, MISSING, NOW, ok, SITE, words } from '../../test/answers.ts';

type LegalProps = Parameters<typeof LegalPage>[0];

const SECTION = { icon: '', signs: [], steps: [], avoid: [], items: [], contacts: [] };
const PRIVACY: Page = {
  id: 'privacy', title: 'Privacy notice', description: 'What is stored', intro: 'In short.', updated: '2026-11-21',
  sections: [
    { ...SECTION, id: 'who', heading: 'Who', paragraphs: ['We.'], items: ['One', 'Two'] },
    { ...SECTION, id: 'ask', heading: 'Ask', paragraphs: ['Write.'], contacts: ['address', 'email:info', 'phone:reception', 'phone:nobody'] },
  ],
}; // prettier-ignore

function legal(answer: LegalProps['data']['page'], site: LegalProps['data']['site'] = ok(SITE)): LegalProps {
  return {
    params: {},
    query: {},
    part: 'content:page',
    action: null,
    now: NOW,
    path: '/privacy',
    data: { page: answer, site },
  };
}
const show = (given: LegalProps) =>
  render(
    <main>
      <LegalPage {...given} />
    </main>,
  ).container;
const emergency = (site: LegalProps['data']['site']) => ({
  params: {},
  query: {},
  part: 'content:page',
  action: null,
  now: NOW,
  path: '/emergency',
  data: { site },
});

afterEach(cleanup);

describe('a legal text', () => {
  it('has its sections with links to them, lists and lines of the site', async () => {
    const container = show(legal(ok(PRIVACY)));
    expect([...container.querySelectorAll('nav[aria-labelledby] a')].map((link) => link.getAttribute('href'))).toEqual([
      '#who',
      '#ask',
    ]);
    expect([...container.querySelectorAll('section')].map(words)).toEqual([
      'WhoWe.OneTwo',
      'AskWrite.Sampige Hospital, 214, 9th Main Road, Jayanagar, Bengaluru 560041Information desk: info@hospital.exampleReception: +91 80 0000 0100',
    ]);
    expect(words(container.querySelector('header') as Element)).toContain('Last changed on 21 November 2026');
    expect(await brokenRules(container)).toEqual([]);
  });

  it('is described, and missed, as what it is', async () => {
    expect(head(legal(ok(PRIVACY)))).toMatchObject({
      title: 'Privacy notice | Sampige Hospital',
      description: 'What is stored',
      canonicalPath: '/privacy',
    });
    for (const [answer, code] of [
      [DOWN, 503],
      [MISSING, 404],
    ] as const) {
      const container = show(legal(answer, DOWN));
      expect([status(legal(answer)), container.querySelectorAll('h1').length, head(legal(answer)).robots]).toEqual([
        code,
        1,
        'noindex',
      ]);
      expect(await brokenRules(container)).toEqual([]);
      cleanup();
    }
  });
});

describe('the emergency page', () => {
  it('stands with all its words and numbers when nothing answers', async () => {
    const { container } = render(
      <main>
        <EmergencyPage {...emergency(DOWN)} />
      </main>,
    );
    expect([...container.querySelectorAll('a[href^="tel:"]')].map((link) => link.getAttribute('href'))).toEqual([
      'tel:+918000000108',
      'tel:+918000000102',
      'tel:108',
      'tel:112',
    ]);
    const titles = [
      'Not awake and not breathing normally',
      'Chest pain',
      'Stroke: think FAST',
      'Heavy bleeding',
      'Burns',
      'Choking',
      'Poisoning or snake bite',
      'Labour and pregnancy',
    ];
    expect([...container.querySelectorAll('h2')].map(words)).toEqual(titles);
    expect([...container.querySelectorAll('nav a')].map(words)).toEqual(titles);
    for (const link of container.querySelectorAll('nav a'))
      expect(container.querySelector(link.getAttribute('href') as string)).not.toBeNull();
    expect(container.innerHTML).not.toMatch(/<script|<form| style=| on\w+=/);
    expect(await brokenRules(container)).toEqual([]);
    expect(emergencyHead(emergency(DOWN))).toMatchObject({
      title: 'In an emergency | Sampige Hospital',
      canonicalPath: '/emergency',
    });
  });

  it('prefers the numbers of the site', () => {
    render(<EmergencyPage {...emergency(ok(SITE))} />);
    expect(screen.getByRole('link', { name: 'Call +91 80 0000 0999' }).getAttribute('href')).toBe('tel:+918000000999');
    expect(screen.getByRole('link', { name: 'Ambulance +91 80 0000 0102' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Get directions' }).getAttribute('href')).toContain(
      encodeURIComponent('214, 9th Main Road'),
    );
  });
});
