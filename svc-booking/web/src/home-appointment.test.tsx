// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { DataResult } from '@hospital/page';
import { brokenRules } from '@hospital/ui/accessibility';
import { pageProps, site } from './appointment/fixtures.ts';
import HomeAppointment from './home-appointment.tsx';

const ABSENT: DataResult<never> = { ok: false, status: 503, body: null };
const ok = (body: unknown) => ({ ok: true, status: 200, body }) as DataResult<never>;
const BUILT_IN = ['General Consultation', 'Cardiology', 'Neurology', 'Pediatrics', 'Orthopedics'];
const OTHER = ok({ ...site, name: 'Belaku Eye Hospital' });
const department = (name: string, bookable = true) => ({ id: name, name, bookable, doctorIds: [], attendants: [] });
const departments = (...names: string[]) =>
  ok({ departments: [...names.map((name) => department(name)), department('Emergency', false)] });

afterEach(cleanup);

it.each([
  ['the services, if all can be booked', departments('General Medicine', ...BUILT_IN.slice(1), 'ENT'), OTHER, BUILT_IN],
  ['the departments of another hospital', departments('Retina', 'Cornea'), OTHER, ['Retina', 'Cornea']],
  ['the services during an outage', ABSENT, ABSENT, BUILT_IN],
  ['nothing during an outage of another hospital', ABSENT, OTHER, null],
])('offers %s', async (_, departments, site, offered) => {
  const { container } = render(
    <main>
      <HomeAppointment {...pageProps({ data: { departments, site } })} />
    </main>,
  );
  const select = container.querySelector('[name=service]');
  const options = select && [...select.querySelectorAll('option')].map((option) => option.textContent).slice(1);
  expect(options).toEqual(offered);
  expect(await brokenRules(container)).toEqual([]);
});
