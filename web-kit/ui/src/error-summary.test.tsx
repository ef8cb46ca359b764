// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { brokenRules } from './accessibility.tsx';
import { ErrorSummary, type SummaryError } from './error-summary.tsx';

afterEach(cleanup);

function page(errors: SummaryError[]) {
  return (
    <main>
      <h1>Form</h1>
      <ErrorSummary title="Please check these answers" errors={errors} />
      <label>
        Email <input id="email" />
      </label>
    </main>
  );
}

it('takes focus for every new list and leads to the fields', async () => {
  const { container, rerender } = render(page([{ id: 'email', message: 'Enter an email address' }]));
  expect(document.activeElement).toBe(screen.getByRole('alert'));
  expect(await brokenRules(container)).toEqual([]);

  fireEvent.click(screen.getByRole('link', { name: 'Enter an email address' }));
  expect(document.activeElement?.id).toBe('email');

  rerender(page([{ id: 'email', message: 'Enter an email address' }]));
  expect(document.activeElement).toBe(screen.getByRole('alert'));
});

it('lets the browser follow a link to a missing field', () => {
  render(page([{ id: 'gone', message: 'Choose a day' }]));
  expect(fireEvent.click(screen.getByRole('link', { name: 'Choose a day' }))).toBe(true);
});
