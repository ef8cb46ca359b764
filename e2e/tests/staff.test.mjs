/**
 * Sign-in of staff through the real issuer: each account sees its own pages only, a sign-out ends everything, and an
 * issuer that is down does not end the work of those who are signed in.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chromium } from 'playwright-core';
import {
  CHROMIUM,
  DESKTOP,
  FLAGS,
  PHONE,
  assertFits,
  assertReflows,
  axe,
  launch,
  screenshot,
  visitor,
} from '../browser.mjs';
import { dayFromToday } from '../booking.mjs';
import { until } from '../processes.mjs';
import {
  ACCOUNTS,
  at,
  atIssuer,
  confirmSignOut,
  enter,
  nameOf,
  pagesOf,
  sessionCookie,
  signIn,
  signOut,
  signedIn,
  staffPages,
  tabTo,
} from '../staff.mjs';
import { ONCE, System } from '../system.mjs';

const VIEWPORTS = { phone: PHONE, desktop: DESKTOP };
const TODAY = '/staff/today';

describe('staff', () => {
  let system;
  let browser;
  before(async () => {
    const walk = ['--address-documents-max', '100000'];
    [system, browser] = await Promise.all([System.start({ staff: true, gateway: walk }), launch()]);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  /** Requests a page without following redirects. */
  const get = (path, headers = {}) =>
    fetch(`${system.origin}${path}`, { redirect: 'manual', headers: { ...ONCE, ...headers } });
  /** Address to which a page without a session leads. */
  const signInFor = (path) => `/staff/sign-in?return=${encodeURIComponent(path)}`;
  /** Returns the problems that no test causes on purpose, which are responses with these statuses. */
  const unexpected = (problems, ...statuses) => {
    const expected = statuses.map((status) => new RegExp(`^${status}: |status of ${status}\\b`));
    return problems.filter((line) => !expected.some((pattern) => pattern.test(line)));
  };

  for (const [device, viewport] of Object.entries(VIEWPORTS)) {
    for (const account of ACCOUNTS) {
      test(`${account} sees the pages of the role only, on the ${device}`, async () => {
        const { context, page, problems } = await signedIn(browser, system, account, { viewport });
        // A doctor begins with the own day.
        await page.goto(`${system.origin}/staff`);
        assert.ok((await page.locator('h1').innerText()).includes(nameOf(account)));
        const own = pagesOf(account).map(({ path }) => path);
        const linked = async (place) =>
          page.locator(`${place} a`).evaluateAll((links) => links.map((link) => new URL(link.href).pathname));
        const listed = (await linked('main')).filter((path) => path.startsWith('/staff/'));
        assert.deepEqual(listed.sort(), own.filter((path) => path !== '/staff').sort());
        assert.deepEqual([...new Set(await linked('nav'))].sort(), [...own].sort());
        await assertReflows(page);
        assert.deepEqual(await axe(page), []);
        await screenshot(page, `staff-${account}-${device}`);
        for (const { path, label } of staffPages()) {
          const response = await page.goto(`${system.origin}${path}`);
          assert.equal(response.status(), own.includes(path) ? 200 : 403, path);
          assert.match(response.headers()['cache-control'], /no-store/, path);
          assert.equal(response.headers()['x-robots-tag'], 'noindex', path);
          await assertFits(page);
          assert.deepEqual(await axe(page), [], path);
          if (own.includes(path)) continue;
          const text = await page.locator('main').innerText();
          assert.match(text, /have access to/, path);
          assert.ok(text.includes(label) && /ask the person who manages staff accounts/.test(text), text);
        }
        assert.deepEqual(unexpected(problems, 403), []);
        await context.close();
      });
    }

    test(`a wrong password is refused with what to do, on the ${device}`, async () => {
      const { context, page, problems } = await visitor(browser, { viewport });
      await page.goto(`${system.origin}/staff`);
      await atIssuer(page);
      await assertReflows(page);
      assert.deepEqual(await axe(page), []);
      await screenshot(page, `staff-sign-in-${device}`);
      await enter(page, 'frontdesk', 'manager');
      const problem = page.getByRole('alert');
      await problem.waitFor();
      assert.ok(await problem.evaluate((element) => element === document.activeElement), 'the problem has focus');
      assert.equal(await page.getByLabel('Account name').inputValue(), 'frontdesk');
      assert.equal(await page.getByLabel('Password').inputValue(), '');
      assert.deepEqual(await axe(page), []);
      assert.equal(await sessionCookie(context, system), undefined);
      await enter(page, 'frontdesk');
      await at(page, system, '/staff');
      assert.deepEqual(unexpected(problems, 403), []);
      await context.close();
    });

    test(`works by keyboard alone, on the ${device}`, async () => {
      const { context, page, problems } = await visitor(browser, { viewport });
      await page.goto(`${system.origin}/staff`);
      await atIssuer(page);
      await tabTo(page, 'textbox', 'Account name');
      await page.keyboard.type('frontdesk');
      await page.keyboard.press('Tab');
      await page.keyboard.type('frontdesk');
      await page.keyboard.press('Enter');
      await at(page, system, '/staff');
      const { label } = staffPages().find(({ path }) => path === TODAY);
      await tabTo(page, 'link', label);
      await page.keyboard.press('Enter');
      await at(page, system, TODAY);
      await tabTo(page, 'button', 'Sign out');
      await page.keyboard.press('Enter');
      await page.waitForURL(`${system.origin}/`);
      assert.deepEqual(unexpected(problems), []);
      await context.close();
    });

    test(`works without script, on the ${device}`, async () => {
      const options = { viewport, javaScriptEnabled: false, path: TODAY };
      const { context, page, problems } = await signedIn(browser, system, 'frontdesk', options);
      await page.goto(`${system.origin}/staff`);
      const { label } = staffPages().find(({ path }) => path === TODAY);
      await page.getByRole('main').getByRole('link', { name: label, exact: true }).click();
      await at(page, system, TODAY);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await confirmSignOut(page);
      await page.waitForURL(`${system.origin}/`);
      assert.equal(await sessionCookie(context, system), undefined);
      assert.deepEqual(unexpected(problems), []);
      await context.close();
    });
  }

  test('a page without a session leads to the sign-in, and from there to the page that was wanted', async () => {
    for (const path of [TODAY, `${TODAY}?date=2026-11-30&department=Cardiology`, '/staff/no-such-page']) {
      const answer = await get(path);
      assert.equal(answer.status, 303, path);
      assert.equal(answer.headers.get('location'), signInFor(path));
      assert.match(answer.headers.get('cache-control'), /no-store/);
    }
    const { context, page } = await visitor(browser);
    const tomorrow = dayFromToday(1);
    await signIn(page, system, 'frontdesk', `${TODAY}?date=${tomorrow}`);
    assert.equal(page.url(), `${system.origin}${TODAY}/${tomorrow}`, 'the query is still there');
    await context.close();
  });

  test('a sign-in returns to this site only', async () => {
    for (const path of ['https://evil.example/', '//evil.example/staff', '/staff/../doctors', '/\\evil.example']) {
      const { context, page } = await visitor(browser);
      await page.goto(`${system.origin}/staff/sign-in?return=${encodeURIComponent(path)}`);
      await enter(page, 'doctor');
      await at(page, system, '/staff');
      await context.close();
    }
  });

  test('scripts cannot read the session, and it is in no log', async () => {
    const { context, page } = await visitor(browser);
    const secrets = new Set();
    page.on('request', (request) => {
      for (const [name, value] of new URL(request.url()).searchParams)
        if (['code', 'state', 'nonce', 'id_token_hint'].includes(name)) secrets.add(value);
    });
    await signIn(page, system, 'frontdesk');
    const { value, httpOnly, sameSite } = await sessionCookie(context, system);
    assert.deepEqual([httpOnly, sameSite], [true, 'Lax']);
    const readable = await page.evaluate(() =>
      JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }, document.documentElement.outerHTML]),
    );
    assert.ok(!readable.includes(value) && !readable.includes('session='), 'a script reads the session');
    assert.doesNotMatch(readable, /eyJ[\w-]+\.eyJ/, 'a script reads a token');
    await signOut(page, system);
    assert.ok(secrets.size >= 4, `${secrets.size} secrets of the sign-in`);
    const logs = system.logs();
    for (const secret of [value, ...secrets]) assert.ok(!logs.includes(secret), 'a log holds a secret of the sign-in');
    await context.close();
  });

  test('a sign-out ends the session here and at the issuer, and a copy of its cookie is refused', async () => {
    const { context, page, problems } = await signedIn(browser, system, 'manager');
    const { value } = await sessionCookie(context, system);
    const stolen = { Cookie: `session=${value}` };
    assert.equal((await get('/staff', stolen)).status, 200);
    await signOut(page, system);
    assert.equal(await sessionCookie(context, system), undefined);
    const refused = await get('/staff', stolen);
    assert.deepEqual([refused.status, refused.headers.get('location')], [303, signInFor('/staff')]);
    // The issuer asks for the password again.
    await page.goto(`${system.origin}/staff`);
    await atIssuer(page);
    assert.deepEqual(unexpected(problems), []);
    await context.close();
    const { gateway } = system.programs;
    await gateway.stop();
    await gateway.start();
    assert.equal((await get('/staff', stolen)).status, 303, 'after a restart of the gateway');
  });

  test('a sign-out at the issuer ends the session here', async () => {
    const { context, page } = await signedIn(browser, system, 'doctor');
    const elsewhere = await context.newPage();
    await elsewhere.goto(`http://localhost:${system.programs.issuer.port}/session/end`);
    await confirmSignOut(elsewhere);
    await elsewhere.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await until('the session has ended', async () => {
      await page.goto(`${system.origin}/staff`);
      return page.url().includes('/interaction/');
    });
    await context.close();
  });

  describe('in a browser with a back/forward cache, which Playwright switches off', () => {
    let withCache;
    before(async () => {
      const ignoreDefaultArgs = ['--disable-back-forward-cache'];
      withCache = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS, ignoreDefaultArgs });
    });
    after(() => withCache?.close());

    /** Goes back and waits for the page. Not `goBack`, which waits for a load that a restored page does not have. */
    const back = async (page) => {
      const address = page.url();
      await page.evaluate(() => history.back()).catch(() => null);
      await until('the browser went back', () => page.url() !== address);
      await until('the page is there', () => page.evaluate(() => document.readyState === 'complete'));
    };

    test('going back after a sign-out shows nothing of the desk', async () => {
      const { page } = await signedIn(withCache, system, 'frontdesk', { path: TODAY });
      await page.goto(`${system.origin}/staff`);
      await signOut(page, system);
      while (page.url() !== 'about:blank') {
        await back(page);
        const shown = await page.locator('body').innerText();
        assert.ok(!shown.includes(nameOf('frontdesk')), `${page.url()} shows the name`);
        assert.equal(await page.getByRole('navigation', { name: 'Staff pages' }).count(), 0, page.url());
      }
    });

    test('going back leads to the sign-in after the session has ended elsewhere, and keeps the page before', async () => {
      const { context, page } = await signedIn(withCache, system, 'frontdesk', { path: '/staff/find' });
      const search = page.getByRole('search').getByRole('textbox');
      await search.fill('half-typed');
      await page.goto(`${system.origin}/doctors`);
      await back(page);
      assert.equal(await search.inputValue(), 'half-typed', 'the browser restored the page');
      await page.goto(`${system.origin}/doctors`);
      const { value } = await sessionCookie(context, system);
      const headers = { ...ONCE, Cookie: `session=${value}`, Origin: system.origin };
      const answer = await fetch(`${system.origin}/staff/sign-out`, { method: 'POST', headers });
      assert.equal(answer.status, 200);
      await page.evaluate(() => history.back());
      // The issuer still knows the person, so the page comes back, as new.
      await until('the page was loaded again', async () => (await search.inputValue().catch(() => null)) === '');
    });
  });

  test('an issuer that is down ends no session, and a new sign-in says so', async () => {
    const { issuer, gateway } = system.programs;
    const working = await signedIn(browser, system, 'frontdesk', { path: TODAY, isLive: false });
    await issuer.stop();
    // The gateway still has the issuer's document. After five seconds it checks before it redirects.
    await until('sign-ins are refused', async () => (await get('/staff/sign-in')).status === 503);
    // A new gateway knows nothing of the issuer yet.
    await gateway.stop();
    await gateway.start();
    const response = await working.page.reload();
    assert.equal(response.status(), 200);
    assert.ok(working.page.url().startsWith(`${system.origin}${TODAY}`), working.page.url());
    for (const [device, viewport] of Object.entries(VIEWPORTS)) {
      const { context, page, problems } = await visitor(browser, { viewport });
      const answer = await page.goto(`${system.origin}/staff`);
      assert.equal(answer.status(), 503);
      await page.getByText("The sign-in service isn't available").waitFor();
      await assertReflows(page);
      assert.deepEqual(await axe(page), []);
      await screenshot(page, `staff-no-issuer-${device}`);
      assert.deepEqual(unexpected(problems, 503), []);
      await context.close();
    }
    await issuer.start();
    const { context, page } = await visitor(browser);
    await until('the issuer is back', async () => (await page.goto(`${system.origin}/staff`)).status() === 200);
    await enter(page, 'doctor');
    await at(page, system, '/staff');
    await context.close();
    assert.deepEqual(unexpected(working.problems), []);
    await working.context.close();
  });
});

describe('a site without an issuer', () => {
  test('has no staff area', async () => {
    const system = await System.start({ services: false });
    try {
      for (const path of ['/staff', TODAY, '/staff/sign-in', '/staff/callback', '/staff/sign-out']) {
        assert.equal((await fetch(`${system.origin}${path}`, { redirect: 'manual', headers: ONCE })).status, 404, path);
      }
    } finally {
      await system.stop();
    }
  });
});
