/**
 * Rosters at the desk: the week, sessions, leave that uncovers appointments and the offer of a new time, holidays; with
 * and without script, and only by those who may.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { bookableDoctor, dayFromToday, freeSlot, payload, person } from '../booking.mjs';
import { DESKTOP, PHONE, axe, launch } from '../browser.mjs';
import { mailTo } from '../mail.mjs';
import { until } from '../processes.mjs';
import { SCOPES, assertSoundPage, nameOf, signedIn, tabTo, unexpected } from '../staff.mjs';
import { System, UNLIMITED } from '../system.mjs';

const ROSTERS = '/staff/rosters';
const HOLIDAYS = '/staff/holidays';
const UNCOVERED = '/staff/uncovered';

describe('rosters at the desk', () => {
  let system;
  let browser;
  before(async () => {
    const gateway = [...UNLIMITED, '--address-documents-max', '100000'];
    [system, browser] = await Promise.all([System.start({ gateway, staff: true }), launch()]);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  const open = (page, path) => page.goto(`${system.origin}${path}`);
  const result = (page) => page.locator('#result');
  const form = (page, name) => page.getByRole('form', { name, exact: true });
  const save = (page, name, button) => form(page, name).getByRole('button', { name: button }).click();

  /** Books a time of a doctor, and returns the appointment. */
  async function booked(doctor, who, index) {
    const slot = await freeSlot(system, { department: doctor.department, doctor: doctor.id, index });
    const { status, body } = await system.post('/appointments', payload(who, slot, doctor.id));
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  }

  /** Fills in a form, but for its check boxes. */
  async function fill(page, name, values) {
    for (const [field, value] of Object.entries(values)) {
      const control = form(page, name).locator(`[name=${field}]`);
      if ((await control.evaluate(({ tagName }) => tagName)) === 'SELECT') await control.selectOption(value);
      else await control.fill(value);
    }
  }

  /** Adds a clinic on Mondays and Fridays, and opens its page. */
  async function addClinic(page, name) {
    await open(page, ROSTERS);
    await page.getByText('Add a session…').click();
    await fill(page, 'New session', { department: 'cardiology', name, from: '09:00', until: '11:00' });
    for (const day of ['Mon', 'Fri']) await form(page, 'New session').getByLabel(day, { exact: true }).check();
    await save(page, 'New session', 'Add the session');
    await result(page).getByText(`The session of ${name} is added.`).waitFor();
    await page.getByRole('link', { name, exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
  }

  for (const [index, [viewport, javaScriptEnabled]] of [
    [PHONE, true],
    [DESKTOP, true],
    [PHONE, false],
  ].entries()) {
    const how = `${javaScriptEnabled ? 'with' : 'without'} script at ${viewport.width} px`;
    const options = { viewport, javaScriptEnabled };

    const assertSound = javaScriptEnabled ? assertSoundPage : async () => {};

    test(`leave uncovers appointments, and their patients are offered a new time, ${how}`, async () => {
      const doctor = await bookableDoctor(system, index);
      const who = person();
      const { date, time, reference } = await booked(doctor, who, 20);
      const { context, page, problems } = await signedIn(browser, system, 'manager', {
        ...options,
        path: `${ROSTERS}?week=${date}&doctor=${doctor.id}`,
      });
      const link = page.getByRole('region').getByRole('link', { name: doctor.name, exact: true });
      assert.ok((await link.count()) > 0, await page.locator('main').innerText());
      await assertSound(page, 'rosters');
      await link.first().click();
      await page.getByRole('heading', { level: 1, name: doctor.name }).waitFor();
      await assertSound(page, 'roster');

      await fill(page, 'New leave', { leaveFrom: date, leaveUntil: date, reason: 'Conference' });
      await save(page, 'New leave', 'Add the leave');
      await result(page).getByText(`Leave of ${doctor.name} is added`).waitFor();
      const uncovered = await result(page).innerText();
      for (const shown of ['1 appointment is uncovered', who.firstName, who.phone, time])
        assert.ok(uncovered.includes(shown), uncovered);
      await assertSound(page, 'roster-uncovered');
      const write = result(page).getByRole('button', { name: 'Write to 1 person' });
      assert.ok(!(await write.isVisible()), 'the question comes first');
      await result(page).locator('summary').click();
      assert.match(await result(page).locator('details').innerText(), /This mails 1 person/);
      await write.click();
      await result(page).getByText('We are writing to 1 person.').waitFor();
      assert.match(await result(page).innerText(), new RegExp(`Written to \\(1\\)[^]*${who.firstName}`));
      await assertSound(page, 'roster-offered');
      const mail = await mailTo(system, who.email, ({ subject }) => subject.includes('choose another time'));
      assert.ok(mail.text.includes(reference), mail.text);

      await open(page, UNCOVERED);
      assert.match(await page.locator('main').innerText(), new RegExp(who.firstName));
      await assertSound(page, 'uncovered');
      await open(page, `${ROSTERS}/doctor:${doctor.id}`);
      await page.locator('summary[aria-label^="Delete: "]').last().click();
      await page.getByRole('button', { name: 'Delete the leave' }).last().click();
      await result(page).getByText(`Leave of ${doctor.name} is deleted`).waitFor();
      await open(page, UNCOVERED);
      assert.doesNotMatch(await page.locator('main').innerText(), new RegExp(who.firstName));
      assert.deepEqual(unexpected(problems), []);
      await context.close();
    });

    test(`a session is added, changed and deleted, ${how}`, async () => {
      const name = `Test clinic ${index}`;
      const { context, page, problems } = await signedIn(browser, system, 'manager', { ...options, path: ROSTERS });
      await addClinic(page, name);
      await page.getByRole('link', { name: 'Change: Mon and Fri' }).click();
      const shown = form(page, 'Change a session');
      assert.equal(await shown.locator('[name=until]').inputValue(), '11:00');
      await assertSound(page, 'session');
      await fill(page, 'Change a session', { until: '08:00', seats: '3' });
      await save(page, 'Change a session', 'Save the session');
      await result(page).getByText('Enter a time after the start').waitFor();
      assert.equal(await shown.locator('[name=seats]').inputValue(), '3');
      await assertSound(page, 'session-refused');
      await fill(page, 'Change a session', { until: '12:00' });
      await save(page, 'Change a session', 'Save the session');
      await result(page).getByText(`The session of ${name} is changed.`).waitFor();
      assert.match(await page.locator('main').innerText(), /9:00 AM to 12:00 PM[^]*3 patients each half hour/);
      await page.locator('summary[aria-label^="Delete: Mon and Fri"]').click();
      await page.getByRole('button', { name: 'Delete the session' }).click();
      await result(page).getByText(`The session of ${name} is deleted`).waitFor();
      await open(page, ROSTERS);
      assert.equal(await page.getByRole('link', { name, exact: true }).count(), 0);
      assert.deepEqual(unexpected(problems, 400), []);
      await context.close();
    });

    test(`a holiday is added and deleted, ${how}`, async () => {
      const date = dayFromToday(40 + index);
      const name = `Test day ${index}`;
      const { context, page, problems } = await signedIn(browser, system, 'manager', { ...options, path: HOLIDAYS });
      await fill(page, 'New holiday', { date, name });
      await save(page, 'New holiday', 'Add the holiday');
      await result(page).getByText(`is a holiday: ${name}.`).waitFor();
      await assertSound(page, 'holidays');
      await page.locator(`summary[aria-label^="Delete: ${name}"]`).click();
      await page.locator('details[open]').getByRole('button', { name: 'Delete the holiday' }).click();
      await result(page).getByText(`is no longer a holiday: ${name}.`).waitFor();
      assert.deepEqual(unexpected(problems), []);
      await context.close();
    });
  }

  test('the second of two people gets the other one’s change, and no overwrite', async () => {
    const name = 'Shared clinic';
    const first = await signedIn(browser, system, 'manager', { path: ROSTERS });
    await addClinic(first.page, name);
    await first.page.getByRole('link', { name: 'Change: Mon and Fri' }).click();
    await form(first.page, 'Change a session').waitFor();
    const second = await first.context.newPage();
    await second.goto(first.page.url());
    await fill(first.page, 'Change a session', { seats: '5' });
    await save(first.page, 'Change a session', 'Save the session');
    await result(first.page).getByText('is changed').waitFor();
    await fill(second, 'Change a session', { until: '13:00' });
    await save(second, 'Change a session', 'Save the session');
    await result(second).getByText('Another person has changed this session').waitFor();
    assert.match(await result(second).locator('dl').innerText(), /Patients in each half hour\s+1 5/);
    assert.equal(await form(second, 'Change a session').locator('[name=until]').inputValue(), '13:00');
    await save(second, 'Change a session', 'Save the session');
    await result(second).getByText('is changed').waitFor();
    await first.context.close();
  });

  test('works by keyboard alone', async () => {
    const { context, page } = await signedIn(browser, system, 'manager', { path: ROSTERS });
    const heading = () => page.getByRole('heading', { level: 1 }).innerText();
    const before = await heading();
    await tabTo(page, 'link', /^Next week/);
    await page.keyboard.press('Enter');
    await until('the next week is shown', async () => (await heading()) !== before);
    await context.close();
  });

  test('is shown without forms to those who may only read, and refused to others', async () => {
    assert.ok(!SCOPES.frontdesk.includes('rosters:write'));
    const reader = await signedIn(browser, system, 'frontdesk', { path: ROSTERS });
    for (const path of [ROSTERS, `${ROSTERS}/doctor:doc-06`, HOLIDAYS]) {
      assert.equal((await open(reader.page, path)).status(), 200, path);
      assert.equal(await reader.page.locator('main form[method=post]').count(), 0, path);
    }
    await reader.context.close();
    const other = await signedIn(browser, system, 'editor');
    assert.equal(await other.page.getByRole('link', { name: 'Rosters' }).count(), 0);
    for (const path of [ROSTERS, `${ROSTERS}/doctor:doc-06`, HOLIDAYS, UNCOVERED])
      assert.equal((await open(other.page, path)).status(), 403, path);
    await other.context.close();
  });

  test('explains an unavailable service, keeps the frame, and works again once it is back', async () => {
    const { context, page } = await signedIn(browser, system, 'manager', { path: HOLIDAYS });
    const booking = system.programs['svc-booking'];
    await booking.kill();
    await fill(page, 'New holiday', { date: dayFromToday(50), name: 'Test day' });
    await save(page, 'New holiday', 'Add the holiday');
    await page.getByText('The holiday may not have been saved').waitFor();
    assert.match(await page.locator('main').innerText(), /The holidays can’t be shown right now/);
    assert.equal(await form(page, 'New holiday').locator('[name=name]').inputValue(), 'Test day');
    assert.match(await page.locator('header').first().innerText(), new RegExp(nameOf('manager')));
    assert.deepEqual(await axe(page), []);
    await booking.start();
    await booking.ready();
    await until('the list is back', async () => (await open(page, HOLIDAYS)).status() === 200);
    await context.close();
  });

  test('no patient is in a log', () => {
    const logs = system.logs();
    assert.ok(logs.length > 1_000);
    assert.doesNotMatch(logs, /@patients\.example|Kaveri\d/);
  });
});
