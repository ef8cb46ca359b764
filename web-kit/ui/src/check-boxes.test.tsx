// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { brokenRules } from './accessibility.tsx';
import { CheckBoxes } from './check-boxes.tsx';

afterEach(cleanup);

it('is one named group with its hint and error, and sends every checked box', async () => {
  const { container } = render(
    <main>
      <h1>Call me back</h1>
      <form>
        <CheckBoxes
          id="hours"
          name="hours"
          label="When"
          required
          hint="Choose all that suit you"
          error="Choose a time of day"
          options={['Morning', 'Afternoon', 'Evening']}
          defaultValue={['Morning', 'Evening']}
        />
      </form>
    </main>,
  );
  const group = screen.getByRole('group', { name: /^When/ });
  expect(group.id).toBe('hours');
  expect(group.getAttribute('aria-describedby')).toBe('hours-hint hours-error');
  expect(container.querySelector('#hours-hint')?.textContent).toBe('Choose all that suit you');
  screen.getByLabelText('Afternoon').click();
  screen.getByLabelText('Evening').click();
  const form = container.querySelector('form') as HTMLFormElement;
  expect(new FormData(form).getAll('hours')).toEqual(['Morning', 'Afternoon']);
  group.focus();
  expect(document.activeElement).toBe(group);
  expect(await brokenRules(container)).toEqual([]);
});
