// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { brokenRules } from './accessibility.tsx';
import { Accordion } from './accordion.tsx';

afterEach(cleanup);

it('is a group of native details of which the browser keeps one open', async () => {
  const items = ['Before', 'After'].map((title) => ({ title, content: <p>{title} surgery</p> }));
  const { container } = render(
    <main>
      <h1>Questions</h1>
      <Accordion name="faq" items={items} />
    </main>,
  );
  const details = [...container.querySelectorAll('details')];
  expect(details.map((item) => item.getAttribute('name'))).toEqual(['faq', 'faq']);
  expect(details.map((item) => item.open)).toEqual([false, false]);
  expect(details[0]?.querySelector('summary')?.textContent).toBe('Before');
  expect(await brokenRules(container)).toEqual([]);
});
