/** A patient's actions with an appointment's link, and a video consultation, with and without script. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { bookableDoctor, cancelBooking, freeSlot, payload, person, waitForFullDay } from '../booking.mjs';
import { DESKTOP, PHONE, assertReflows, axe, hydrated, launch, screenshot, visitor } from '../browser.mjs';
import { mailTo } from '../mail.mjs';
import { until } from '../processes.mjs';
import { System, UNLIMITED } from '../system.mjs';

const MANAGE = '/appointment/manage';
const WAYS = [
  { way: 'with script', viewport: PHONE, javaScriptEnabled: true },
  { way: 'without script', viewport: DESKTOP, javaScriptEnabled: false },
];
const MANAGED = [...WAYS, { way: 'with script', viewport: DESKTOP, javaScriptEnabled: true }];

describe('the link of an appointment', () => {
  let system;
  let browser;
  let doctor;
  before(async () => {
    const gateway = [...UNLIMITED];
    [system, browser] = await Promise.all([System.start({ gateway }), launch()]);
    doctor = await bookableDoctor(system, 1);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  async function booked(index) {
    const slot = await freeSlot(system, { department: doctor.department, doctor: doctor.id, index });
    const { status, body } = await system.post('/appointments', payload(person(), slot, doctor.id));
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  }

  const read = async ({ reference, secret }) => {
    const answer = await system.api(`/appointments/${reference}`, { headers: { 'X-Appointment-Secret': secret } });
    return { status: answer.status, body: await answer.json() };
  };

  /** Opens a link as a visitor does: by following it with script, by pasting it without script. */
  async function follow(page, { reference, secret }, { javaScriptEnabled }) {
    const link = `${system.origin}${MANAGE}#${reference}.${secret}`;
    await page.goto('about:blank');
    await page.goto(javaScriptEnabled ? link : `${system.origin}${MANAGE}`);
    if (javaScriptEnabled) return;
    await page.getByText('I have the link').click();
    await page.locator('main [name=link]').fill(link);
    await page.getByRole('button', { name: 'Open', exact: true }).click();
  }

  const newLink = async (page) => {
    const href = await page.getByRole('link', { name: 'Open this link' }).getAttribute('href');
    const [, reference, secret] = href.match(/#(.+)\.(.+)$/);
    return { reference, secret };
  };

  /** U5: the completed action is the heading; with script the heading has the focus and is visible. */
  async function assertDone(page, words, { javaScriptEnabled }) {
    const heading = page.getByRole('heading', { level: 1, name: words });
    await heading.waitFor();
    if (!javaScriptEnabled) return;
    const { hasFocus, isInSight } = await heading.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return { hasFocus: document.activeElement === element, isInSight: top >= 0 && bottom <= innerHeight };
    });
    assert.ok(hasFocus, `${words}: the heading has the focus`);
    assert.ok(isInSight, `${words}: the heading is in sight`);
  }

  for (const [index, look] of MANAGED.entries()) {
    test(`U5: shows, moves and cancels at ${look.viewport.width} px ${look.way}`, async () => {
      const appointment = await booked(index);
      const { context, page, problems } = await visitor(browser, look);
      await follow(page, appointment, look);
      await page.getByText(appointment.reference).first().waitFor();
      assert.equal((await read(appointment)).body.etag, appointment.etag, 'who only looks changes nothing');
      if (look.javaScriptEnabled) {
        assert.deepEqual(await axe(page), []);
        await assertReflows(page);
      }
      await screenshot(page, `manage-${look.viewport.width}`);

      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Add to calendar' }).click(),
      ]);
      assert.equal(file.suggestedFilename(), 'appointment.ics');

      await page.getByText('Choose another time').click();
      if (!look.javaScriptEnabled) {
        await page.locator('main [name=date]:visible').fill(appointment.date);
        await page.getByRole('button', { name: 'Show free times' }).click();
      } else {
        await page.locator('main [name=date]:visible').fill(appointment.date);
      }
      const free = page.locator('input[type=radio][name=time]:enabled').first();
      await free.waitFor({ state: 'attached' });
      const time = await free.inputValue();
      await free.check();
      await page.getByRole('button', { name: 'Move to this time' }).click();
      await assertDone(page, 'Your appointment was moved', look);
      const link = await newLink(page);
      assert.notEqual(link.secret, appointment.secret);
      const moved = await read(link);
      assert.deepEqual([moved.status, moved.body.time, moved.body.doctorId], [200, time, doctor.id]);
      assert.equal((await read(appointment)).body.reason, 'LINK_REPLACED');
      if (look.javaScriptEnabled) {
        await page.reload();
        await page.getByText(link.reference).first().waitFor();
      }

      await page.getByText('Cancel this appointment', { exact: true }).click();
      assert.equal((await read(link)).body.status, 'APPOINTMENT_STATUS_BOOKED', 'it is asked for first');
      await page.getByRole('button', { name: 'Yes, cancel it' }).click();
      await assertDone(page, 'Your appointment is cancelled', look);
      assert.equal((await read(link)).body.status, 'APPOINTMENT_STATUS_CANCELLED');
      assert.deepEqual(problems, []);

      await follow(page, appointment, look);
      await page.getByRole('heading', { level: 1, name: 'This appointment was moved' }).waitFor();
      await page.getByRole('button', { name: 'Send me the new link' }).waitFor();
      await follow(page, { ...appointment, secret: 'x'.repeat(43) }, look);
      await page.getByText('We couldn’t find an appointment with this link').waitFor();
      await context.close();
    });
  }

  for (const look of MANAGED) {
    test(`U7: is replaced by reference, phone number and a mailed code, at ${look.viewport.width} px ${look.way}`, async () => {
      const who = person();
      const slot = await freeSlot(system, { department: doctor.department, doctor: doctor.id, index: 12 });
      const { body } = await system.post('/appointments', payload(who, slot, doctor.id));
      const { context, page, problems } = await visitor(browser, look);
      await page.goto(`${system.origin}/`);
      await page.getByRole('contentinfo').getByRole('link', { name: 'Change or cancel' }).click();
      if (look.javaScriptEnabled) await hydrated(page);
      await page.locator('main [name=reference]').fill(body.reference.toLowerCase());
      await page.locator('main [name=phone]:visible').fill(who.phone);
      await page.getByRole('button', { name: 'Send me a code' }).click();
      await assertDone(page, 'Enter the code from our e-mail', look);
      const ofCode = /^Code: (\d{6})$/m;
      const mail = await mailTo(system, who.email, ({ text }) => ofCode.test(text));
      const [, code] = ofCode.exec(mail.text);
      assert.deepEqual(problems, []);
      const wrong = code === '000000' ? '000001' : '000000';
      for (const typed of [wrong, code]) {
        await page.locator('main [name=code]').fill(typed);
        await page.getByRole('button', { name: 'Open my appointment' }).click();
        if (typed === wrong) await page.getByText('This code doesn’t match this reference').waitFor();
      }
      await assertDone(page, 'Your appointment', look);
      const panel = await page.locator('main').innerText();
      for (const words of [`${who.firstName} ${who.lastName}`, body.reference, slot.time, doctor.name])
        assert.ok(panel.includes(words), `${words} in ${panel}`);
      assert.ok(!(page.url() + (await page.title())).includes(who.lastName));
      await page.getByText('Cancel this appointment', { exact: true }).click();
      await page.getByRole('button', { name: 'Yes, cancel it' }).click();
      await assertDone(page, 'Your appointment is cancelled', look);
      assert.ok(!system.logs().includes(code), 'no log has the code');
      await context.close();
    });
  }

  test('a document that responds to a post is not cached, and sends no referrer to other sites', async () => {
    const appointment = await booked(2);
    const answer = await fetch(`${system.origin}${MANAGE}`, {
      method: 'POST',
      body: new URLSearchParams({ task: 'find', reference: appointment.reference, secret: appointment.secret }),
      headers: { 'Sec-Fetch-Site': 'same-origin' },
    });
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    const html = await answer.text();
    assert.match(html, /<meta name="referrer" content="same-origin">/);
    assert.match(html, /<meta name="robots" content="noindex">/);
    assert.ok(html.includes(appointment.reference));
    assert.ok(!system.logs().includes(appointment.secret), 'no log has the secret');
  });

  test('accepts the offered time of a waitlist entry', async () => {
    const { first, entry } = await waitForFullDay(system, doctor);
    const { reference, secret } = entry;
    await cancelBooking(system, first);
    await until('a time is offered', async () => {
      const answer = await system.api(`/waitlist-entries/${reference}`, { headers: { 'X-Waitlist-Secret': secret } });
      return (await answer.json()).state === 'WAITLIST_STATE_OFFERED';
    });
    const { context, page, problems } = await visitor(browser, { viewport: PHONE });
    await follow(page, { reference, secret }, { javaScriptEnabled: true });
    await page.getByText(/We’re holding this time for you until \d+:\d\d [AP]M IST/).waitFor();
    assert.deepEqual(await axe(page), []);
    await page.getByRole('button', { name: 'Take this time' }).click();
    await page.getByText('Your appointment is booked').waitFor();
    const taken = await read(await newLink(page));
    assert.deepEqual([taken.body.date, taken.body.time], [first.date, first.time]);
    assert.deepEqual(problems, []);
    await context.close();
  });
});

/** Returns the last of these weekdays up to a day, `YYYY-MM-DD`. */
function lastOf(day, weekday) {
  const date = new Date(`${day}T00:00:00Z`);
  while (!date.toUTCString().startsWith(weekday)) date.setUTCDate(date.getUTCDate() - 1);
  return date.toISOString().slice(0, 10);
}

describe('a video consultation', () => {
  let system;
  let browser;
  before(async () => {
    [system, browser] = await Promise.all([System.start(), launch()]);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  for (const look of WAYS) {
    test(`is requested ${look.way}`, async () => {
      const { firstName, lastName, phone } = person();
      const { context, page, problems } = await visitor(browser, look);
      await page.goto(`${system.origin}/`);
      await page.getByRole('link', { name: 'Virtual Consultation' }).first().click();
      if (look.javaScriptEnabled) await hydrated(page);
      await page.locator('main [name=patientName]').fill(`${firstName} ${lastName}`);
      await page.locator('main [name=phone]').fill(phone);
      // U8: a department has its own days, and the service refuses the others.
      await page.getByRole('radio', { name: /^Cardiology/ }).check();
      const day = page.locator('main [name=date]');
      const last = await day.getAttribute('max');
      await day.fill(lastOf(last, 'Tue'));
      await page.getByRole('button', { name: 'Book consultation' }).click();
      await page.locator('#date-error').getByText('Choose one of these days').waitFor();
      assert.ok(await page.getByRole('radio', { name: /^Cardiology/ }).isChecked());
      assert.equal(await page.locator('main [name=phone]').inputValue(), phone);
      // The refusal of that day is expected: 400, in the console too.
      assert.ok(problems.splice(0).every((problem) => problem.includes('400')));
      await day.fill(lastOf(last, 'Mon'));
      await page.getByRole('button', { name: 'Book consultation' }).click();
      await page.getByText(/\bVC-[0-9A-Z]{4}-[0-9A-Z]{4}\b/).waitFor();
      assert.equal(await page.locator('main form').count(), 0);
      const facts = await page.locator('main dl').textContent();
      assert.ok(facts.includes('DepartmentCardiology') && facts.includes('Fee₹700'), facts);
      if (look.javaScriptEnabled) assert.deepEqual(await axe(page), []);
      await screenshot(page, `consultation-${look.viewport.width}`);
      assert.deepEqual(problems, []);
      assert.ok(!system.logs().includes(lastName), 'no log has the name');
      await context.close();
    });
  }
});
