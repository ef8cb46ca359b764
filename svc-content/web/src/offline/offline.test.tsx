// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { brokenRules } from '@hospital/ui/accessibility';
import { DOWN, ok, props, SITE, words } from '../../test/answers.ts';
import OfflinePage, { head } from './offline.tsx';

type OfflineProps = Parameters<typeof OfflinePage>[0];

const offline = (site: OfflineProps['data']['site']) => props({ site }, {}, '/offline');

afterEach(cleanup);

describe('the offline page', () => {
  it.each([
    ['with the site’s data', ok(SITE)],
    ['without data', DOWN],
  ])('links only to what works without a connection, %s', async (_, site) => {
    const { container } = render(
      <main>
        <OfflinePage {...offline(site)} />
      </main>,
    );
    const targets = [...container.querySelectorAll('a')].map((link) => link.getAttribute('href') as string);
    expect(
      targets.filter((target) => !/^(tel:\+?\d+|geo:[\d.,-]+\?.+|\/emergency|\/appointment\/pass|)$/.test(target)),
    ).toEqual([]);
    expect(targets.filter((target) => target.startsWith('tel:')).length).toBeGreaterThanOrEqual(2);
    expect(words(container.querySelector('h1') as HTMLElement)).toBe('You’re offline');
    expect(await brokenRules(container)).toEqual([]);
    expect(head(offline(site)).robots).toBe('noindex');
  });
});
