/** The main flows in Debian's Firefox, the second engine, driven by the standard WebDriver BiDi protocol. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import puppeteer from 'puppeteer-core';
import { REFERENCE, freeSlot, payload, person } from '../booking.mjs';
import { until } from '../processes.mjs';
import { nameOf } from '../staff.mjs';
import { System } from '../system.mjs';

const FIREFOX = process.env.FIREFOX ?? '/usr/bin/firefox-esr';
const PHONE = { width: 360, height: 800 };
/** What Firefox reports when a page is left: its fonts may still load, and the stream of its live lists is open. */
const LEFT = /^Error: (downloadable font: download failed .* status=2152398850 |The connection to \S+\/staff\/events)/;

/** Firefox before 144 does not support the screen orientation that the library sets together with the size. */
async function resize(page, size) {
  await page.setViewport(size).catch((error) => {
    if (!error.message.includes('unknown command emulation.setScreenOrientationOverride')) throw error;
  });
  await holds(page, (width) => globalThis.innerWidth === width, size.width);
}

/**
 * Waits until the condition holds in the page. The library's own function needs `eval`, which the site's policy blocks
 * before Firefox 144.
 */
async function holds(page, condition, ...given) {
  try {
    await until(`${condition} of ${given}`, () => page.evaluate(condition, ...given));
  } catch (error) {
    const shown = await page.evaluate(() => document.body.innerText);
    throw new Error(`the page shows:\n${shown}`, { cause: error });
  }
}

describe('Firefox', () => {
  let system;
  let browser;
  before(async () => {
    assert.ok(existsSync(FIREFOX), `${FIREFOX} is missing: apt-get install firefox-esr`);
    system = await System.start({ staff: true });
    browser = await puppeteer.launch({ browser: 'firefox', executablePath: FIREFOX, headless: true });
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  async function open(path, { isScripted = true } = {}) {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    const problems = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    await resize(page, PHONE);
    if (!isScripted) {
      // As before the script has loaded, or if it never loads.
      await page.setRequestInterception(true);
      page.on('request', (request) => (/\.js$/.test(request.url()) ? request.abort() : request.continue()));
    }
    await page.goto(`${system.origin}${path}`, { waitUntil: 'domcontentloaded' });
    return { context, page, problems };
  }

  async function fill(page, who, slot) {
    await page.$eval(`input[name=department][value="${slot.department}"]`, (radio) => radio.click());
    await page.$eval('[aria-label="Steps of the booking"] li:nth-child(4) a', (link) => link.click());
    for (const name of ['firstName', 'lastName', 'email', 'phone', 'message']) {
      await page.waitForSelector(`[name=${name}]`, { visible: true });
      await page.type(`[name=${name}]`, who[name]);
    }
  }

  const reference = async (page) => {
    const isThere = (pattern) => new RegExp(pattern).test(document.querySelector('main')?.innerText ?? '');
    await holds(page, isThere, REFERENCE.source);
    return page.$eval('main', (main) => main.innerText);
  };

  test('books with script', async () => {
    const { context, page, problems } = await open('/appointment');
    const [slot, who] = [await freeSlot(system, { department: 'Cardiology', index: 2 }), person()];
    await page.waitForSelector('[data-hydrated]');
    await fill(page, who, slot);
    await page.$eval(
      '[name=date]',
      (field, day) => {
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, day);
        field.dispatchEvent(new Event('input', { bubbles: true }));
        field.dispatchEvent(new Event('change', { bubbles: true }));
      },
      slot.date,
    );
    const day = new Date(slot.date).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
    const isShown = (text) => document.querySelector('main').textContent.includes(text);
    await holds(page, isShown, `${day}, Indian Standard`);
    const time = `input[name=time][value="${slot.time}"]`;
    await page.waitForSelector(time);
    await page.$eval(time, (radio) => radio.click());
    await page.$$eval('main form button[type=submit]:not([name=intent])', (buttons) => buttons.at(-1).click());
    assert.match(await reference(page), REFERENCE);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test('books before its script has loaded', async () => {
    const { context, page } = await open('/appointment', { isScripted: false });
    const [slot, who] = [await freeSlot(system, { department: 'Cardiology', index: 4 }), person()];
    await fill(page, who, slot);
    await page.$eval('[name=date]', (field, day) => (field.value = day), slot.date);
    await page.select('select[name=time]', slot.time);
    await page.$$eval('main form button[type=submit]:not([name=intent])', (buttons) => buttons.at(-1).click());
    assert.match(await reference(page), REFERENCE);
    await context.close();
  });

  for (const isScripted of [true, false]) {
    test(`writes to the hospital ${isScripted ? 'with script' : 'before its script has loaded'}`, async () => {
      const { context, page, problems } = await open('/contact', { isScripted });
      const who = person();
      if (isScripted) await page.waitForSelector('[data-hydrated]');
      for (const name of ['firstName', 'lastName', 'email', 'phone', 'message'])
        await page.type(`[name=${name}]`, who[name]);
      await page.type('[name=subject]', 'Visiting hours');
      await page.$eval('form:has([name=firstName]) button[type=submit]:not([name])', (button) => button.click());
      await holds(page, () => /Message Sent!/.test(document.querySelector('main')?.innerText ?? ''));
      const text = await page.$eval('main', (main) => main.innerText);
      assert.ok(text.includes(who.email), text);
      assert.match(text, /MS-[0-9A-Z]{4}-[0-9A-Z]{4}/);
      if (isScripted) assert.deepEqual(problems, []);
      await context.close();
    });
  }

  test('opens the link of an appointment, moves and cancels it', async () => {
    const slot = await freeSlot(system, { department: 'Cardiology', index: 6 });
    const answer = await system.api('/appointments', {
      method: 'POST',
      headers: { 'Idempotency-Key': crypto.randomUUID() },
      body: JSON.stringify(payload(person(), slot)),
    });
    const booked = await answer.json();
    const { context, page, problems } = await open(`/appointment/manage#${booked.reference}.${booked.secret}`);
    const says = (text) => holds(page, (words) => document.querySelector('main').innerText.includes(words), text);
    const press = (text) =>
      page.$$eval(
        'main button, main summary, dialog button',
        (all, words) => all.find((one) => one.offsetParent && one.textContent.trim() === words).click(),
        text,
      );
    await says('Your booking');
    const calendar = await page.$eval('a[download$=".ics"]', (link) => decodeURIComponent(link.href));
    assert.match(calendar, new RegExp(`Reference: ${booked.reference}`));
    await press('Choose another time');
    // Other forms of the page carry the booked time in a hidden field.
    const free = 'input[type=radio][name=time]:not(:disabled)';
    await page.waitForSelector(free);
    await page.$eval(free, (radio) => radio.click());
    await press('Move to this time');
    await says('Use the new one below');
    await press('Cancel this appointment');
    await press('Yes, cancel it');
    await says('This appointment can no longer be changed');
    assert.deepEqual(problems, []);
    await context.close();
  });

  test('staff sign in, mark an arrival and sign out', async () => {
    const who = person();
    const slot = await freeSlot(system, { department: 'Cardiology', index: 8 });
    const booked = await system.post('/appointments', payload(who, slot));
    assert.equal(booked.status, 201, JSON.stringify(booked.body));
    const { context, page, problems } = await open('/staff');
    const shows = (words) => holds(page, (text) => document.body.innerText.includes(text), words);
    await page.waitForSelector('[name=account]');
    await page.type('[name=account]', 'frontdesk');
    await page.type('[name=password]', 'frontdesk');
    await page.keyboard.press('Enter');
    await shows(nameOf('frontdesk'));
    await page.goto(`${system.origin}/staff/today`, { waitUntil: 'domcontentloaded' });
    await shows('Today, ');
    await page.goto(`${system.origin}/staff/today/${slot.date}`, { waitUntil: 'domcontentloaded' });
    const { reference } = booked.body;
    await shows(reference);
    await page.$$eval(
      'button[name=choice]',
      (buttons, wanted) => {
        const button = buttons.find(({ value }) => value.startsWith(`arrived\t${wanted}\t`));
        button.closest('details').open = true;
        button.click();
      },
      reference,
    );
    await shows(`${who.firstName} ${who.lastName} is marked as arrived.`);
    await holds(page, () => document.activeElement?.id === 'result');
    assert.deepEqual(
      problems.filter((problem) => !LEFT.test(problem)),
      [],
    );
    await page.$$eval('button', (buttons) =>
      buttons.find(({ textContent }) => textContent.trim() === 'Sign out').click(),
    );
    await holds(page, (home) => location.href === home, `${system.origin}/`);
    await page.goto(`${system.origin}/staff`, { waitUntil: 'domcontentloaded' });
    await page.waitForSelector('[name=account]');
    await context.close();
  });

  for (const path of ['/', '/doctors', '/appointment', '/blogs', '/emergency']) {
    test(`shows ${path} without an error`, async () => {
      const { context, page, problems } = await open(path);
      assert.equal(await page.$$eval('h1', (headings) => headings.length), 1);
      const [content, width] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.clientWidth,
      ]);
      assert.ok(content <= width, `${content} px in ${width} px`);
      assert.deepEqual(problems, []);
      await context.close();
    });
  }
});
