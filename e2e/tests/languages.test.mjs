/** Pages in Kannada and Hindi: address, words, switch, hint, a search and a booking. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DESKTOP, PHONE, assertReflows, axe, hydrated, launch, screenshot, visitor } from '../browser.mjs';
import { REFERENCE, freeSlot, person } from '../booking.mjs';
import { until } from '../processes.mjs';
import { System, UNLIMITED } from '../system.mjs';

const LANGUAGES = {
  kn: { name: 'ಕನ್ನಡ', letters: '\u0C80-\u0CFF', fever: 'ಜ್ವರ', locale: 'kn-IN' },
  hi: { name: 'हिन्दी', letters: '\u0900-\u097F', fever: 'बुखार', locale: 'hi-IN' },
};
const OWN_NAMES = ['English', 'ಕನ್ನಡ', 'हिन्दी'];
/** Pages of the first journey: their words are translated. */
const PAGES = {
  home: '/',
  emergency: '/emergency',
  doctors: '/doctors',
  doctor: '/doctor/dr-nandini-iyengar',
  specialties: '/specialties',
  specialty: '/specialty/cardiology',
  services: '/services',
  service: '/service/icu-intensive-care-unit',
  surgeries: '/deluxe-surgeries',
  appointment: '/appointment',
  manage: '/appointment/manage',
  consultation: '/virtual-consultation',
  contact: '/contact',
  assessment: '/health-assessment',
  unknown: '/nothing-here',
};
/** Parts without words, and words in English. */
const LEFT_OUT = 'script, style, template, [lang]:not(html)';
/** Share of own letters in a page's words, without those marked as English. */
const SHARE_MIN = 0.9;

/** Returns the words of a page that are not marked as English: those in sight and those for screen readers. */
function wordsOf(page) {
  return page.evaluate((LEFT_OUT) => {
    const words = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      if (!parent.closest(LEFT_OUT)) words.push(walker.currentNode.data.trim());
    }
    for (const element of document.querySelectorAll('[aria-label], img[alt]'))
      if (!element.closest(LEFT_OUT)) words.push(element.getAttribute('aria-label') ?? element.alt);
    return words.filter(Boolean);
  }, LEFT_OUT);
}

describe('languages', () => {
  let system;
  let browser;
  before(async () => {
    const gateway = [...UNLIMITED, '--address-documents-max', '100000'];
    [system, browser] = await Promise.all([System.start({ gateway }), launch()]);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  for (const [language, { name, letters, fever, locale }] of Object.entries(LANGUAGES)) {
    const at = (path) => `${system.origin}/${language}${path === '/' ? '' : path}`;

    for (const [title, path] of Object.entries(PAGES)) {
      test(`${title} in ${language}`, async () => {
        const { context, page, problems } = await visitor(browser, { viewport: PHONE });
        const response = await page.goto(at(path));
        assert.equal(response.status(), title === 'unknown' ? 404 : 200);
        assert.equal(await page.locator('html').getAttribute('lang'), language);
        for (const [index, own] of OWN_NAMES.entries()) {
          const link = page.locator(`a[hreflang="${['en', 'kn', 'hi'][index]}"]`).first();
          if (own !== name) assert.equal(await link.textContent(), own);
        }
        const words = await wordsOf(page);
        const count = (pattern) => (words.join(' ').match(new RegExp(pattern, 'g')) ?? []).length;
        const [own, latin] = [count(`[${letters}]`), count('[A-Za-z]')];
        const english = words.filter((text) => /[a-z]{4}/.test(text) && !new RegExp(`[${letters}]`).test(text));
        assert.ok(own / (own + latin) >= SHARE_MIN, `${own} own letters, ${latin} Latin: ${english.join(' | ')}`);
        const inside = await page
          .locator('main a[href^="/"]')
          .evaluateAll((links) => links.map(({ pathname }) => pathname));
        const outside = inside.filter((to) => !to.startsWith(`/${language}`) && !/\.\w+$|^\/(api|media)/.test(to));
        assert.deepEqual(outside, [], 'links stay in the language');
        assert.deepEqual(await axe(page), []);
        await assertReflows(page);
        for (const viewport of [PHONE, DESKTOP]) {
          await page.setViewportSize(viewport);
          await screenshot(page, `language-${language}-${title}-${viewport.width}`);
        }
        assert.deepEqual(
          problems.filter((line) => !line.includes('404')),
          [],
        );
        await context.close();
      });
    }

    test(`finds fever in ${language}`, async () => {
      const { context, page } = await visitor(browser, { javaScriptEnabled: false });
      await page.goto(at(`/search?q=${encodeURIComponent(fever)}`));
      const first = page.locator('main li a, main h3 a').first();
      assert.match(await first.textContent(), new RegExp(`[${letters}]`));
      await context.close();
    });

    test(`the hint and the switch lead to ${language} and back`, async () => {
      const context = await browser.newContext({ locale, viewport: PHONE, serviceWorkers: 'block' });
      const page = await context.newPage();
      await page.goto(`${system.origin}/doctors`);
      await page.locator(`a[hreflang="${language}"]:visible`).first().click();
      await page.waitForURL(at('/doctors'));
      await page.locator('a[hreflang="en"]:visible').first().click();
      await page.waitForURL(`${system.origin}/doctors`);
      await context.close();
    });

    for (const javaScriptEnabled of [true, false]) {
      test(`books in ${language} ${javaScriptEnabled ? 'with' : 'without'} script`, async () => {
        const { context, page } = await visitor(browser, { viewport: PHONE, javaScriptEnabled });
        const slot = await freeSlot(system, { index: language === 'kn' ? 2 : 4 + Number(javaScriptEnabled) });
        const query = new URLSearchParams({ department: slot.department, date: slot.date, time: slot.time });
        await page.goto(at(`/appointment?${query}`));
        if (javaScriptEnabled) await hydrated(page);
        const who = person();
        const next = page.locator('main form button[type=submit]:visible:not([aria-disabled="true"])').last();
        const isAtPerson = async () => (await page.locator('main [name=firstName]:visible').count()) > 0;
        while (!(await isAtPerson())) await next.click();
        for (const [field, text] of Object.entries(who)) await page.locator(`main [name=${field}]`).fill(text);
        const isBooked = async () => (await page.getByText(REFERENCE).count()) > 0;
        await until('it is booked', async () => {
          if (!(await isBooked()) && (await next.count())) await next.click();
          return isBooked();
        });
        assert.equal(await page.locator('html').getAttribute('lang'), language);
        await screenshot(page, `language-${language}-booked-${javaScriptEnabled ? 'script' : 'plain'}`);
        await context.close();
      });
    }
  }

  test('English pages name the other languages and carry none of their words', async () => {
    const html = await (await fetch(`${system.origin}/doctors`)).text();
    for (const language of ['en', 'kn', 'hi', 'x-default'])
      assert.match(html, new RegExp(`<link rel="alternate" [^>]*hreflang="${language}"`, 'i'));
    const [, main] = html.split('<main');
    assert.doesNotMatch(main.split('</main>')[0], /\p{Script=Kannada}|\p{Script=Devanagari}/u);
  });
});
