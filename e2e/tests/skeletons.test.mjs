/** S3: who follows a link sees what will come when the page is slow, and the page that was left when they come back. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { AXE, DESKTOP, PHONE, launch, visitor } from '../browser.mjs';
import { until } from '../processes.mjs';
import { System } from '../system.mjs';

/** Long enough to look at the page that waits. */
const SLOW_MS = 8000;

describe('a page that is slow', () => {
  let system;
  let browser;
  before(async () => {
    [system, browser] = await Promise.all([System.start(), launch()]);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  /** A page from which the list of posts takes its time. */
  async function open({ viewport = PHONE, isSlow = true, saveData = false } = {}) {
    const { context, page, problems } = await visitor(browser, { viewport });
    if (saveData)
      await context.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));
    if (isSlow) {
      await page.route('**/blogs', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
        await route.continue().catch(() => undefined);
      });
    }
    await page.goto(`${system.origin}/contact`, { waitUntil: 'networkidle' });
    await page.evaluate(AXE);
    const session = await context.newCDPSession(page);
    /** Runs in the page that is still shown: Playwright itself waits until the next one is there. */
    const look = async (run) => {
      const expression = `(${run})()`;
      const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
        expression,
        awaitPromise: true,
        returnByValue: true,
      });
      assert.equal(exceptionDetails, undefined, JSON.stringify(exceptionDetails));
      return result.value;
    };
    const follow = () => look(() => document.querySelector('footer a[href="/blogs"]').click());
    return { context, page, problems, look, follow };
  }

  const skeleton = () => document.querySelector('#main + [role=status]')?.textContent ?? null;
  const isMainHidden = () => document.getElementById('main').hidden;

  for (const viewport of [PHONE, DESKTOP]) {
    test(`shows its shape after 300 ms at ${viewport.width} px, and then itself`, async () => {
      const { context, page, problems, look, follow } = await open({ viewport });
      await follow();
      assert.equal(await look(skeleton), null, 'not at once');
      await until('the shape', async () => (await look(skeleton)) === 'Loading posts…');
      assert.equal(await look(isMainHidden), true);
      assert.ok(await look(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth));
      assert.deepEqual(
        await look(async () =>
          (await window.axe.run(document)).violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`),
        ),
        [],
      );
      await page.waitForURL('**/blogs');
      assert.equal(await page.evaluate(skeleton), null);
      // Back: the page that was left, without the shape.
      await page.goBack();
      await page.locator('main h1').waitFor();
      assert.deepEqual([await page.evaluate(skeleton), await page.evaluate(isMainHidden)], [null, false]);
      assert.deepEqual(problems, []);
      await context.close();
    });
  }

  test('gives the old page back when it is stopped', async () => {
    const { context, look, follow } = await open();
    await follow();
    await until('the shape', async () => (await look(skeleton)) === 'Loading posts…');
    await look(() => window.stop());
    await until('the page that was left', async () => (await look(skeleton)) === null && !(await look(isMainHidden)));
    await context.close();
  });

  test('shows nothing of the kind to those who save data, and none when it is quick', async () => {
    for (const how of [{ saveData: true }, { isSlow: false }]) {
      const { context, page, look, follow } = await open(how);
      await look(() => {
        new MutationObserver(() => sessionStorage.setItem('seen', 'a shape')).observe(document.body, {
          childList: true,
        });
      });
      await follow();
      await page.waitForURL('**/blogs');
      assert.equal(await page.evaluate(() => sessionStorage.getItem('seen')), null, JSON.stringify(how));
      await context.close();
    }
  });
});
