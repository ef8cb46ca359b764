// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { brokenRules } from '@hospital/ui/accessibility';
import type { Page } from '@hospital/api/types';
import LegalPage, { head, status } from './legal.tsx';
import { DOWN, MISSING, NOW, ok, SITE, words } from '../../test/answers.ts';

type LegalProps = Parameters<typeof LegalPage>[0];

const SECTION = { icon: '', signs: [], today: [], home: [], steps: [], avoid: [], items: [], contacts: [] };
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
afterEach(cleanup);

describe('a legal text', () => {
  it('has its linked sections, lists and site data', async () => {
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

  it('has its description, and a 404 page', async () => {
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
