// @vitest-environment happy-dom
import type { PageProps, Releases, ServiceHealth, StaffMember } from '@hospital/page';
import type { ReactElement } from 'react';
import { screen } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { inEngine } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import StaffReleases, { head, status } from '../src/staff-releases.tsx';
import StaffStatus from '../src/staff-status.tsx';

afterEach(() => document.body.replaceChildren());

const NOW = '2026-11-21T09:30:00Z';
const MANAGER: StaffMember = { name: 'Farida Khan', scopes: ['audit:read', 'releases:read', 'messages:read'] };
const down = { ok: false, status: 503, body: null } as const;

function props<Data extends object>(data: PageProps<Data>['data'], staff = MANAGER): PageProps<Data> {
  return { params: {}, query: {}, data, action: null, now: NOW, path: '/staff/x', part: 'shell:/staff/x', staff };
}

function serve(page: () => ReactElement): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(page(), { identifierPrefix: 'f0-' }));
  document.body.append(main);
  return main;
}

const BOOKING: Releases['remotes'][string] = {
  wanted: '1.1.0',
  stable: '1.0.0',
  since: Date.parse('2026-11-20T04:00:00Z') / 1000,
  previous: '0.9.0',
  canary: { version: '1.2.0', percent: 5, since: null },
  refused: [{ version: '1.1.0', reason: 'signature', detail: 'no signature by a key of booking' }],
};

const releases = (change: Partial<Releases> = {}) =>
  props<{ releases: Releases }>({
    releases: {
      ok: true,
      status: 200,
      body: { problem: null, keys_problem: null, remotes: { booking: BOOKING }, ...change },
    },
  });

describe('releases', () => {
  it('shows what is live, wanted, in canary and refused', async () => {
    const main = serve(() => <StaffReleases {...releases()} />);
    const text = main.textContent;
    for (const part of [
      'Appointments booking',
      'Live1.0.0',
      'Live here sinceFriday 20 November 2026, 9:30 AM IST',
      'Wanted, not live1.1.0',
      'Canary1.2.0, for 5 % of pages',
      'Before that0.9.0',
      '1.1.0 (signature): no signature by a key of booking',
    ])
      expect(text).toContain(part);
    expect(main.querySelector('form, button')).toBeNull();
    expect(await brokenRules(main)).toEqual([]);
  });

  it('shows that the gateway refuses the whole list, and a team without any version', async () => {
    const nothing = { ...BOOKING, stable: null, since: null, wanted: null, canary: null, previous: null, refused: [] };
    const change = { problem: 'no JSON', keys_problem: 'no key', remotes: { booking: nothing } };
    const main = serve(() => <StaffReleases {...releases(change)} />);
    expect(screen.getAllByRole('alert').map((one) => one.textContent)).toEqual([
      expect.stringContaining('no JSON'),
      expect.stringContaining('no key'),
    ]);
    expect(main.textContent).toContain('LiveNothing');
    expect(main.textContent).not.toContain('Wanted');
    expect(await brokenRules(main)).toEqual([]);
  });

  it('says that there are none', async () => {
    const given = props<{ releases: Releases }>({ releases: down });
    const main = serve(() => <StaffReleases {...given} />);
    expect([status(given), head(given).title]).toEqual([503, 'Error: Releases']);
    expect(screen.getByRole('alert').textContent).toContain('can’t be shown');
    expect(await brokenRules(main)).toEqual([]);
    document.body.replaceChildren();
    expect(serve(() => <StaffReleases {...releases({ remotes: {} })} />).textContent).toContain('serves no pages');
  });
});

describe('status', () => {
  const health = (...states: ServiceHealth['services'][number]['state'][]) => ({
    ok: true as const,
    status: 200,
    body: {
      services: states.map((state, index) => ({
        name: ['booking', 'messaging'][index] as string,
        offers: 'Booking an appointment',
        state,
        checked: index ? null : NOW,
      })),
    },
  });
  const deliveries = (count: number, nextPageToken = '') =>
    ({ ok: true, status: 200, body: { deliveries: Array.from({ length: count }), nextPageToken } }) as never;
  const given = (data: object, staff = MANAGER) => props({ failed: down, postponed: down, ...data }, staff) as never;

  it.each([
    [['up', 'up'], 'Everything works.'],
    [['up', 'slow'], 'Everything works, some of it with delays.'],
    [['up', 'unknown'], 'We’re checking.'],
    [['down', 'slow'], 'Isn’t working: Appointments.'],
  ] as const)('sums up the services: %#', async (states, text) => {
    const main = serve(() => <StaffStatus {...(given({ services: health(...states) }) as object as Parameters<typeof StaffStatus>[0])} />);
    expect(main.textContent).toContain(text);
    expect(await brokenRules(main)).toEqual([]);
  }); // prettier-ignore

  it('counts mails only for people with the scope, and links what the person may see', async () => {
    const data = { services: health('up'), failed: deliveries(25, 'x'), postponed: deliveries(0) };
    const main = serve(() => <StaffStatus {...(given(data) as object as Parameters<typeof StaffStatus>[0])} />);
    expect(main.textContent).toContain('Failed25 or more');
    expect(main.textContent).toContain('PostponedNone');
    expect(screen.getByRole('link', { name: '25 or more' }).getAttribute('href')).toBe(
      '/staff/deliveries?state=failed',
    );
    expect(screen.getByRole('link', { name: 'Audit log' })).toBeDefined();
    expect(await brokenRules(main)).toEqual([]);
    document.body.replaceChildren();
    const nobody = { name: 'Asha', scopes: [] };
    const less = serve(() => <StaffStatus {...(given(data, nobody) as object as Parameters<typeof StaffStatus>[0])} />);
    expect(less.textContent).not.toContain('Failed');
    expect(screen.queryByRole('navigation')).toBeNull();
  });

  it('keeps the rest if a part is down', async () => {
    const main = serve(() => <StaffStatus {...(given({ services: down }) as object as Parameters<typeof StaffStatus>[0])} />);
    expect(screen.getByRole('alert').textContent).toContain('services can’t be shown');
    expect(main.textContent).toContain('FailedCan’t be shown right now');
    expect(await brokenRules(main)).toEqual([]);
  }); // prettier-ignore
});
