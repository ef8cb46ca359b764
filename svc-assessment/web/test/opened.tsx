/** Test helpers: the page or the home page's part, served and hydrated, and a simulated visitor. */
import { act, fireEvent, screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { type Root, hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { expect } from 'vitest';
import type { Site } from '@hospital/api/types';
import { posted } from '@hospital/form/testing';
import type { PageProps } from '@hospital/page';
import { clientProps } from '../src/wizard/client-props.ts';

export type Props = PageProps<{ site: Site }>;

export const NOW = '2026-11-22T09:30:00Z';
const phones = [{ purpose: 'emergency', label: '24/7 emergency', display: '+91 80 1111 0108', e164: '+918011110108' }];

export const props = (change: Partial<Props> = {}): Props => ({
  params: {},
  query: {},
  data: { site: { ok: true, status: 200, body: { name: 'Sampige Hospital', phones } as unknown as Site } },
  action: null,
  now: NOW,
  path: '/health-assessment',
  part: 'assessment:/health-assessment',
  ...change,
});

/** Returns the props of the page in response to a native post. */
export const answered = (form: Parameters<typeof posted>[0], status: number, body: unknown): Props =>
  props({ action: { form: posted(form), result: { status, body: body as never } } });

/** Complete answers with a high result everywhere. */
export const HIGH = {
  age: '52', gender: 'female', height: '163.5', weight: '83',
  familyHistory: 'yes', bloodPressure: 'high', activityLevel: 'low',
  sleepHours: '5', sleepQuality: 'poor', workStress: 'high',
}; // prettier-ignore

/** Request body of these answers. */
export const HIGH_BODY = {
  personalInfo: { age: 52, gender: 'female', height: 163.5, weight: 83 },
  diabetesRisk: { familyHistory: 'yes', bloodPressure: 'high', activityLevel: 'low', waistCircumference: '' },
  stressEvaluation: { sleepHours: 5, sleepQuality: 'poor', workStress: 'high', relationships: '' },
  copingStrategies: { strategies: ['Healthy diet'] },
};

let root: Root | null = null;

export function serve(Page: ComponentType<Props>, given: Props): HTMLElement {
  const main = document.createElement('main');
  main.innerHTML = renderToString(<Page {...given} />, { identifierPrefix: 'f0-' });
  document.body.append(main);
  return main;
}

/** Hydrates what was served. A hydration mismatch fails the test. */
export async function hydrate(Page: ComponentType<Props>, given: Props, main: HTMLElement): Promise<void> {
  await act(async () => {
    root = hydrateRoot(main, <Page {...clientProps(given)} />, {
      identifierPrefix: 'f0-',
      onRecoverableError: (error) => expect.fail(String(error)),
    });
  });
}

export async function open(Page: ComponentType<Props>, given = props()): Promise<HTMLElement> {
  const main = serve(Page, given);
  await hydrate(Page, given, main);
  return main;
}

/** Removes the page, as a reload or navigation does: only the tab's storage remains. */
export async function leave(): Promise<void> {
  await act(async () => root?.unmount());
  root = null;
  document.querySelector('main')?.remove();
  (globalThis as Record<symbol, unknown>)[Symbol.for('hospital.api')] = undefined;
}

export const field = (name: string) => document.querySelector(`main form [name=${name}]`) as HTMLInputElement;
export const step = () => document.querySelector('form[data-step]')?.getAttribute('data-step');
export const text = () => document.querySelector('main')?.textContent ?? '';
export const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });
export const consent = () => field('consent');

/** Types a value, or selects the radio button with this value. */
export function answer(name: string, value: string): void {
  if (field(name).type !== 'radio') return void fireEvent.input(field(name), { target: { value } });
  const radio = document.querySelector<HTMLInputElement>(`main form [name=${name}][value="${value}"]`);
  if (radio) fireEvent.click(radio);
}

export function answerAll(answers: Readonly<Record<string, string>> = HIGH): void {
  for (const [name, value] of Object.entries(answers)) answer(name, value);
  fireEvent.click(screen.getByLabelText('Healthy diet'));
}

export async function press(name: string | RegExp): Promise<void> {
  await act(async () => fireEvent.click(button(name)));
}

/** Goes from the first step to the results without answering anything. */
export async function goToResults(): Promise<void> {
  for (const name of ['Next', 'Next', 'Next', 'Next: your results']) await press(name);
}
