// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { brokenRules } from './accessibility.tsx';
import { Select } from './select.tsx';
import { TextArea } from './text-area.tsx';
import { TextInput } from './text-input.tsx';

afterEach(cleanup);

function form() {
  return (
    <main>
      <h1>Form</h1>
      <TextInput
        id="phone"
        name="phone"
        label="Phone"
        required
        type="tel"
        hint="With area code"
        error="Enter a phone number"
      />
      <TextArea id="message" name="message" label="Message" />
      <Select id="department" name="department" label="Department" error="Choose a department">
        <option>Cardiology</option>
      </Select>
    </main>
  );
}

it('ties label, hint and error to the control', async () => {
  const { container } = render(form());
  const phone = screen.getByLabelText(/^Phone/);
  expect(phone.getAttribute('aria-describedby')).toBe('phone-hint phone-error');
  expect(phone.getAttribute('aria-invalid')).toBe('true');
  expect(phone).toHaveProperty('required', true);
  expect(container.querySelector('#phone-error')?.textContent).toBe('Error: Enter a phone number');
  expect(screen.getByLabelText('Department').getAttribute('aria-describedby')).toBe('department-error');
  expect(await brokenRules(container)).toEqual([]);
});

it('has no error attributes without an error', () => {
  render(form());
  const message = screen.getByLabelText('Message');
  expect(message.hasAttribute('aria-invalid')).toBe(false);
  expect(message.hasAttribute('aria-describedby')).toBe(false);
});
