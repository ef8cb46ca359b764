/** No English on a page in Kannada or Hindi: every kind of page, and the answers to forms that lack everything. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { PHONE, launch, visitor } from '../browser.mjs';
import { ROOT } from '../processes.mjs';
import { lists, routes } from '../site-map.mjs';
import { System, UNLIMITED } from '../system.mjs';

const LATIN = new Set(JSON.parse(readFileSync(join(ROOT, 'web-kit/page/test/latin.json'), 'utf8')));
/** Addresses, references and samples of them, codes of pictures and rooms. */
const ADDRESS = /\S+@\S+|\b[A-Z]{2}-[A-Z0-9-]{4,}|https?:\/\/\S+|\b[\w-]+(\.[\w-]+)+\b/g;
/** Fields of a form's declaration that a person can leave empty; the rest is refused. */
const FORMS = ['/appointment', '/appointment/manage', '/virtual-consultation', '/contact', '/newsletter'];

/** Returns the texts of a page with an English word outside of the parts that are marked as English. */
function english(page) {
  return page.evaluate(() => {
    const texts = [document.title];
    const isMarked = (element) => element.closest('script, style, template, [lang]:not(html), a[href^="mailto:"]');
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) if (!isMarked(walker.currentNode.parentElement)) texts.push(walker.currentNode.data);
    for (const element of document.querySelectorAll('[aria-label], [alt], [title], [placeholder]'))
      for (const name of ['aria-label', 'alt', 'title', 'placeholder'])
        if (!isMarked(element)) texts.push(element.getAttribute(name) ?? '');
    return texts.map((text) => text.trim()).filter(Boolean);
  });
}

const hasEnglish = (text) => (text.replace(ADDRESS, ' ').match(/[A-Za-z]{2,}/g) ?? []).some((word) => !LATIN.has(word));

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
    const at = (path) => `${system.origin}/${language}${path === '/' ? '' : path}`;

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
        const texts = (await english(page)).filter(hasEnglish);
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
        await page.locator('main form[method=post] button[type=submit]').first().click();
        assert.ok([200, 400, 422].includes((await answered).status()), path);
        await page.waitForLoadState();
        assert.equal(await page.locator('html').getAttribute('lang'), language, path);
        const texts = (await english(page)).filter(hasEnglish);
        for (const text of texts) found[text.slice(0, 120)] ??= path;
      }
      assert.deepEqual(Object.entries(found).map(String), []);
      await context.close();
    });
  }
});
