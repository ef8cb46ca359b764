/**
 * Live lists of the desk: a change that one person makes is on another person's page within two seconds, and that person
 * loses neither what they typed nor their place.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { bookableDoctor, dayFromToday, freeSlot, payload, person, waitForFullDay } from '../booking.mjs';
import { launch } from '../browser.mjs';
import { until } from '../processes.mjs';
import { signOut, signedIn } from '../staff.mjs';
import { System, UNLIMITED } from '../system.mjs';

const SHOWN_MS_MAX = 2_000;
/** The doctor of the account `doctor`, as in deploy/staff-roles.toml. */
const OWN_DOCTOR = 'doc-06';

describe('live lists of the desk', () => {
  let system;
  let browser;
  let doctor;
  before(async () => {
    [system, browser] = await Promise.all([System.start({ gateway: [...UNLIMITED], staff: true }), launch()]);
    doctor = await bookableDoctor(system, 1);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  const nameOf = ({ firstName, lastName }) => `${firstName} ${lastName}`;
  const rowOf = (page, who) => page.locator('[data-row]').filter({ hasText: nameOf(who) });
  const summaryOf = (page, who) => rowOf(page, who).locator('summary');
  const arrivedOf = (page, who) => rowOf(page, who).getByRole('button', { name: /^Arrived: / });
  const isFocused = (locator) => locator.evaluate((one) => one === document.activeElement);

  async function booked(index) {
    const who = person();
    const slot = await freeSlot(system, { department: doctor.department, doctor: doctor.id, index });
    const { status, body } = await system.post('/appointments', payload(who, slot, doctor.id));
    assert.equal(status, 201, JSON.stringify(body));
    return { ...who, date: slot.date };
  }

  /** Opens a day as the person of an account, and waits until the page follows changes. */
  async function following(account, path) {
    const opened = await signedIn(browser, system, account);
    const stream = opened.page.waitForResponse((response) => response.url().includes('/staff/events'));
    await opened.page.goto(`${system.origin}${path}`);
    assert.equal((await stream).status(), 200);
    return opened;
  }

  /** Waits for text in a row, at most as long as a change may take. */
  async function shows(row, text) {
    const began = Date.now();
    await row.filter({ hasText: text }).waitFor({ timeout: SHOWN_MS_MAX });
    return Date.now() - began;
  }

  test('a change is on the other page within two seconds, where typed text, focus and open questions stay', async () => {
    const [first, second] = [await booked(0), await booked(1)];
    assert.equal(first.date, second.date);
    const path = `/staff/today/${first.date}`;
    const one = await following('frontdesk', path);
    const other = await following('manager', path);
    const day = other.page.getByLabel('Day', { exact: true });
    await summaryOf(other.page, second).click();
    await day.fill('2026-12-24');
    assert.ok(await isFocused(day));

    await summaryOf(one.page, first).click();
    await arrivedOf(one.page, first).click();
    await one.page.locator('#result').getByText('is marked as arrived').waitFor();
    await shows(rowOf(other.page, first), 'Completed');
    assert.match(await rowOf(other.page, first).innerText(), /Arrived/);
    assert.equal(await day.inputValue(), '2026-12-24');
    assert.ok(await isFocused(day), 'the focus stays');
    assert.ok(await arrivedOf(other.page, second).isVisible(), 'the question stays open');

    // A booking by a visitor adds a row, while the focus is on a button of another row.
    await arrivedOf(other.page, second).focus();
    const third = await booked(0);
    assert.equal(third.date, first.date);
    await rowOf(other.page, third).waitFor({ timeout: SHOWN_MS_MAX });
    assert.ok(await isFocused(arrivedOf(other.page, second)), 'the focus stays in its row');
    // The person who made the first change still sees its outcome.
    await rowOf(one.page, third).waitFor({ timeout: SHOWN_MS_MAX });
    assert.ok(await one.page.locator('#result').getByText('is marked as arrived').isVisible());
    assert.deepEqual([one.problems, other.problems], [[], []]);
    await one.context.close();
    await other.context.close();
  });

  test('a message that one person takes is shown as taken to another', async () => {
    const one = await following('frontdesk', '/staff/messages');
    const other = await following('manager', '/staff/messages');
    const who = person();
    const subject = `Visiting hours ${who.firstName}`;
    const { firstName, lastName, email, phone, message } = who;
    const sent = { name: `${firstName} ${lastName}`, email, phone, subject, message: `${message}, when may I visit?` };
    assert.equal((await system.post('/messages', sent)).status, 201);
    const row = ({ page }) => page.locator('[data-row]').filter({ hasText: subject });
    await row(other).waitFor({ timeout: SHOWN_MS_MAX });
    await row(one).waitFor({ timeout: SHOWN_MS_MAX });
    await row(one)
      .getByRole('button', { name: /^Take: / })
      .click();
    await one.page.locator('#result').getByText('You have taken').waitFor();
    await shows(row(other), 'Taken');
    assert.deepEqual([one.problems, other.problems], [[], []]);
    await one.context.close();
    await other.context.close();
  });

  test('who asks for a consultation or joins the waiting list is shown to staff', async () => {
    const { context, page, problems } = await following('frontdesk', '/staff/consultations');
    const who = person();
    const { email: patientEmail, phone, message: description } = who;
    const request = { patientName: nameOf(who), patientEmail, phone, description, date: dayFromToday(7) };
    assert.equal((await system.post('/consultations', request)).status, 201);
    await rowOf(page, who).waitFor({ timeout: SHOWN_MS_MAX });
    const stream = page.waitForResponse((response) => response.url().includes('/staff/events'));
    await page.goto(`${system.origin}/staff/waitlist`);
    await stream;
    const { entry } = await waitForFullDay(system, doctor);
    await page.locator('[data-row]').filter({ hasText: entry.reference }).waitFor({ timeout: SHOWN_MS_MAX });
    assert.deepEqual(problems, []);
    await context.close();
  });

  test('held messages, leave requests, rosters and uncovered patients are shown as they change', async () => {
    const held = await following('frontdesk', '/staff/quarantine');
    const robot = person();
    const subject = `Cheap offers ${robot.firstName}`;
    const { email, phone, message } = robot;
    const sent = { name: nameOf(robot), email, phone, subject, message, check: { website: 'https://spam.example' } };
    assert.equal((await system.post('/messages', sent)).status, 201);
    await held.page.locator('[data-row]').filter({ hasText: subject }).waitFor({ timeout: SHOWN_MS_MAX });

    const patient = person();
    const { departments } = await (await system.api('/departments')).json();
    const { name: department } = departments.find(({ doctorIds }) => doctorIds.includes(OWN_DOCTOR));
    const slot = await freeSlot(system, { department, doctor: OWN_DOCTOR, index: 4 });
    assert.equal((await system.post('/appointments', payload(patient, slot, OWN_DOCTOR))).status, 201);
    const manager = await following('manager', '/staff/leave-requests');
    const own = await following('doctor', '/staff/leave');
    const rows = ({ page }) => page.locator('[data-row]');
    const ask = async (reason) => {
      for (const name of ['leaveFrom', 'leaveUntil']) await own.page.locator(`[name=${name}]`).fill(slot.date);
      await own.page.locator('[name=reason]').fill(reason);
      await own.page.getByRole('button', { name: 'Ask for leave' }).click();
      await own.page.locator('#result').getByText('You have asked for leave').waitFor();
    };
    await ask('A wedding');
    await rows(manager).filter({ hasText: 'A wedding' }).waitFor({ timeout: SHOWN_MS_MAX });

    // An answer that is being typed stays, although the request is withdrawn meanwhile.
    await rows(manager).locator('summary[aria-label^="Decline"]').click();
    await rows(manager).locator('[name=answer]').fill('Nobody can');
    await own.page.locator('summary[aria-label^="Withdraw"]').click();
    await own.page.getByRole('button', { name: 'Withdraw the request' }).click();
    const note = manager.page.locator('[data-live-note]');
    await note.getByText('The list has changed').waitFor({ timeout: SHOWN_MS_MAX });
    assert.equal(await rows(manager).locator('[name=answer]').inputValue(), 'Nobody can');
    await note.getByRole('link', { name: 'Refresh' }).click();
    await manager.page.getByText('No request for leave waits').waitFor();

    const uncovered = await following('frontdesk', '/staff/uncovered');
    const week = await following('manager', `/staff/rosters?week=${slot.date}&doctor=${OWN_DOCTOR}`);
    await ask('A funeral');
    const row = rows(manager).filter({ hasText: 'A funeral' });
    await row.waitFor({ timeout: SHOWN_MS_MAX });
    await row.locator('summary[aria-label^="Grant"]').click();
    await row.getByRole('button', { name: 'Grant the leave' }).click();
    await Promise.all([
      uncovered.page.getByText(nameOf(patient)).waitFor({ timeout: SHOWN_MS_MAX }),
      week.page.getByText('On leave').first().waitFor({ timeout: SHOWN_MS_MAX }),
      rows(own).filter({ hasText: 'A funeral' }).filter({ hasText: 'Granted' }).waitFor({ timeout: SHOWN_MS_MAX }),
    ]);
    for (const { context, problems } of [held, manager, own, uncovered, week]) {
      assert.deepEqual(problems, []);
      await context.close();
    }
  });

  test('a page reports once that its session has ended, and its stream ends with it', async () => {
    const { date } = await booked(5);
    const { context, page } = await following('frontdesk', `/staff/today/${date}`);
    const elsewhere = await context.newPage();
    await elsewhere.goto(`${system.origin}/staff`);
    await signOut(elsewhere, system);
    await page.locator('[data-live-note]').getByText('We’re trying to reconnect').waitFor();
    await until('the stream to end', async () => (await system.metric('staff_event_streams')) === 0);
    await context.close();
  });

  test('without script, a link shows the list again', async () => {
    const { date } = await booked(6);
    const options = { path: `/staff/today/${date}`, javaScriptEnabled: false };
    const { context, page } = await signedIn(browser, system, 'frontdesk', options);
    const who = await booked(6);
    await page.goto(`${system.origin}/staff/today/${who.date}`);
    await page.getByRole('link', { name: 'Refresh' }).click();
    await rowOf(page, who).waitFor();
    assert.equal(await page.locator('[data-live-note]').count(), 0);
    await context.close();
  });
});
