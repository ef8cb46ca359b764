/**
 * Contact with the hospital: with and without script, while its service is down, as a robot, and the newsletter's
 * sign-up.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { person } from '../booking.mjs';
import { DESKTOP, PHONE, axe, assertFits, hydrated, launch, screenshot, visitor } from '../browser.mjs';
import { linksOf, mailTo, mailsTo } from '../mail.mjs';
import { System, UNLIMITED } from '../system.mjs';

const FAILED = 'Failed to send message. Please try again.';

describe('contact', () => {
  let system;
  let browser;
  before(async () => {
    const gateway = [...UNLIMITED];
    [system, browser] = await Promise.all([System.start({ gateway }), launch()]);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  async function open(path = '/contact', options) {
    const visit = await visitor(browser, options);
    await visit.page.goto(`${system.origin}${path}`);
    return visit;
  }

  function wordsOf(who, message = `${who.message}. Can my mother be visited after six? Thank you.`) {
    const { firstName, lastName, email, phone } = who;
    return { firstName, lastName, email, phone, subject: 'Visiting hours', message };
  }

  async function fill(page, words) {
    for (const [name, value] of Object.entries(words)) await page.locator(`main [name=${name}]`).fill(value);
  }

  const send = (page) => page.getByRole('button', { name: 'Send message' }).click();

  async function readConfirmation(page, who) {
    await page.getByRole('heading', { name: 'Message Sent!' }).waitFor();
    const text = await page.locator('main').innerText();
    assert.ok(text.includes(`${who.firstName} ${who.lastName}`) && text.includes(who.email), text);
    const [reference] = text.match(/MS-[0-9A-Z]{4}-[0-9A-Z]{4}/) ?? [];
    assert.ok(reference, text);
    const mail = await mailTo(system, who.email);
    assert.ok(mail.text.includes(reference));
  }

  for (const [viewport, javaScriptEnabled] of [
    [PHONE, true],
    [DESKTOP, true],
    [PHONE, false],
  ]) {
    const how = javaScriptEnabled ? 'with' : 'without';
    test(`confirms a message by name and acknowledges it, ${how} script at ${viewport.width} px`, async () => {
      const who = person();
      const { context, page } = await open('/contact', { viewport, javaScriptEnabled });
      if (javaScriptEnabled) await hydrated(page);
      await page.getByRole('heading', { name: 'Get in Touch', level: 1 }).waitFor();
      await fill(page, wordsOf(who));
      await send(page);
      await readConfirmation(page, who);
      if (javaScriptEnabled) assert.deepEqual(await axe(page), []);
      await assertFits(page);
      await screenshot(page, `contact-sent-${viewport.width}-${how}`);
      await context.close();
    });
  }

  test('reports missing values at their fields, with and without script', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { context, page } = await open('/contact', { javaScriptEnabled });
      if (javaScriptEnabled) await hydrated(page);
      await page
        .evaluate(() => (document.querySelector('form:has([name=firstName])').noValidate = true))
        .catch(() => {});
      const who = person();
      await fill(page, { ...wordsOf(who), email: 'nobody at home', phone: '12' });
      await send(page);
      await page.getByRole('alert').first().waitFor();
      for (const name of ['email', 'phone']) {
        const field = page.locator(`main [name=${name}]`);
        assert.equal(await field.getAttribute('aria-invalid'), 'true', `${name}, script ${javaScriptEnabled}`);
      }
      assert.equal(await page.locator('main [name=message]').inputValue(), wordsOf(who).message);
      await context.close();
    }
  });

  test('reports an unavailable service, keeps what was typed, and sends it once the service is back', async () => {
    const messaging = system.programs['svc-messaging'];
    const who = person();
    const scripted = await open();
    await hydrated(scripted.page);
    const native = await open('/contact', { javaScriptEnabled: false });
    await messaging.kill();
    const asked = await open('/contact');
    assert.ok(await asked.page.locator('a[href^="tel:"]').count(), 'the page and its numbers stay');
    for (const { page } of [scripted, native]) {
      await fill(page, wordsOf(who));
      await send(page);
      await page.getByText(FAILED).waitFor({ timeout: 30_000 });
      for (const [name, value] of Object.entries(wordsOf(who))) {
        assert.equal(await page.locator(`main [name=${name}]`).inputValue(), value, name);
      }
    }
    await messaging.start();
    await messaging.ready();
    await send(scripted.page);
    await readConfirmation(scripted.page, who);
    for (const { context } of [scripted, native, asked]) await context.close();
  });

  test('sends suspected spam with a proof of work computed in the background', async () => {
    const who = person();
    const { context, page } = await open();
    await hydrated(page);
    const answers = [];
    page.on('response', (response) => {
      if (new URL(response.url()).pathname === '/api/messages') answers.push(response.status());
    });
    const links = ['https://one.example/a', 'https://two.example/b'];
    await fill(page, wordsOf(who, `My reports, as you asked for them: ${links.join(' and ')}. ${who.message}`));
    await page.locator('main [name=subject]').fill('MY REPORTS https://three.example/c');
    await send(page);
    await page.getByRole('heading', { name: 'Message Sent!' }).waitFor({ timeout: 40_000 });
    assert.equal(answers.at(-1), 201);
    assert.equal(answers.length, 2, 'asked for a proof, and given it');
    await context.close();
  });

  test('registers for an event without script, and ends with its day and a calendar file', async () => {
    const { events } = await (await system.api('/events')).json();
    const event = events.find(({ past }) => !past);
    const who = person();
    const { context, page } = await open('/events', { viewport: PHONE, javaScriptEnabled: false });
    await page.goto(`${system.origin}/event/${event.id}`);
    await page.getByRole('link', { name: 'Register Now' }).first().click();
    await page.waitForURL(`**/event/${event.id}/register`);
    await assertFits(page);
    await page.getByLabel('Your name').fill(`${who.firstName} ${who.lastName}`);
    await page.getByLabel('Phone').fill('12');
    await page.getByLabel('How many people').selectOption('3');
    await page.locator('main form').evaluate((form) => (form.noValidate = true));
    await page.getByRole('button', { name: 'Register' }).click();
    await page
      .getByText(/7 to 15 digits/)
      .first()
      .waitFor();
    assert.equal(await page.getByLabel('How many people').inputValue(), '3', 'what was chosen stays');
    await page.getByLabel('Phone').fill(who.phone);
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('heading', { name: 'You’re registered' }).waitFor();
    const confirmation = await page.locator('main').innerText();
    for (const shown of [event.title, event.time, '3 places']) assert.ok(confirmation.includes(shown), shown);
    assert.match(confirmation, /MS-[0-9A-Z]{4}-[0-9A-Z]{4}/);
    const calendar = await page.getByRole('link', { name: 'Add to calendar' }).getAttribute('href');
    const file = await fetch(system.origin + calendar);
    assert.match(file.headers.get('content-type'), /^text\/calendar/);
    assert.match(await file.text(), /BEGIN:VEVENT/);
    await screenshot(page, 'registered-360');
    await context.close();
  });

  test('subscribes from the blog without script, and confirms from the e-mail', async () => {
    const { blogs } = await (await system.api('/blogs')).json();
    const who = person();
    const { context, page } = await open('/blogs', { viewport: PHONE, javaScriptEnabled: false });
    await page.goto(`${system.origin}/blog/${blogs[0].id}`);
    const box = page.locator('main form[action="/newsletter"]');
    await box.getByRole('textbox').fill(who.email);
    await box.getByRole('button').click();
    await page
      .getByText(/check your e-mail/i)
      .first()
      .waitFor();
    const mail = await mailTo(system, who.email);
    const confirm = linksOf(system, mail).find((link) => link.includes('/newsletter/confirm'));
    await page.goto(confirm);
    await page.locator('main').getByRole('button').click();
    await page
      .getByText(/you’re subscribed/i)
      .first()
      .waitFor();
    await assertFits(page);
    assert.equal((await mailsTo(system, who.email)).length, 1);
    await context.close();
  });
});
