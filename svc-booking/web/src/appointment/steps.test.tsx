// @vitest-environment happy-dom
/** The path through the form: words that lead to a department, steps that open, and the check of all answers. */
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { brokenRules } from '@hospital/ui/accessibility';
import { pageProps } from './fixtures.ts';
import { aPageForEachCase, book, chooseTime, chosenTime, field, open, serve, type, valueOf } from './opened.tsx';
import { knownShare } from './words.ts';

aPageForEachCase();

const step = (name: string) => screen.getByRole('group', { name: new RegExp(`^Step \\d of 5: ${name}$`) });
const openers = () => screen.queryAllByRole('button', { name: /^Step \d of 5/ }).map(({ textContent }) => textContent);

describe('the words of a patient', () => {
  const knee = { name: 'Orthopedics', problems: ['My knee hurts'], treats: ['Arthritis'] };

  it.each(['knee', 'my KNEES hurt', 'arthritis', 'ortho', '', 'my'])('find the department: %s', (text) => {
    expect(knownShare(knee, text)).toBe(1);
  });

  it.each(['fever', 'heart', 'skin rash'])('do not find another one: %s', (text) => {
    expect(knownShare(knee, text)).toBe(0);
  });

  it('lead to a department, and to the call card in an emergency', async () => {
    const main = await open();
    const words = screen.getByRole('searchbox', { name: 'What’s the matter?' });
    fireEvent.input(words, { target: { value: 'heart' } });
    const status = () => document.getElementById('words-status')?.textContent;
    expect(status()).toBe('1 department for these words');
    const shown = [...main.querySelectorAll<HTMLElement>('label:not([class*=hidden]) > [name=department]')];
    expect(shown.map((radio) => radio.getAttribute('value'))).toEqual(['Cardiology', 'Emergency']);
    expect(screen.getByRole('radio', { name: 'Cardiology' }).getAttribute('aria-describedby')).toBe('cardiology-words');
    fireEvent.input(words, { target: { value: 'chest pain' } });
    expect(status()).toBe('If this is happening now, don’t book. Call the number above.');
    fireEvent.input(words, { target: { value: 'xyzzy' } });
    expect(status()).toContain('choose General Medicine');
    expect(new FormData(document.querySelector('form') as HTMLFormElement).has('words')).toBe(false);
  });

  it('are absent without the content service', () => {
    const { departments, site } = pageProps().data;
    const main = serve(pageProps({ data: { departments, site } }));
    expect(screen.queryByRole('searchbox')).toBeNull();
    expect(within(main).getByRole('radio', { name: 'Cardiology' })).toBeTruthy();
  });
});

describe('the steps', () => {
  it('are all open and named as served', async () => {
    const main = serve(pageProps());
    for (const name of ['What for', 'Who', 'When', 'About you', 'Check and book']) expect(step(name)).toBeTruthy();
    expect(openers()).toEqual([]);
    expect(await brokenRules(main)).toEqual([]);
  });

  it('open as the previous one is answered', async () => {
    await open();
    expect(openers()).toEqual([
      'Step 2 of 5: Who',
      'Step 3 of 5: When',
      'Step 4 of 5: About you',
      'Step 5 of 5: Check and book',
    ]);
    await act(async () => type('department', 'Cardiology'));
    expect(openers()).toEqual(['Step 4 of 5: About you', 'Step 5 of 5: Check and book']);
    await chooseTime('9:30 AM');
    expect(openers()).toEqual([]);
  });

  it('open by their heading and by the petals, and take the focus', async () => {
    await open();
    fireEvent.click(screen.getByRole('button', { name: 'Step 2 of 5: Who' }));
    await waitFor(() => expect(document.activeElement).toBe(step('Who')));
    fireEvent.click(within(screen.getByRole('navigation')).getByRole('link', { name: 'About you' }));
    await waitFor(() => expect(document.activeElement).toBe(step('About you')));
    expect(openers()).toEqual(['Step 5 of 5: Check and book']);
  });

  it('all open if an answer is missing', async () => {
    await open();
    await book();
    expect(openers()).toEqual([]);
  });

  it('fill a petal each', async () => {
    await open();
    const petals = () =>
      within(screen.getByRole('navigation'))
        .getAllByRole('link')
        .map(({ textContent }) => textContent);
    await chooseTime('9:30 AM');
    for (const name of ['firstName', 'lastName', 'phone']) type(name, 'Asha');
    expect(petals()).toEqual([
      'What for (answered)',
      'Who (answered)',
      'When (answered)',
      'About you',
      'Check and book',
    ]);
    fireEvent.change(field('email'), { target: { value: 'asha@example.com' } });
    expect(petals()[3]).toBe('About you (answered)');
    expect(within(step('Check and book')).getByText('asha@example.com')).toBeTruthy();
  });

  it('begin at the day for a link with a doctor', async () => {
    await open(pageProps({ query: { doctor: 'doc-06' } }));
    const folded = [...document.querySelectorAll('details:not([open]) > summary > strong')];
    expect(folded.map(({ textContent }) => textContent)).toEqual(['Cardiology', 'Dr. Nandini Iyengar']);
    expect(openers()).toEqual(['Step 4 of 5: About you', 'Step 5 of 5: Check and book']);
    fireEvent.click(within(screen.getByRole('navigation')).getByRole('link', { name: /^What for/ }));
    await waitFor(() => expect(document.activeElement).toBe(step('What for')));
    expect(step('What for').querySelector('details')?.open).toBe(true);
  });

  it('begin at the patient for a link with a time', async () => {
    await open(pageProps({ query: { doctor: 'doc-06', date: '2026-11-24', time: '2:30 PM' } }));
    await waitFor(() => expect(chosenTime()).toBe('2:30 PM'));
    expect(step('When').querySelector('summary')?.textContent).toContain('Tuesday 24 November 2026, 2:30 PM IST');
    expect(openers()).toEqual([]);
    expect(valueOf('picked')).toBe('doc-06 Dr. Nandini Iyengar');
  });
});
