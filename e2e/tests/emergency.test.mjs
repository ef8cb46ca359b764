/**
 * U3, S8: help in an emergency: one link away from every page, found by what people type at night, and small enough for
 * a bad connection.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DESKTOP, PHONE, assertFits, assertReflows, axe, launch, screenshot, visitor } from '../browser.mjs';
import { declaredPages } from '../site-map.mjs';
import { System, UNLIMITED } from '../system.mjs';

const PATH = '/emergency';
/** Maximum size of the document in bytes, before compression. */
const HTML_BYTES_MAX = 12 * 1024;
/** Typed text, and the topic that must come first. */
const TYPED = [
  ['child fever', 'child-fever'],
  ['baby has temperature', 'child-fever'],
  ['fits', 'fits'],
  ['fit', 'fits'],
  ['seizure', 'fits'],
  ['breathing', 'breathing'],
  ['cannot breathe', 'breathing'],
  ['allergy', 'allergy'],
  ['allergic reaction', 'allergy'],
  ['fever', 'child-fever'],
  ['not breathing', 'not-breathing'],
  ['chest pain', 'chest-pain'],
  ['stroke', 'stroke'],
  ['snake bite', 'poisoning'],
  ['dengue warning signs', 'dengue'],
];
/** Typed text, and the task that must come first. */
const TASKS = [
  ['manage my appointment', '/appointment/manage'],
  ['cancel', '/appointment/manage'],
  ['book', '/appointment'],
  ['doctors', '/doctors'],
  ['report', '/service/laboratory-services'],
  ['bill', '/terms#fees'],
  ['insurance', '/terms#fees'],
  ['visiting hours', '/service/wards'],
  ['directions', '/contact'],
  ['vacination', '/appointment?department=pediatrics'],
  ['video', '/virtual-consultation'],
  ['check up', '/health-assessment'],
  ['subscribe', '/newsletter'],
];

describe('help in an emergency', () => {
  let system;
  let browser;
  before(async () => {
    const walk = ['--address-documents-max', '100000', ...UNLIMITED];
    [system, browser] = await Promise.all([System.start({ gateway: walk }), launch()]);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  const read = async (path) => {
    const response = await fetch(`${system.origin}${path}`);
    return { response, html: await response.text() };
  };

  test('is a document of at most 12 KB without script, picture or other requests', async (t) => {
    const { response, html } = await read(PATH);
    const bytes = Buffer.byteLength(html);
    t.diagnostic(`${bytes} bytes`);
    assert.ok(bytes <= HTML_BYTES_MAX, `${bytes} bytes`);
    assert.doesNotMatch(html, /<script|<img|<link rel="(?:stylesheet|preload)/);
    assert.match(response.headers.get('content-security-policy'), /script-src 'none'/);
    // Three bands of care, told by words: when to call, when to come in, what is safe at home.
    for (const band of ['Call now', 'Come in today', 'At home']) assert.ok(html.includes(`<h3>${band}</h3>`), band);
    const topics = [...html.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id);
    for (const [, topic] of TYPED) assert.ok(topics.includes(topic), topic);
    for (const [, target] of html.matchAll(/href="#([^"]+)"/g)) assert.ok(html.includes(` id="${target}"`), target);
  });

  for (const viewport of [PHONE, DESKTOP]) {
    test(`can be read and dialled at ${viewport.width} px, also at twice the text size`, async () => {
      const { context, page, problems } = await visitor(browser, { viewport });
      await page.goto(`${system.origin}${PATH}`);
      await screenshot(page, `emergency-topics-${viewport.width}`);
      assert.deepEqual(await axe(page), []);
      await assertFits(page);
      await assertReflows(page);
      await page.getByRole('link', { name: 'Fits (seizures)' }).click();
      const heading = page.getByRole('heading', { name: 'Fits (seizures)' });
      const { y } = await heading.boundingBox();
      assert.ok(y >= 0 && y < viewport.height / 3, `the topic is at ${y} px`);
      // No bar covers the heading.
      const isFree = await heading.evaluate((element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        return element.contains(document.elementFromPoint(left + Math.min(width / 2, 20), top + height / 2));
      });
      assert.ok(isFree, 'the topic is under a bar');
      assert.deepEqual(problems, []);
      await context.close();
    });
  }

  test('is linked from the header, the menu and the footer of every page', async () => {
    const fixed = declaredPages().filter(({ route, bare }) => !route.includes('{') && !bare);
    assert.ok(fixed.length > 15);
    for (const { route } of fixed) {
      const { html } = await read(route);
      for (const [part, start, end] of [
        ['head', '<header', '</header>'],
        ['menu', 'aria-label="Menu"', '</nav>'],
        ['foot', '<footer', '</footer>'],
      ]) {
        const from = html.indexOf(start);
        const text = html.slice(from, html.indexOf(end, from));
        assert.ok(text.includes('href="/emergency"'), `${part} of ${route}`);
      }
    }
  });

  test('comes first in a search for it, as a card with the number', async () => {
    for (const [typed, topic] of TYPED) {
      const { html } = await read(`/search?q=${encodeURIComponent(typed)}`);
      const main = html.slice(html.indexOf('<main'));
      const card = main.slice(main.indexOf('aria-labelledby="best"'), main.indexOf('</section>'));
      assert.equal(/href="([^"]+)"/.exec(card)?.[1], `${PATH}#${topic}`, typed);
      assert.match(card, /href="tel:/, typed);
    }
  });

  test('each task of the search is a page of the site', async () => {
    for (const [typed, path] of TASKS) {
      const { html } = await read(`/search?q=${encodeURIComponent(typed)}`);
      const main = html.slice(html.indexOf('<main'));
      const card = main.slice(main.indexOf('aria-labelledby="best"'));
      assert.equal(/href="([^"]+)"/.exec(card)?.[1], path, typed);
      const { response } = await read(path.replace(/#.*/, ''));
      assert.equal(response.status, 200, path);
    }
  });
});
