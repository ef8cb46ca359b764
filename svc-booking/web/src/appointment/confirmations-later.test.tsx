// @vitest-environment happy-dom
import { Suspense } from 'react';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { contactOf, departmentsOf } from './data.ts';
import { pageProps } from './fixtures.ts';
import { Reference } from './reference.tsx';
import { BOOKED } from './opened.tsx';

const waiting = { reference: 'SW-2222-3333', date: '2026-11-23', department: 'cardiology', secret: '' };

async function show(kind: 'booked' | 'waiting') {
  const { Confirmation, WaitlistConfirmation } = await import('./confirmations-later.tsx');
  const props = pageProps();
  const known = { contact: contactOf(props), departments: departmentsOf(props), focus: true };
  const short = kind === 'booked' ? { booked: BOOKED } : { waiting };
  await act(async () => {
    render(
      <Suspense fallback={<Reference {...short} focus />}>
        {kind === 'booked' ? (
          <Confirmation appointment={BOOKED} data={props.data} {...known} />
        ) : (
          <WaitlistConfirmation entry={waiting} {...known} />
        )}
      </Suspense>,
    );
  });
}

beforeEach(() => vi.resetModules());
afterEach(() => {
  cleanup();
  vi.doUnmock('./confirmations.ts');
  vi.restoreAllMocks();
});

it('shows the whole confirmation once its script has loaded', async () => {
  await show('booked');
  expect(await screen.findByRole('heading', { name: 'Your appointment is booked' })).toBe(document.activeElement);
  expect(screen.getByText('What to bring')).toBeTruthy();
});

it.each([
  ['booked', /SH-7K3M-9QXD: .*23 November 2026, 9:30 AM IST/],
  ['waiting', /SW-2222-3333: .*23 November 2026/],
] as const)('shows the reference if the script does not load: %s', async (kind, text) => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.doMock('./confirmations.ts', () => {
    throw new Error('offline');
  });
  await show(kind);
  const status = await screen.findByRole('status');
  expect(status.textContent).toMatch(text);
  expect(status.parentElement).toBe(document.activeElement);
  expect(errors).toHaveBeenCalledOnce();
});
