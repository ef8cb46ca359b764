/**
 * Booking over a poor connection: whatever happens to a call, the page ends in success, refusal or failure, with
 * exactly one booking.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { PHONE, hydrated, launch, visitor } from '../browser.mjs';
import {
  FAILED_TEXT,
  chooseDepartment,
  chooseSlot,
  confirmation,
  fillPerson,
  freeSlot,
  person,
  submitButton,
} from '../booking.mjs';
import { System } from '../system.mjs';
import { WeakLink } from '../weak-link.mjs';

const CREATE = /^POST \/api\/appointments/;
const FREE_TIMES = /^GET \/api\/free-times/;
/** A read takes at most 8 s in total; the rest allows for a browser on a busy machine. */
const READ_MS_MAX = 15_000;

describe('booking over a poor connection', () => {
  let system;
  let browser;
  let link;
  let context;
  let page;
  let index = 0;
  before(async () => {
    [system, browser] = await Promise.all([System.start(), launch()]);
    link = await WeakLink.to(system.origin);
  });
  after(async () => {
    await browser?.close();
    await link?.stop();
    await system?.stop();
  });
  afterEach(async () => {
    await context?.close();
    link.heal();
  });

  async function open() {
    ({ context, page } = await visitor(browser, { viewport: PHONE }));
    await page.goto(`${link.origin}/appointment`);
    await hydrated(page);
  }

  async function openFilled() {
    const [slot, who] = [await freeSlot(system, { department: 'Cardiology', index: (index += 1) }), person()];
    await open();
    await fillPerson(page, who);
    await chooseSlot(page, slot);
    return who;
  }

  /** Number of bookings since the last call, by the service's own metric. */
  let counted = 0;
  async function booked() {
    const text = await (await fetch(`${system.programs['svc-booking'].operatorsOrigin}/metrics`)).text();
    const now = Number(/^bookings_total\{outcome="booked"\} (\d+)$/m.exec(text)?.[1] ?? 0);
    const made = now - counted;
    counted = now;
    return made;
  }

  for (const fault of ['cut', 'lose', 'late', 'portal']) {
    test(`confirms a single booking after one response that is ${fault}`, async () => {
      await openFilled();
      link.break(CREATE, fault);
      await submitButton(page).click();
      await confirmation(page);
      assert.equal(await booked(), 1);
    });
  }

  for (const fault of ['cut', 'lose', 'portal']) {
    test(`reports responses that are ${fault} repeatedly, and finds the booking on the next try`, async () => {
      const who = await openFilled();
      link.break(CREATE, fault, 10);
      await submitButton(page).click();
      await page.getByRole('alert').filter({ hasText: FAILED_TEXT }).waitFor({ timeout: 30_000 });
      assert.equal(await page.locator('main [name=lastName]').inputValue(), who.lastName);
      link.heal();
      await submitButton(page).click();
      await confirmation(page);
      assert.equal(await booked(), 1);
    });
  }

  for (const fault of ['cut', 'hang', 'lose', 'portal']) {
    test(`offers a plain list of times if the response of free times is ${fault}`, async () => {
      await open();
      link.break(FREE_TIMES, fault, 10);
      await chooseDepartment(page, 'Cardiology');
      const times = page.locator('select[name=time]');
      await times.waitFor();
      await times.selectOption('10:00 AM');
      await page
        .getByText(/couldn’t load the free times/i)
        .first()
        .waitFor({ timeout: READ_MS_MAX });
      assert.equal(await times.inputValue(), '10:00 AM', 'what was chosen meanwhile stays');
    });
  }

  test('a page reopened after it was left while sending retries under the same key', async () => {
    await openFilled();
    link.break(CREATE, 'hang', 10);
    const sent = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/api/appointments'),
    );
    await submitButton(page).click();
    const key = (await sent).headers()['idempotency-key'];
    await page.goto(`${link.origin}/doctors`);
    link.heal();
    const again = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/api/appointments'),
    );
    // The page sends the request on its own. Until the response arrives it shows what was typed, possibly only for a
    // moment.
    await page.goBack();
    assert.equal((await again).headers()['idempotency-key'], key);
    await confirmation(page);
    assert.equal(await booked(), 1);
  });

  test('a reload keeps typed and chosen values', async () => {
    const who = await openFilled();
    await page.reload();
    await hydrated(page);
    for (const name of ['firstName', 'lastName', 'email', 'phone', 'message']) {
      assert.equal(await page.locator(`main [name=${name}]`).inputValue(), who[name]);
    }
    await submitButton(page).click();
    await confirmation(page);
    assert.equal(await booked(), 1);
  });

  test('a duplicated tab never repeats a booking, but books another person', async () => {
    const who = await openFilled();
    const other = person();
    // A tab opened by a page gets a copy of its session storage, as a duplicated tab does.
    const [twin] = await Promise.all([
      context.waitForEvent('page'),
      page.evaluate(() => void window.open('/appointment')),
    ]);
    await hydrated(twin);
    assert.equal(await twin.locator('main [name=lastName]').inputValue(), who.lastName);
    await submitButton(page).click();
    const reference = await confirmation(page);
    await submitButton(twin).click();
    assert.equal(await confirmation(twin), reference, 'the same form is the same booking');
    assert.equal(await booked(), 1);
    await twin.goto(`${link.origin}/appointment`);
    await hydrated(twin);
    await fillPerson(twin, other);
    await chooseSlot(twin, await freeSlot(system, { department: 'ENT', index: 1 }));
    await submitButton(twin).click();
    assert.notEqual(await confirmation(twin), reference);
    assert.equal(await booked(), 1);
  });

  test('hydration keeps typed values and the focus', async () => {
    ({ context, page } = await visitor(browser, { viewport: PHONE }));
    let release;
    const typed = new Promise((resolve) => (release = resolve));
    await page.route('**/shell.*.js', (route) => typed.then(() => route.continue()));
    await page.goto(`${link.origin}/appointment`, { waitUntil: 'commit' });
    // The steps are shown once it is clear that the script is late.
    await page.locator('main [name=firstName]').click();
    await page.locator('main [name=firstName]').pressSequentially('Asha');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Ra');
    release();
    await hydrated(page);
    await page.keyboard.type('o');
    assert.equal(await page.locator('main [name=firstName]').inputValue(), 'Asha');
    assert.equal(await page.locator('main [name=lastName]').inputValue(), 'Rao');
  });

  test('late hydration after a refused native post does not move the focus from a field', async () => {
    ({ context, page } = await visitor(browser, { viewport: PHONE }));
    let release;
    const typed = new Promise((resolve) => (release = resolve));
    await page.route('**/shell.*.js', (route) => typed.then(() => route.continue()));
    await page.goto(`${link.origin}/appointment`, { waitUntil: 'commit' });
    await page
      .locator('main form')
      .last()
      .evaluate((form) => (form.noValidate = true));
    await page.locator('main [name=firstName]').fill('Asha');
    await Promise.all([
      page.waitForResponse((answer) => answer.request().method() === 'POST'),
      submitButton(page).click(),
    ]);
    await page.locator('main [name=email][aria-invalid=true]').waitFor();
    await page.locator('main [name=lastName]').pressSequentially('Ra');
    release();
    await hydrated(page);
    await page.keyboard.type('o');
    assert.equal(await page.locator('main [name=lastName]').inputValue(), 'Rao');
  });

  test('a double tap books once', async () => {
    await openFilled();
    await submitButton(page).dblclick();
    await confirmation(page);
    assert.equal(await booked(), 1);
  });
});
