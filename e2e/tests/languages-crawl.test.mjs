/** No English on a page in Kannada or Hindi: every kind of page, and the answers to forms that lack everything. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PHONE, launch, visitor } from '../browser.mjs';
import { englishIn, inLanguage, wordsOf } from '../languages.mjs';
import { lists, routes } from '../site-map.mjs';
import { System, UNLIMITED } from '../system.mjs';

/** The booking form also has a submit button without a size, for Enter. */
const SUBMIT = 'main form[method=post] button[type=submit]:not([aria-hidden], [name=intent]):visible';
/** The words of the search that is visited, and their correction. */
const SEARCHED = ['cardeology', 'cardiology'];
/** Pages with a form that is refused when it is empty. */
const FORMS = ['/appointment', '/appointment/manage', '/virtual-consultation', '/contact', '/newsletter'];

describe('no English in other languages', () => {
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

  for (const language of ['kn', 'hi']) {
    const at = (path) => inLanguage(system, language, path);

    test(`every kind of page in ${language}`, async () => {
      const { context, page } = await visitor(browser, { viewport: PHONE, javaScriptEnabled: false });
      const paths = routes().map(({ path }) => path);
      for (const { api, key, path } of lists()) {
        const answer = await (await fetch(`${system.origin}/api${api}`)).json();
        paths.push(...answer[key].map(path));
      }
      const found = {};
      for (const path of new Set(paths)) {
        await page.goto(at(path));
        const typed = path.startsWith('/search') ? SEARCHED : [];
        const texts = englishIn(await wordsOf(page), typed);
        for (const text of texts) found[text.slice(0, 120)] ??= path;
      }
      assert.deepEqual(Object.entries(found).map(String), []);
      await context.close();
    });

    test(`refused forms in ${language}`, async () => {
      const { context, page } = await visitor(browser, { viewport: PHONE, javaScriptEnabled: false });
      const found = {};
      for (const path of FORMS) {
        await page.goto(at(path));
        await page.evaluate(() => {
          for (const form of document.querySelectorAll('main form')) form.noValidate = true;
        });
        const answered = page.waitForResponse((response) => response.request().method() === 'POST', { timeout: 8_000 });
        await page.locator(SUBMIT).first().click();
        assert.ok([200, 400, 422].includes((await answered).status()), path);
        await page.waitForLoadState();
        assert.equal(await page.locator('html').getAttribute('lang'), language, path);
        const texts = englishIn(await wordsOf(page));
        for (const text of texts) found[text.slice(0, 120)] ??= path;
      }
      assert.deepEqual(Object.entries(found).map(String), []);
      await context.close();
    });
  }
});
