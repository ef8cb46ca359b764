/**
 * Sign-in through an issuer of other authors, Canaille. Its habits differ from the laptop issuer's: its name ends with
 * a slash, groups need a scope, it names itself in responses, and it has no back-channel logout.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { launch, visitor } from '../browser.mjs';
import { NO_SECOND_ISSUER, startSecondIssuer } from '../second-issuer/program.mjs';
import { at, sessionCookie, unexpected } from '../staff.mjs';
import { ONCE, System } from '../system.mjs';

const TODAY = '/staff/today';

describe('a second issuer', { skip: NO_SECOND_ISSUER }, () => {
  let system;
  let browser;
  before(async () => {
    const gateway = ['--staff-issuer-scopes', 'openid profile groups'];
    [system, browser] = await Promise.all([
      System.start({ staff: true, issuer: startSecondIssuer, gateway }),
      launch(),
    ]);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  /** Sends the issuer's pages for the account and the password. */
  async function enter(page, account) {
    await page.getByLabel('Login', { exact: true }).fill(account);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('textbox', { name: 'Password' }).fill(account);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  for (const javaScriptEnabled of [true, false]) {
    test(`a person signs in and out, ${javaScriptEnabled ? 'with' : 'without'} script`, async () => {
      const { context, page, problems } = await visitor(browser, { javaScriptEnabled });
      await page.goto(`${system.origin}${TODAY}`);
      await enter(page, 'frontdesk');
      await at(page, system, TODAY);
      assert.match(await page.locator('header').first().innerText(), /Asha Rao/);
      await page.getByRole('heading', { level: 1, name: /^Today, / }).waitFor();
      const { value } = await sessionCookie(context, system);

      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.waitForURL(`${system.origin}/`);
      assert.equal(await sessionCookie(context, system), undefined);
      const headers = { ...ONCE, Cookie: `session=${value}` };
      assert.equal((await fetch(`${system.origin}${TODAY}`, { headers, redirect: 'manual' })).status, 303);
      // The session at the issuer has ended too: it asks who signs in.
      await page.goto(`${system.origin}${TODAY}`);
      await page.getByLabel('Login', { exact: true }).waitFor();
      // The issuer's pages lack files. A failed request to this site would also be a line with its status.
      const here = problems.filter((line) => !/localhost|Failed to load resource/.test(line));
      assert.deepEqual(unexpected(here), []);
      await context.close();
    });
  }

  test('a person without a group has no pages', async () => {
    const { context, page } = await visitor(browser);
    await page.goto(`${system.origin}/staff`);
    await enter(page, 'visitor');
    await at(page, system, '/staff');
    assert.match(await page.locator('h1').innerText(), /Ravi Iyer/);
    assert.equal((await page.goto(`${system.origin}${TODAY}`)).status(), 403);
    await context.close();
  });
});
