// @vitest-environment happy-dom
/** Initial values of the form: from a link, beside a draft, from the home page. */
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { nativeAction } from '@hospital/form/native';
import { inEngine, posted } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { FORM, pageProps } from './fixtures.ts';
import { bookingForm } from './form.ts';
import {
  aPageForEachCase,
  api,
  chosenTime,
  field,
  fillPatient,
  hydrate,
  leave,
  open,
  serve,
  type,
  valueOf,
} from './opened.tsx';

aPageForEachCase();

describe('a link with a choice', () => {
  it.each(['doc-06', 'dr-nandini-iyengar', 'Dr. Nandini Iyengar'])('is preselected as served: %s', (doctor) => {
    serve(pageProps({ query: { doctor, date: '2026-11-24', time: '2:30 PM' } }));
    const names = ['department', 'doctor', 'date', 'time', 'picked'];
    expect(names.map(valueOf)).toEqual([
      'Cardiology', '', '2026-11-24', '2:30 PM', 'doc-06 Dr. Nandini Iyengar',
    ]); // prettier-ignore
  });

  it('sends the id of the card or of the picked name without script', () => {
    const native = (change: object) =>
      inEngine(() => nativeAction(bookingForm)(posted({ ...FORM, ...change }), pageProps().now));
    const named = { picked: 'doc-06 Dr. Nandini Iyengar', doctor: 'Dr. Nandini Iyengar' };
    expect(native(named)?.body).toMatchObject({
      doctorId: 'doc-06',
      notes: 'Cardiology | Preferred: Dr. Nandini Iyengar',
    });
    expect(native({ ...named, doctor: '' })?.body).toMatchObject({
      doctorId: 'doc-06',
      notes: 'Cardiology | Preferred: Dr. Nandini Iyengar',
    });
    expect(native({ doctor: 'Dr. Rao' })?.body).toMatchObject({
      doctorId: '',
      notes: 'Cardiology | Preferred: Dr. Rao',
    });
    expect(native({ picked: 'clinic:cardiology-opd Cardiology clinic' })?.body).toMatchObject({
      doctorId: '',
      notes: 'Cardiology',
    });
    expect(native({ ...named, intent: 'times' })?.path).toContain(
      'department=Cardiology&doctor=doc-06&from=2026-11-23',
    );
  });

  it('asks which doctor is meant if a card is chosen and another name is typed', () => {
    const both = { picked: 'doc-06 Dr. Nandini Iyengar', doctor: 'Dr. Rao' };
    serve(pageProps({ action: { form: posted({ ...FORM, ...both }), result: { status: 204, body: null } } }));
    expect(screen.getByRole('alert').textContent).toContain('You’ve also chosen Dr. Nandini Iyengar above.');
    expect([valueOf('doctor'), valueOf('picked')]).toEqual(['Dr. Rao', both.picked]);
  });

  it.each<Record<string, string>>([
    { doctor: 'doc-99', department: 'cardiology' },
    { doctor: '', department: 'cardiology', date: '2026-13-01', time: '9:10 AM' },
    { department: 'cardiology', date: '2020-01-01', time: 'noon' },
  ])('ignores unknown values: %o', (query) => {
    serve(pageProps({ query }));
    expect(['department', 'doctor', 'date', 'time'].map(valueOf)).toEqual(['Cardiology', '', '', '']);
  });

  it('ignores a doctor of another department', () => {
    serve(pageProps({ query: { doctor: 'doc-06', department: 'general-medicine' } }));
    expect([valueOf('department'), valueOf('picked')]).toEqual(['General Medicine', '']);
  });
});

describe('U1, S1: an older draft in the tab', () => {
  const begin = async () => {
    await open();
    fillPatient();
    await act(async () => type('doctor', 'Dr. Nandini Iyengar'));
    fireEvent.click(await screen.findByRole('radio', { name: /^Tue 24 Nov/ }));
    fireEvent.click(await screen.findByRole('radio', { name: '2:30 PM' }));
    await leave();
  };
  const link = { department: 'general-medicine', doctor: 'doc-07' };
  const chosen = () => ['department', 'doctor', 'date'].map(valueOf);

  it('gives way to the URL, and is offered', async () => {
    await begin();
    const main = await open(pageProps({ query: link }));
    expect(chosen().slice(0, 2)).toEqual(['General Medicine', 'Dr. Farhan Siddiqui']);
    expect(valueOf('picked')).toBe('doc-07 Dr. Farhan Siddiqui');
    await screen.findByRole('radiogroup', { name: 'Time' });
    expect(chosenTime()).toBe('');
    expect(field('firstName').value).toBe('Asha');
    expect(main.textContent).toContain('Dr. Nandini Iyengar, Cardiology, Tuesday 24 November 2026, 2:30 PM');
    expect(await brokenRules(main)).toEqual([]);

    fireEvent.click(screen.getByRole('button', { name: 'Continue with Dr. Nandini Iyengar, Cardiology' }));
    const time = await screen.findByRole('radio', { name: '2:30 PM', checked: true });
    expect(chosen()).toEqual(['Cardiology', 'Dr. Nandini Iyengar', '2026-11-24']);
    expect(valueOf('picked')).toBe('doc-06 Dr. Nandini Iyengar');
    await waitFor(() => expect(document.activeElement).toBe(time));
    expect(screen.queryByRole('button', { name: /^Continue with/ })).toBeNull();
  });

  it('is offered again after a reload without a choice', async () => {
    await begin();
    await open(pageProps({ query: link }));
    await leave();
    await open(pageProps({ query: link }));
    expect(screen.getByRole('button', { name: /^Continue with Dr. Nandini/ })).toBeTruthy();
    expect(chosen()[1]).toBe('Dr. Farhan Siddiqui');
  });

  it('is restored for the same doctor', async () => {
    await begin();
    await open(pageProps({ query: { department: 'cardiology', doctor: 'doc-06' } }));
    expect(await screen.findByRole('radio', { name: '2:30 PM', checked: true })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Continue with/ })).toBeNull();
  });

  it.each([
    ['after a reload', false],
    ['if the browser then checks the card of another doctor', true],
  ])('keeps the chosen clinic %s', async (_, isReturn) => {
    await open();
    await act(async () => type('department', 'Cardiology'));
    await act(async () => fireEvent.click(screen.getByRole('radio', { name: /^Cardiology clinic/ })));
    const before = valueOf('picked');
    fillPatient();
    await leave();
    const main = serve(pageProps());
    const other = main.querySelector<HTMLInputElement>('input[name=picked][value^=doc-]') as HTMLInputElement;
    if (isReturn) other.checked = true;
    await hydrate(main, pageProps());
    await waitFor(() => expect(valueOf('picked')).toBe(before));
    expect(valueOf('doctor')).toBe('');
    expect(before).toMatch(/^clinic:/);
  });

  it('does not add its time to the day in the URL', async () => {
    await begin();
    await open(pageProps({ query: { department: 'cardiology', doctor: 'doc-06', date: '2026-11-25' } }));
    await screen.findByRole('radiogroup', { name: 'Time' });
    expect([field('date').value, chosenTime()]).toEqual(['2026-11-25', '']);
  });

  it('of a changed page stays after a reload, because the URL no longer has the choice', async () => {
    history.replaceState(null, '', '/appointment?doctor=doc-07');
    await open(pageProps({ query: link }));
    await act(async () => type('doctor', ''));
    await act(async () => type('department', 'Cardiology'));
    expect(location.search).toBe('');
  });
});

describe('the form of the home page', () => {
  it.each([
    ['General Consultation', 'General Medicine'],
    ['Cardiology', 'Cardiology'],
    // Not among the departments of this test: the visitor must choose one.
    ['Neurology', ''],
  ])('leads here with everything that was filled in: %s', (service, department) => {
    const { department: _, ...form } = { ...FORM, doctor: 'Dr. Rao', intent: 'prefill', service };
    serve(pageProps({ action: { form: posted(form), result: { status: 204, body: null } } }));
    expect(valueOf('department')).toBe(department);
    for (const name of ['firstName', 'lastName', 'email', 'phone', 'doctor', 'date', 'time', 'message'] as const) {
      expect(field(name).value).toBe(form[name]);
    }
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('a doctor chosen first', () => {
  it('selects the department', async () => {
    await open();
    await act(async () => type('doctor', 'Dr. Nandini Iyengar'));
    expect(valueOf('department')).toBe('Cardiology');
    await waitFor(() => expect(api.reads.at(-1)).toContain('doctor=doc-06'));
  });
});
