/** Pages in Kannada and Hindi: address, words, switch, hint and a search. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DESKTOP, PHONE, launch, screenshot, visitor } from '../browser.mjs';
import { LANGUAGES, assertOwnPage, inLanguage } from '../languages.mjs';
import { System, UNLIMITED } from '../system.mjs';

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
    const at = (path) => inLanguage(system, language, path);

    for (const [title, path] of Object.entries(PAGES)) {
      test(`${title} in ${language}`, async () => {
        const { context, page, problems } = await visitor(browser, { viewport: PHONE });
        const response = await page.goto(at(path));
        assert.equal(response.status(), title === 'unknown' ? 404 : 200);
        for (const [index, own] of OWN_NAMES.entries()) {
          const link = page.locator(`a[hreflang="${['en', 'kn', 'hi'][index]}"]`).first();
          if (own !== name) assert.equal(await link.textContent(), own);
        }
        await assertOwnPage(page, language, { name: `${title}-${PHONE.width}` });
        await page.setViewportSize(DESKTOP);
        await screenshot(page, `language-${language}-${title}-${DESKTOP.width}`);
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
  }

  test('English pages name the other languages and carry none of their words', async () => {
    const html = await (await fetch(`${system.origin}/doctors`)).text();
    for (const language of ['en', 'kn', 'hi', 'x-default'])
      assert.match(html, new RegExp(`<link rel="alternate" [^>]*hreflang="${language}"`, 'i'));
    const [, main] = html.split('<main');
    assert.doesNotMatch(main.split('</main>')[0], /\p{Script=Kannada}|\p{Script=Devanagari}/u);
  });
});
