// @vitest-environment happy-dom
/** The states and languages in the day's list. */
import { screen, within } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import { inEngine } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { ARRIVED, ASHA, DONE, INSIDE, NOW, dayProps, listed } from './desk/fixtures.ts';
import StaffToday from './staff-today.tsx';

afterEach(() => document.body.replaceChildren());

function serve(given = dayProps()): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = inEngine(() => renderToString(<StaffToday {...given} />, { identifierPrefix: 'f0-' }));
  document.body.append(main);
  return main;
}

const buttonsOf = (name: string) => {
  const row = screen.getByRole('heading', { level: 3, name }).closest('[data-row]') as HTMLElement;
  return [...row.querySelectorAll('button')].map(({ value }) => value.split('\t')[0]);
};

describe('the list', () => {
  it('names each state in words, and marks it for a shape', () => {
    serve();
    const states = [...document.querySelectorAll<HTMLElement>('.state')];
    expect(states.map((one) => [one.textContent, one.dataset.state])).toEqual([
      ['Arrived', 'arrived'], ['Booked', 'booked'], ['Completed', 'completed'], ['Cancelled', 'cancelled'], ['Booked', 'booked'],
    ]); // prettier-ignore
  });

  it('separates patients who wait from those with the doctor', async () => {
    const main = serve(dayProps({ data: { list: listed([ARRIVED, INSIDE, { ...DONE, consultationTime: NOW }]) } }));
    const counts = within(screen.getByRole('navigation', { name: 'By status' })).getAllByRole('link');
    expect(counts.map((one) => one.textContent?.trim())).toEqual([
      'All 3', 'Booked 0', 'Waiting 1', 'With the doctor 1', 'Completed 1', 'No-show 0', 'Cancelled 0',
    ]); // prettier-ignore
    const states = [...document.querySelectorAll<HTMLElement>('.state')];
    expect(states.map((one) => [one.textContent, one.dataset.state])).toEqual([
      ['Arrived', 'arrived'],
      ['With the doctor since 2:40 PM', 'in_consultation'],
      ['Completed', 'completed'],
    ]);
    expect(buttonsOf('Eshwar')).toEqual(['completed']);
    for (const name of ['With the doctor: Bhavana "B" <Gowda>', 'Completed: Bhavana "B" <Gowda>'])
      expect(screen.getByRole('button', { name }).closest('details')).toBeNull();
    expect(await brokenRules(main)).toEqual([]);
    document.body.replaceChildren();
    serve(dayProps({ query: { status: 'in_consultation' }, data: { list: listed([INSIDE]) } }));
    expect(document.body.textContent).toContain('Filter: With the doctor only.');
  });

  it.each([
    ['kn', 'Dr. Nandini Iyengar, Cardiology. Language: Kannada'],
    ['hi', 'Dr. Nandini Iyengar, Cardiology. Language: Hindi'],
    ['', 'Dr. Nandini Iyengar, Cardiology'],
    ['ta', 'Dr. Nandini Iyengar, Cardiology'],
    // An older service sends none.
    [undefined, 'Dr. Nandini Iyengar, Cardiology'],
  ])('names a language other than English: %o', async (language, text) => {
    const list = listed([{ ...ASHA, language } as typeof ASHA]);
    const main = serve(dayProps({ data: { ...dayProps().data, list } }));
    expect(main.querySelector('.place')?.textContent).toBe(text);
    expect(await brokenRules(main)).toEqual([]);
  });
});
