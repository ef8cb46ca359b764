// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { brokenRules } from './accessibility.tsx';
import { Badge } from './badge.tsx';
import { Card } from './card.tsx';
import { Notice } from './notice.tsx';

afterEach(cleanup);

it('keeps the semantics of its element', async () => {
  const { container } = render(
    <main>
      <h1>Page</h1>
      <Card as="section" tone="mist" aria-labelledby="contact">
        <h2 id="contact">Contact</h2>
        <Badge>Cardiology</Badge>
      </Card>
      <Notice tone="failure" role="alert" title="Failed">
        Try again
      </Notice>
    </main>,
  );
  expect(screen.getByRole('region', { name: 'Contact' }).textContent).toContain('Cardiology');
  expect(screen.getByRole('alert').textContent).toBe('FailedTry again');
  expect(await brokenRules(container)).toEqual([]);
});
