// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { brokenRules } from './accessibility.tsx';
import { Button, LinkButton } from './button.tsx';

afterEach(cleanup);

it('is a native button and a native link', async () => {
  const { container } = render(
    <main>
      <h1>Page</h1>
      <Button disabled>Save</Button>
      <LinkButton href="/appointment" tone="secondary">
        Book
      </LinkButton>
    </main>,
  );
  expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('type', 'button');
  expect(screen.getByRole('link', { name: 'Book' }).getAttribute('href')).toBe('/appointment');
  expect(await brokenRules(container)).toEqual([]);
});
