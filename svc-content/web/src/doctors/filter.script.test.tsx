// @vitest-environment happy-dom
import { act } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import filterDoctors from './filter.script.ts';
import DoctorsPage from './doctors.tsx';
import { DEPARTMENTS, failed, DOCTOR, SITE, SPECIALTY, ok, props } from '../../test/answers.ts';

const LIST = [
  DOCTOR,
  { ...DOCTOR, id: 'doc-02', slug: 'dr-rao', name: 'Dr. Rao', specialty: 'Orthopaedics', specialtyKey: 'orthopedics' },
  {
    ...DOCTOR,
    id: 'doc-03',
    slug: 'dr-shetty',
    name: 'Dr. Shetty',
    specialty: 'Orthopedics',
    specialtyKey: 'orthopedics',
  },
];
const LABELS = ['Cardiology', 'Orthopaedics', 'Orthopedics'];

/** Renders the page as served and runs its script. */
function open(found = LIST, query: Record<string, string> = {}) {
  const given = {
    ...props({
      all: ok({ doctors: LIST, specialties: LABELS, nextPageToken: '' }),
      ofSpecialty: ok({ doctors: found, specialties: LABELS, nextPageToken: '' }),
      next: failed(503),
      departments: DEPARTMENTS,
      specialties: ok({
        specialties: [{ ...SPECIALTY, slug: 'urology', name: 'Urology', doctors: [] }],
        nextPageToken: '',
      }),
      site: ok(SITE),
    }),
    query,
  };
  document.body.innerHTML = renderToString(<DoctorsPage {...given} />);
  filterDoctors(document.body);
  const form = document.querySelector('form') as HTMLFormElement;
  return {
    form,
    enter(name: string, value: string) {
      const control = form.elements.namedItem(name) as HTMLInputElement;
      act(() => {
        control.value = value;
        control.dispatchEvent(new Event('input', { bubbles: true }));
      });
      vi.advanceTimersByTime(300);
    },
    names: () =>
      [...document.querySelectorAll<HTMLElement>('[data-card]:not([hidden]) h2')].map(({ textContent }) => textContent),
    hidden: (part: string) => (document.querySelector(`[data-${part}]`) as HTMLElement).hidden,
    count: () => document.querySelector('[data-found]')?.textContent,
  };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  document.body.innerHTML = '';
  history.replaceState(null, '', '/doctors');
});

describe('the filter of the directory', () => {
  it('finds by name or specialty while typing, in any case', () => {
    const page = open();
    page.enter('q', ' sHeT');
    expect([page.names(), page.count(), location.search]).toEqual([['Dr. Shetty'], '1 doctor', '?q=+sHeT']);
    page.enter('q', 'ORTHOPAEDICS');
    expect(page.names()).toEqual(['Dr. Rao']);
    page.enter('q', '');
    expect([page.names().length, page.count(), location.search, page.hidden('show-all')]).toEqual([
      3,
      '3 doctors',
      '',
      true,
    ]);
  });

  it('treats equivalent labels as one, and combines both filters', () => {
    const page = open();
    page.enter('specialty', 'Orthopaedics');
    expect(page.names()).toEqual(['Dr. Rao', 'Dr. Shetty']);
    page.enter('q', 'rao');
    expect([page.names(), page.hidden('show-all')]).toEqual([['Dr. Rao'], false]);
    expect(location.search).toBe('?q=rao&specialty=Orthopaedics');
  });

  it('shows that no doctor was found', () => {
    const page = open();
    page.enter('q', 'zzq');
    expect([page.names(), page.hidden('nobody'), page.count()]).toEqual([[], false, '0 doctors']);
    page.enter('q', 'rao');
    expect(page.hidden('nobody')).toBe(true);
  });

  it('extends a list that the URL has narrowed', () => {
    const page = open([], { specialty: 'Paediatrics' });
    expect([page.names(), page.hidden('nobody')]).toEqual([[], false]);
    page.enter('specialty', '');
    expect(page.names()).toHaveLength(3);
  });

  it('S6: shows what the URL requests instead of the list, until another choice', () => {
    const page = open([], { specialty: 'Urology' });
    dispatchEvent(new Event('pageshow'));
    expect([page.names(), page.hidden('instead'), page.hidden('nobody')]).toEqual([[], false, true]);
    page.enter('q', 'zzq');
    expect([page.names(), page.hidden('instead'), page.hidden('nobody')]).toEqual([[], true, false]);
    page.enter('q', '');
    expect([page.names().length, page.hidden('instead')]).toEqual([3, true]);
  });

  it('handles the button without leaving the page', () => {
    const page = open();
    const sent = new Event('submit', { bubbles: true, cancelable: true });
    page.form.dispatchEvent(sent);
    expect(sent.defaultPrevented).toBe(true);
    expect(document.activeElement?.textContent).toBe('3 doctors');
  });

  it('ignores a page without a directory', () => {
    document.body.innerHTML = '<form data-filter></form>';
    expect(() => filterDoctors(document.body)).not.toThrow();
  });
});
