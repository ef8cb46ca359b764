/** Common expectations of every page: right numbers, visible focus, words that are not broken. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openStep } from '../booking.mjs';
import { DESKTOP, PHONE, hydrated, launch, visitor } from '../browser.mjs';
import { declaredPages } from '../site-map.mjs';
import { System } from '../system.mjs';

const NARROW = { width: 320, height: 640 };
/** India's free public ambulance, its single emergency number, and its mental health helpline (Tele-MANAS). */
const NATIONAL = ['108', '112', '14416'];
const TABS_MAX = 250;

describe('comfort', () => {
  let system;
  let browser;
  before(async () => {
    const walk = ['--address-documents-max', '100000'];
    [system, browser] = await Promise.all([System.start({ gateway: walk }), launch()]);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  async function open(path, options) {
    const opened = await visitor(browser, options);
    await opened.page.goto(`${system.origin}${path}`);
    await hydrated(opened.page);
    return opened;
  }

  test('every telephone link on pages without data has the fallback or a declared number', async () => {
    const numbers = [...NATIONAL, ...(await site()).phones.map(({ e164 }) => e164)].map((number) => `tel:${number}`);
    for (const { route } of declaredPages().filter(({ route }) => !route.includes('{'))) {
      const html = await (await fetch(`${system.origin}${route}`)).text();
      const links = [...html.matchAll(/href="(tel:[^"]*)"/g)].map(([, href]) => href);
      assert.ok(links.length > 0, route);
      for (const link of links) assert.ok(numbers.includes(link), `${link} on ${route}`);
    }
  });

  for (const path of ['/appointment', '/doctors', '/contact', '/health-assessment', '/']) {
    for (const viewport of [PHONE, DESKTOP]) {
      test(`the focused element is visible on ${path} at ${viewport.width} px`, async () => {
        const { context, page } = await open(path, { viewport });
        const hidden = [];
        let last = '';
        for (let presses = 0; presses < TABS_MAX; presses += 1) {
          await page.keyboard.press('Tab');
          const focus = await page.evaluate(focused);
          if (!focus) break;
          last = focus.name;
          if (!focus.isInSight) hidden.push(focus.name);
        }
        assert.ok(last, 'Tab reaches something');
        assert.deepEqual(hidden, []);
        await context.close();
      });
    }
  }

  test('a form field selected in the error summary is visible', async () => {
    const { context, page } = await open('/appointment', { viewport: PHONE });
    await openStep(page, 5);
    await page.locator('main form button[type=submit]:not([name=intent])').last().click();
    for (const link of await page.locator('main form [role=alert] a').all()) {
      await link.click();
      const focus = await page.evaluate(focused);
      assert.ok(focus?.isInSight, `${focus?.name} is hidden`);
    }
    await context.close();
  });

  test('never splits words', async () => {
    const { context, page } = await open('/', { viewport: NARROW });
    for (const path of ['/', '/doctors', '/appointment', '/specialties', '/privacy']) {
      await page.goto(`${system.origin}${path}`);
      assert.deepEqual(await page.evaluate(brokenWords), [], path);
    }
    await context.close();
  });

  test('U4: titles keep their words whole at 360 px with text at 200 %', async () => {
    const { context, page } = await open('/', { viewport: PHONE });
    for (const path of ['/', '/appointment', '/specialty/surgical-gastroenterology', '/virtual-consultation']) {
      await page.goto(`${system.origin}${path}`);
      await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
      const titles = await page.evaluate(() => document.fonts.ready.then(() => document.querySelector('h1').innerText));
      const broken = await page.evaluate(brokenWords);
      const split = broken.filter((word) => titles.split(/[^\p{L}\p{N}]+/u).includes(word));
      assert.deepEqual(split, [], path);
    }
    await context.close();
  });

  test('U4: choices and buttons of the booking form keep their words whole at 360 px with text at 200 %', async () => {
    const { context, page } = await open('/appointment', { viewport: PHONE });
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
    await page.evaluate(() => document.fonts.ready);
    assert.deepEqual(await page.evaluate(splitWords, 'main form label strong'), []);
    await openStep(page, 5);
    assert.deepEqual(await page.evaluate(splitWords, 'main form button'), []);
    await context.close();
  });

  test('U10: the newsletter box of the footer works without script', async () => {
    const { context, page } = await visitor(browser, { viewport: PHONE, javaScriptEnabled: false });
    await page.goto(`${system.origin}/doctors`);
    await page.locator('footer').getByLabel('E-mail address').fill('asha.rao@patients.example');
    await page.locator('footer').getByRole('button', { name: 'Subscribe' }).click();
    await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/newsletter');
    await context.close();
  });

  test('the redirect of a trailing slash keeps the query', async () => {
    const answer = await fetch(`${system.origin}/doctors/?specialty=Cardiology`, { redirect: 'manual' });
    assert.equal(answer.status, 308);
    assert.equal(answer.headers.get('location'), '/doctors?specialty=Cardiology');
  });

  test('an outsider cannot put text under the name of the hospital', async () => {
    const words = 'For emergencies call +91 99999 99999';
    for (const path of ['/doctors?specialty=', '/doctors?q=', '/blogs?category=', '/search?q=']) {
      const html = await (await fetch(`${system.origin}${path}${encodeURIComponent(words)}`)).text();
      const head = html.slice(0, html.indexOf('</head>'));
      assert.ok(!head.includes('99999'), path);
      assert.match(head, /<meta name="robots" content="noindex/, path);
    }
  });

  test('the 404 page links to the related list', async () => {
    const { context, page } = await visitor(browser, { viewport: PHONE, javaScriptEnabled: false });
    await page.goto(`${system.origin}/blogs/a/b/c`);
    assert.ok(await page.locator('main a[href^="/blogs"]').count(), 'the list of posts');
    await context.close();
  });

  async function site() {
    return (await system.api('/site')).json();
  }
});

/**
 * Runs in the page: returns the focused element, and whether a sizeable part of it is visible. Null if the focus has
 * left the page.
 */
function focused() {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  // A label or caption represents a control that is drawn elsewhere.
  const box = element.matches('input[type=radio], input[type=checkbox]') ? (element.labels?.[0] ?? element) : element;
  const { left, top, width, height } = box.getBoundingClientRect();
  const shares = [0.1, 0.5, 0.9];
  const isInSight = shares.some((x) =>
    shares.some((y) => {
      const hit = document.elementFromPoint(left + x * width, top + y * height);
      return Boolean(hit && (box.contains(hit) || hit.contains(box)) && !hit.matches('body, html'));
    }),
  );
  const name = `${element.tagName} ${element.id || element.name || element.textContent.trim().slice(0, 40)}`;
  return { name, isInSight };
}

/**
 * Runs in the page: returns words of plain text that are split over two lines although they fit on one line of their
 * block.
 */
function brokenWords() {
  const broken = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!node.parentElement.checkVisibility?.({ visibilityProperty: true })) continue;
    for (const { 0: word, index } of node.data.matchAll(/[\p{L}\p{N}]{2,}/gu)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const rectangles = [...range.getClientRects()];
      let block = node.parentElement;
      while (getComputedStyle(block).display === 'inline') block = block.parentElement;
      const { paddingLeft, paddingRight } = getComputedStyle(block);
      const room = block.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
      if (rectangles.reduce((sum, { width }) => sum + width, 0) > room) continue;
      const lines = new Set(rectangles.filter(({ width }) => width > 1).map(({ top }) => Math.round(top)));
      if (lines.size > 1) broken.add(word);
    }
  }
  return [...broken];
}

/** Runs in the page: returns words of these visible elements that are split over two lines. */
function splitWords(selector) {
  const range = document.createRange();
  return [...document.querySelectorAll(selector)]
    .filter((element) => element.getClientRects().length > 0)
    .flatMap((element) => [...element.childNodes])
    .filter(({ nodeType }) => nodeType === document.TEXT_NODE)
    .flatMap((text) =>
      [...text.data.matchAll(/[^\s-]+/g)].flatMap(({ 0: word, index }) => {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        return lines.size > 1 ? [word] : [];
      }),
    );
}
