/**
 * The issuer is down for an hour: sessions last until they have been idle for half an hour, nobody can sign in, and
 * sign-ins work again without a restart. All clocks of the site are advanced.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { launch, visitor } from '../browser.mjs';
import { EMERGENCY } from '../faults.mjs';
import { NO_MOVED_CLOCK, movedByFile } from '../moved-clock.mjs';
import { until } from '../processes.mjs';
import { at, enter, signedIn, unexpected } from '../staff.mjs';
import { LISTED, ONCE, System } from '../system.mjs';

const TODAY = '/staff/today';

describe('an issuer that is down for an hour', { skip: NO_MOVED_CLOCK }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'hospital-clock-'));
  const file = join(folder, 'offset');
  let system;
  let browser;
  before(async () => {
    writeFileSync(file, '+0\n');
    const clock = { env: movedByFile(file) };
    const programs = ['gateway', 'issuer', ...LISTED.map(({ name }) => name)];
    const special = Object.fromEntries(programs.map((name) => [name, clock]));
    [system, browser] = await Promise.all([System.start({ staff: true, special }), launch()]);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
    rmSync(folder, { recursive: true });
  });

  const get = (path) => fetch(`${system.origin}${path}`, { redirect: 'manual', headers: ONCE });

  /** Moves all clocks to a number of minutes after the machine's. */
  async function moveTo(minutes) {
    writeFileSync(file, `+${minutes * 60}\n`);
    const expected = Date.now() + (minutes * 60 - 2) * 1000;
    await until('the clock has moved', async () => Date.parse((await get('/')).headers.get('date')) >= expected);
  }

  test('ends no session before its time, and signs nobody in', async () => {
    const { context, page, problems } = await signedIn(browser, system, 'frontdesk', { path: TODAY });
    await system.programs.issuer.stop();
    for (const minutes of [20, 40, 60]) {
      await moveTo(minutes);
      const response = await page.goto(`${system.origin}${TODAY}`);
      assert.equal(response.status(), 200, `after ${minutes} min`);
      await page.getByRole('heading', { level: 1, name: /^Today, / }).waitFor();
      assert.equal(await page.getByRole('alert').count(), 0, 'the list is there');
    }
    const stranger = await visitor(browser);
    assert.equal((await stranger.page.goto(`${system.origin}${TODAY}`)).status(), 503);
    const text = await stranger.page.locator('body').innerText();
    assert.match(text, /The sign-in service isn't available/);
    assert.equal(await stranger.page.locator(`a[href="${EMERGENCY}"]`).count(), 1, text);
    assert.equal((await get('/doctors')).status, 200, 'visitors notice nothing');

    await moveTo(91);
    const idle = await page.goto(`${system.origin}${TODAY}`);
    assert.equal(idle.status(), 503, 'the session has ended, and no sign-in begins');

    const { pid } = system.programs.gateway;
    await system.programs.issuer.start();
    await until('sign-ins begin', async () => (await get('/staff/sign-in')).status === 303);
    for (const opened of [page, stranger.page]) {
      await opened.goto(`${system.origin}${TODAY}`);
      await enter(opened, 'frontdesk');
      await at(opened, system, TODAY);
    }
    assert.equal(system.programs.gateway.pid, pid);
    assert.deepEqual(unexpected(problems, 503), []);
    await Promise.all([context.close(), stranger.context.close()]);
  });
});
