/**
 * A day of the front desk: 120 appointments in five departments, from the first arrival to the last no-show. One desk
 * works by keyboard alone, the other by touch on a phone. svc-booking is killed in the middle of an arrival. In the end
 * every state is right, and the audit log verifies and names the people.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { dayFromToday, payload, person } from '../booking.mjs';
import { PHONE, axe, launch } from '../browser.mjs';
import { NO_MOVED_CLOCK, movedBy } from '../moved-clock.mjs';
import { PROGRAMS, ROOT, until } from '../processes.mjs';
import { confirmSignOut, signedIn, tabTo, unexpected } from '../staff.mjs';
import { LISTED, System, UNLIMITED } from '../system.mjs';

/** Appointments by department, and the account whose desk works them. */
const DEPARTMENTS = {
  'general-medicine': { name: 'General Medicine', count: 48, account: 'frontdesk' },
  cardiology: { name: 'Cardiology', count: 20, account: 'manager' },
  orthopedics: { name: 'Orthopedics', count: 24, account: 'manager' },
  pediatrics: { name: 'Pediatrics', count: 16, account: 'manager' },
  gynecology: { name: 'Gynecology', count: 12, account: 'manager' },
};
/** For the tests of the killed service, and of the desk without script. */
const KILLED = { id: 'ent', name: 'ENT' };
/** Final states of the appointments of a department, over and over. */
const PLAN = ['arrived', 'completed', 'no_show', 'arrived', 'cancelled', 'arrived', 'no_show', 'arrived'];
const planned = (index) => PLAN[index % PLAN.length];
/** Order of the day's work. */
const STEPS = ['arrived', 'completed', 'cancelled', 'no_show'];
const SAID = { arrived: /is marked as arrived/, completed: /is marked as completed/, cancelled: /is cancelled/ };
SAID.no_show = /is marked as a no-show/;
const KEYS = { arrived: 'a', completed: 'c', cancelled: 'x', no_show: 'n' };
const ASKED = { cancelled: 'Cancel the appointment', no_show: 'Mark as no-show' };
/** Beside builds that kept each processor ten times busy, the day took 320 s. */
const DAY_MS_MAX = 600_000;

/** Returns the next day on which the departments work. */
function workingDay() {
  const resources = readFileSync(join(ROOT, 'svc-booking/config/resources.toml'), 'utf8');
  const holidays = [...resources.matchAll(/^date = "([\d-]+)"$/gm)].map(([, date]) => date);
  const isWorked = (date) => new Date(date).getUTCDay() !== 0 && !holidays.includes(date);
  return [1, 2, 3, 4].map((days) => dayFromToday(days)).find(isWorked);
}

const DAY = workingDay();

describe('a day of the desk', { skip: NO_MOVED_CLOCK }, () => {
  let system;
  let browser;
  /** Booked appointments by department, in the order of the list. */
  const booked = {};
  before(async () => {
    // The day has begun, but no department has opened yet.
    const seconds = Math.round((Date.parse(`${DAY}T07:30:00+05:30`) - Date.now()) / 1000);
    const clock = { env: movedBy(`+${seconds}`) };
    const special = Object.fromEntries(
      ['gateway', 'issuer', ...LISTED.map(({ name }) => name)].map((name) => [name, clock]),
    );
    const gateway = [...UNLIMITED, '--address-documents-max', '100000'];
    [system, browser] = await Promise.all([
      System.start({ gateway, special, staff: true, proxied: ['svc-booking'] }),
      launch(),
    ]);
    await Promise.all(Object.entries(DEPARTMENTS).map(([id, { name, count }]) => bookDay(id, name, count)));
    await bookDay(KILLED.id, KILLED.name, 3);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  /** Books appointments of one department over its whole day. */
  async function bookDay(id, name, count) {
    const query = new URLSearchParams({ department: name, from: DAY, to: DAY });
    const { body } = await system.call('GET', `/availability?${query}`);
    const times = body.days[0].slots.filter(({ available }) => available).map(({ time }) => time);
    let made = 0;
    for (let n = 0; made < count; n += 1) {
      assert.ok(n < times.length * 4, `${name} has room for ${made} appointments only`);
      const slot = { department: name, date: DAY, time: times[n % times.length] };
      const answer = await system.post('/appointments', payload(person(), slot));
      if (answer.status === 201) made += 1;
      else assert.equal(answer.body.reason, 'SLOT_TAKEN', JSON.stringify(answer.body));
    }
    booked[id] = await listed({ date: DAY, department: id });
    assert.equal(booked[id].length, count);
  }

  /** Reads as staff do, by the moved clock. */
  async function listed(query) {
    const iat = Math.floor(Date.parse(`${DAY}T07:30:00+05:30`) / 1000);
    const token = system.forgedToken({ scope: 'appointments:read', claims: { iat, exp: iat + 3600 } });
    const headers = { Authorization: `Bearer ${token}` };
    const { status, body } = await system.call(
      'GET',
      `/appointments?${new URLSearchParams({ pageSize: 100, ...query })}`,
      null,
      headers,
    );
    assert.equal(status, 200, JSON.stringify(body));
    return body.appointments;
  }

  const result = (page) => page.locator('#result');
  const path = (department) => `/staff/today/${DAY}?department=${department}`;
  const open = (page, department) => page.goto(`${system.origin}${path(department)}`);
  const stateOf = ({ status }) => status.replace('APPOINTMENT_STATUS_', '').toLowerCase();
  const isWorked = (step, index) => planned(index) === step || (step === 'arrived' && planned(index) === 'completed');

  /** Times per act in milliseconds, from the press to the page that names the outcome. */
  const times = {};
  async function timed(how, act) {
    const begun = performance.now();
    await act();
    (times[how] ??= []).push(performance.now() - begun);
  }

  /** Waits until the page shows the outcome of a step in the row of a person. */
  async function said(page, { patientName }, step) {
    await page.locator('[data-row]#result').filter({ hasText: patientName }).filter({ hasText: SAID[step] }).waitFor();
  }

  /** Works one department by keyboard alone. */
  async function byKeyboard(page, department) {
    for (const step of STEPS) {
      await open(page, department);
      await tabTo(page, 'link', 'Skip to the list');
      await page.keyboard.press('Enter');
      for (const [index, appointment] of booked[department].entries()) {
        await page.keyboard.press('ArrowDown');
        if (!isWorked(step, index)) continue;
        await timed(`${step} by keyboard`, async () => {
          await page.keyboard.press(KEYS[step]);
          if (ASKED[step]) await page.keyboard.press('Enter');
          await said(page, appointment, step);
          await page.waitForFunction(() => document.activeElement?.id === 'result');
        });
      }
    }
  }

  /** Works one department by touch. */
  async function byTouch(page, department) {
    for (const step of STEPS) {
      await open(page, department);
      for (const [index, appointment] of booked[department].entries()) {
        if (!isWorked(step, index)) continue;
        const { patientName, reference } = appointment;
        const row = page.locator('[data-row]').filter({ hasText: reference });
        const label = { arrived: 'Arrived', completed: 'Completed', ...ASKED }[step];
        await timed(`${step} by touch`, async () => {
          if (ASKED[step]) await row.locator('summary').tap();
          await row.getByRole('button', { name: `${label}: ${patientName}` }).tap();
          await said(page, appointment, step);
        });
      }
    }
  }

  test('is worked from the first arrival to the last no-show', { timeout: DAY_MS_MAX }, async (t) => {
    const keyboard = await signedIn(browser, system, 'frontdesk', { path: path('general-medicine') });
    const phone = await signedIn(browser, system, 'manager', {
      path: path('cardiology'),
      viewport: PHONE,
      hasTouch: true,
    });
    const touched = async () => {
      for (const department of ['cardiology', 'orthopedics', 'pediatrics', 'gynecology'])
        await byTouch(phone.page, department);
    };
    await Promise.all([byKeyboard(keyboard.page, 'general-medicine'), touched()]);
    for (const [how, all] of Object.entries(times)) {
      const sorted = all.map(Math.round).sort((one, other) => one - other);
      const middle = sorted[Math.floor(sorted.length / 2)];
      t.diagnostic(`${how}: ${sorted.length} acts, median ${middle} ms, slowest ${sorted.at(-1)} ms`);
    }
    for (const department of Object.keys(DEPARTMENTS)) {
      const states = (await listed({ date: DAY, department })).map((one) => [one.reference, stateOf(one)]);
      const wanted = booked[department].map(({ reference }, index) => [reference, planned(index)]);
      assert.deepEqual(Object.fromEntries(states), Object.fromEntries(wanted), department);
    }
    assert.deepEqual(unexpected(keyboard.problems), []);
    assert.deepEqual(unexpected(phone.problems), []);
    await Promise.all([keyboard.context.close(), phone.context.close()]);
  });

  /** Opens the list of the department whose service is killed, and returns the button for the arrival of one person. */
  async function arriving(index) {
    const opened = await signedIn(browser, system, 'frontdesk', { path: path(KILLED.id) });
    const appointment = booked[KILLED.id][index];
    const button = opened.page.getByRole('button', { name: `Arrived: ${appointment.patientName}`, exact: true });
    return { ...opened, appointment, button };
  }

  /** Checks that a page keeps its place and its frame while the service is away. */
  async function assertKeepsPlace(page) {
    assert.equal(page.url(), `${system.origin}${path(KILLED.id)}#result`);
    assert.equal(await page.getByLabel('Department').inputValue(), KILLED.id);
    assert.match(await page.locator('main').innerText(), /The appointments can’t be shown right now/);
    assert.match(await page.locator('header').first().innerText(), /Sign out/);
    assert.deepEqual(await axe(page), []);
  }

  /** Starts the service again, sends the same form, and checks that the arrival was entered once. */
  async function assertArrivesOnce(page, appointment) {
    const booking = system.programs['svc-booking'];
    await booking.start();
    await booking.ready();
    await until('the same form is taken', async () => {
      await page.reload();
      return result(page).getByText(`${appointment.patientName} is marked as arrived.`).count();
    });
    const found = (await listed({ date: DAY, department: KILLED.id })).find(({ id }) => id === appointment.id);
    assert.deepEqual([stateOf(found), found.etag], ['arrived', '2']);
  }

  test('a service that is killed before it has entered an arrival enters it on the repeat', async () => {
    const { context, page, problems, appointment, button } = await arriving(0);
    const booking = system.programs['svc-booking'];
    booking.freeze();
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await Promise.all([sent, button.click({ noWaitAfter: true })]);
    await booking.kill();
    await result(page).getByText(`${appointment.patientName}, ${appointment.time}: “Arrived” may not`).waitFor();
    await assertKeepsPlace(page);
    await assertArrivesOnce(page, appointment);
    assert.deepEqual(unexpected(problems, 503, 504), []);
    await context.close();
  });

  test('a service that is killed after it has entered an arrival does not enter it again', async () => {
    const { context, page, appointment, button } = await arriving(1);
    const [booking, network] = [system.programs['svc-booking'], system.networks['svc-booking']];
    network.break('reset-answer');
    await button.click({ noWaitAfter: true });
    await until('the response is lost', () => network.struck === 1);
    await booking.kill();
    // The page is of before or after the end of the service. Either way the repeat finds what was entered.
    await result(page)
      .getByText(/is marked as arrived|“Arrived” may not have been saved/)
      .waitFor();
    await assertArrivesOnce(page, appointment);
    await context.close();
  });

  test('works without script: sign in, arrive, find, release a message, sign out', async () => {
    const { context, page, problems } = await signedIn(browser, system, 'frontdesk', {
      path: path(KILLED.id),
      viewport: PHONE,
      javaScriptEnabled: false,
    });
    const { patientName, reference } = booked[KILLED.id][2];
    await page.getByRole('button', { name: `Arrived: ${patientName}`, exact: true }).click();
    await result(page).getByText(`${patientName} is marked as arrived.`).waitFor();

    const choose = async (name) => {
      await page.goto(`${system.origin}/staff`);
      await page.getByRole('main').getByRole('link', { name, exact: true }).click();
    };
    await choose('Find');
    await page.getByRole('search').getByRole('textbox').fill(reference);
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    const row = page.locator('[data-row]').filter({ hasText: reference });
    assert.match(await row.innerText(), /Arrived/);
    assert.ok(!page.url().includes(reference), page.url());

    const who = person();
    const subject = `Loans for ${who.firstName}`;
    const message = { name: who.firstName, email: who.email, phone: who.phone, subject, message: who.message };
    const held = await system.post('/messages', { ...message, check: { website: 'https://spam.example' } });
    assert.equal(held.status, 201);
    await choose('Quarantine');
    await page.getByRole('button', { name: `Release: ${subject}` }).click();
    await result(page).getByText('is released').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await confirmSignOut(page);
    await page.waitForURL(`${system.origin}/`);
    assert.deepEqual(unexpected(problems), []);
    await context.close();
  });

  test('is in the audit log, which verifies and names the people', () => {
    const { env } = system.programs['svc-booking'];
    const verified = execFileSync(join(PROGRAMS, 'svc-booking'), ['verify-audit'], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, ...env },
      encoding: 'utf8',
    });
    assert.match(verified, /^\d+ entries are as they were written\nhead \d+:[0-9a-f]+$/m);
    const file = system.databaseUrl('svc-booking').replace('sqlite:', '');
    const query = `SELECT actor, action, subject FROM audit_entries ORDER BY seq`;
    const lines = execFileSync('sqlite3', ['-readonly', file, query], { encoding: 'utf8' }).trim().split('\n');
    const entries = lines.map((line) => line.split('|'));
    const changes = entries.filter(([, action]) => /^appointment\.(?!read|list)/.test(action));
    const found = new Map();
    for (const change of changes) found.set(change[2], [...(found.get(change[2]) ?? []), change]);
    for (const [department, { account }] of Object.entries({ ...DEPARTMENTS, [KILLED.id]: { account: 'frontdesk' } })) {
      for (const [index, { id }] of booked[department].entries()) {
        const state = department === KILLED.id ? 'arrived' : planned(index);
        const steps = state === 'completed' ? ['arrived', 'completed'] : [state];
        const wanted = steps.map((step) => [account, `appointment.${step}`, id]);
        assert.deepEqual(found.get(id), wanted, `${department} ${index}`);
      }
    }
    const shown = entries.filter(([actor, action]) => actor === 'frontdesk' && action === 'appointment.list');
    assert.ok(
      shown.some(([, , subject]) => subject.includes(booked['general-medicine'][0].id)),
      'a list names its rows',
    );
  });
});
