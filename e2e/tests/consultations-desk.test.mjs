/**
 * Video consultations at the desk: a request gets its time, link and doctor, is changed and cancelled, with and without
 * script, and only by those who may.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { dayFromToday, person } from '../booking.mjs';
import { DESKTOP, PHONE, axe, launch } from '../browser.mjs';
import { mailTo, mailsTo } from '../mail.mjs';
import { until } from '../processes.mjs';
import { assertSoundPage, nameOf, signedIn, tabTo, unexpected } from '../staff.mjs';
import { System, UNLIMITED } from '../system.mjs';

const LIST = '/staff/consultations';
/** More requests of one network than this are refused while staff have not handled them. */
const REQUESTED_MAX = 12;
const NUMBER = 'KMC 000199';

describe('consultations at the desk', () => {
  let system;
  let browser;
  let requests = 0;
  before(async () => {
    const gateway = [...UNLIMITED, '--address-documents-max', '100000'];
    [system, browser] = await Promise.all([System.start({ gateway, staff: true }), launch()]);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  const nameIn = ({ firstName, lastName }) => `${firstName} ${lastName}`;
  const result = (page) => page.locator('#result');
  const timeOf = (page) => page.locator('main select[name=time]');
  const linkOf = (page) => page.locator('main input[name=link]');
  const doctorOf = (page) => page.locator('main select[name=doctorId]');
  const numberOf = (page) => page.locator('main input[name=doctorRegistration]');
  /** Chooses the first doctor, and gives the number. Returns the doctor's name. */
  async function allot(page, number) {
    const value = await doctorOf(page).locator('option').nth(1).getAttribute('value');
    await doctorOf(page).selectOption(value);
    await numberOf(page).fill(number);
    return (await doctorOf(page).locator('option').nth(1).innerText()).replace(/ \(.*\)$/, '');
  }
  const rowOf = (page, who) => page.locator('[data-row]').filter({ hasText: nameIn(who) });
  const open = (page, path) => page.goto(`${system.origin}${path}`);
  const linkFor = ({ phone }) => `https://meet.example.com/room?id=${phone.replace(/\D/g, '')}`;

  async function requested(who, { patientEmail = who.email, days = 7 } = {}) {
    requests += 1;
    assert.ok(requests <= REQUESTED_MAX);
    const { phone, message: description } = who;
    const body = { patientName: nameIn(who), patientEmail, phone, description, date: dayFromToday(days) };
    const answer = await system.call('POST', '/consultations', body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body;
  }

  /** Reads a consultation as staff do. */
  async function read(id) {
    const headers = { Authorization: `Bearer ${system.token('appointments:read')}` };
    const { body } = await system.call('GET', `/consultations/${id}`, null, headers);
    return body;
  }

  async function fill(page, who, time = '4:30 PM') {
    await timeOf(page).selectOption(time);
    await linkOf(page).fill(linkFor(who));
    return allot(page, NUMBER);
  }

  const schedule = (page) => page.getByRole('button', { name: 'Schedule the consultation' }).click();

  for (const [viewport, javaScriptEnabled] of [
    [PHONE, true],
    [DESKTOP, true],
    [PHONE, false],
  ]) {
    const how = `${javaScriptEnabled ? 'with' : 'without'} script at ${viewport.width} px`;
    const options = { viewport, javaScriptEnabled };

    const assertSound = javaScriptEnabled ? assertSoundPage : async () => {};

    test(`a request gets its time and link, which the patient is mailed, and is cancelled, ${how}`, async () => {
      const who = person();
      const { id } = await requested(who);
      const { context, page, problems } = await signedIn(browser, system, 'frontdesk', { ...options, path: LIST });
      assert.match(await rowOf(page, who).innerText(), /Requested/);
      await assertSound(page, 'consultations');
      await page.getByRole('link', { name: nameIn(who), exact: true }).click();
      await page.getByRole('heading', { level: 1, name: nameIn(who) }).waitFor();
      const main = await page.locator('main').innerText();
      for (const shown of [who.message, who.email, who.phone]) assert.ok(main.includes(shown), main);
      await assertSound(page, 'consultation');

      const doctor = await fill(page, who);
      await linkOf(page).fill('http://meet.example.com');
      await schedule(page);
      await result(page)
        .getByRole('link', { name: /https address/ })
        .waitFor();
      assert.equal(await timeOf(page).inputValue(), '4:30 PM');
      assert.equal(await numberOf(page).inputValue(), NUMBER);
      await assertSound(page, 'consultation-refused');
      await linkOf(page).fill(linkFor(who));
      await schedule(page);
      await result(page).getByText('The time and the link are saved').waitFor();
      assert.ok((await result(page).innerText()).includes(who.email));
      await assertSound(page, 'consultation-scheduled');
      const told = (text) => [linkFor(who), doctor, NUMBER].every((one) => text.includes(one));
      await mailTo(system, who.email, ({ text }) => told(text));
      const scheduled = await read(id);
      assert.deepEqual(
        [scheduled.status, scheduled.time, scheduled.link, scheduled.doctorName, scheduled.doctorRegistration],
        ['CONSULTATION_STATUS_SCHEDULED', '4:30 PM', linkFor(who), doctor, NUMBER],
      );

      const cancel = page.getByRole('button', { name: `Cancel the consultation: ${nameIn(who)}` });
      assert.ok(!(await cancel.isVisible()), 'the question comes first');
      await page.getByText('Complete, no-show or cancel…').click();
      await assertSound(page, 'consultation-asked');
      const before = (await mailsTo(system, who.email)).length;
      await cancel.click();
      await result(page).getByText('The consultation is cancelled').waitFor();
      assert.equal((await read(id)).status, 'CONSULTATION_STATUS_CANCELLED');
      await until('the cancellation is mailed', async () => (await mailsTo(system, who.email)).length > before);
      await open(page, `${LIST}?status=cancelled`);
      await rowOf(page, who).waitFor();
      assert.deepEqual(unexpected(problems, 400), []);
      await context.close();
    });
  }

  test('a patient without an e-mail address is to be called, and a call is completed', async () => {
    const who = person();
    const { id } = await requested(who, { patientEmail: '' });
    const { context, page } = await signedIn(browser, system, 'frontdesk', { path: `${LIST}/${id}` });
    await fill(page, who);
    await schedule(page);
    await result(page).getByText('There is no e-mail address').waitFor();
    assert.ok((await result(page).innerText()).includes(who.phone));
    await page.getByText('Complete, no-show or cancel…').click();
    await page.getByRole('button', { name: /^Mark as completed/ }).click();
    await result(page).getByText('marked as completed').waitFor();
    assert.equal((await read(id)).status, 'CONSULTATION_STATUS_COMPLETED');
    await context.close();
  });

  test('a doctor’s number is asked once, and is then beside the name', async () => {
    const [first, second] = [person(), person()];
    const { id: one } = await requested(first);
    const { id: other } = await requested(second);
    const { context, page, problems } = await signedIn(browser, system, 'frontdesk', { path: `${LIST}/${one}` });
    await fill(page, first);
    // The last doctor of the list, whom no other test allots.
    const last = doctorOf(page).locator('option').last();
    const value = await last.getAttribute('value');
    await doctorOf(page).selectOption(value);
    await numberOf(page).fill('');
    await schedule(page);
    await result(page)
      .getByRole('link', { name: /registration number/ })
      .waitFor();
    assert.equal(await doctorOf(page).inputValue(), value);
    await numberOf(page).fill('TSMC 000200');
    await schedule(page);
    await result(page).getByText('The time and the link are saved').waitFor();
    await open(page, `${LIST}/${other}`);
    await fill(page, second);
    await doctorOf(page).selectOption(value);
    assert.match(await last.innerText(), /\(TSMC 000200\)$/);
    await numberOf(page).fill('');
    await schedule(page);
    await result(page).getByText('The time and the link are saved').waitFor();
    assert.equal((await read(other)).doctorRegistration, 'TSMC 000200');
    assert.deepEqual(unexpected(problems, 400), []);
    await context.close();
  });

  test('the second of two people gets the other one’s change, and no overwrite', async () => {
    const who = person();
    const { id } = await requested(who);
    const path = `${LIST}/${id}`;
    const first = await signedIn(browser, system, 'frontdesk', { path });
    const second = await signedIn(browser, system, 'manager', { path });
    await fill(first.page, who);
    await schedule(first.page);
    await result(first.page).getByText('The time and the link are saved').waitFor();
    await fill(second.page, who, '5:00 PM');
    await schedule(second.page);
    await result(second.page).getByText('Another person has changed this consultation').waitFor();
    assert.match(await result(second.page).innerText(), /Scheduled[^]*4:30 PM/);
    assert.equal(await timeOf(second.page).inputValue(), '5:00 PM');
    assert.equal((await read(id)).time, '4:30 PM');
    assert.deepEqual(unexpected(second.problems, 412), []);
    await Promise.all([first.context.close(), second.context.close()]);
  });

  test('works by keyboard alone', async () => {
    const who = person();
    await requested(who);
    const { context, page } = await signedIn(browser, system, 'frontdesk', { path: `${LIST}?status=requested` });
    await tabTo(page, 'link', nameIn(who));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: nameIn(who) }).waitFor();
    await tabTo(page, 'combobox', 'Time');
    await page.keyboard.type('4:30');
    await tabTo(page, 'combobox', 'Doctor');
    await page.keyboard.press('ArrowDown');
    await tabTo(page, 'textbox', 'Doctor’s registration number');
    await page.keyboard.type(NUMBER);
    await tabTo(page, 'textbox', 'Link of the video room');
    await page.keyboard.type(linkFor(who));
    await page.keyboard.press('Enter');
    await result(page).getByText('The time and the link are saved').waitFor();
    await context.close();
  });

  test('is read without the scope to change, and refused without the scope to read', async () => {
    const who = person();
    const { id } = await requested(who);
    const doctor = await signedIn(browser, system, 'doctor', { path: `${LIST}/${id}` });
    assert.match(await doctor.page.locator('main').innerText(), /You can see consultations but not change them/);
    assert.equal(await doctor.page.locator('main form').count(), 0);
    await doctor.context.close();
    const editor = await signedIn(browser, system, 'editor');
    assert.equal(await editor.page.getByRole('link', { name: 'Consultations' }).count(), 0);
    for (const path of [LIST, `${LIST}/${id}`]) {
      assert.equal((await open(editor.page, path)).status(), 403, path);
      assert.match(await editor.page.locator('main').innerText(), /You don’t have access to/);
    }
    await editor.context.close();
  });

  test('explains an unavailable service, keeps the frame, and works again once it is back', async () => {
    const who = person();
    const { id } = await requested(who);
    const { context, page } = await signedIn(browser, system, 'frontdesk', { path: `${LIST}/${id}` });
    await fill(page, who);
    const booking = system.programs['svc-booking'];
    await booking.kill();
    await schedule(page);
    await result(page).getByText('may not have been saved').waitFor();
    assert.match(await page.locator('main').innerText(), /The consultations can’t be shown right now/);
    assert.match(await page.locator('header').first().innerText(), new RegExp(nameOf('frontdesk')));
    assert.deepEqual(await axe(page), []);
    await booking.start();
    await booking.ready();
    await until('the list is back', async () => {
      await open(page, LIST);
      return (await rowOf(page, who).count()) === 1;
    });
    await context.close();
  });

  test('no patient and no link is in a log', () => {
    const logs = system.logs();
    assert.ok(logs.length > 1_000);
    assert.doesNotMatch(logs, /@patients\.example|Testperson|meet\.example/);
  });
});
