/**
 * Attacks on the desk through the real site: other spellings and methods, forms of one page sent to another, a
 * neighbouring port, which is the same site for cookies, and secrets in logs, metrics and traces. Attacks on the sign-in
 * itself are tested in `gateway/session/src/tests/attacks.rs`.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { bookableDoctor, freeSlot, payload, person } from '../booking.mjs';
import { launch } from '../browser.mjs';
import { until } from '../processes.mjs';
import { nameOf, sessionCookie, signedIn } from '../staff.mjs';
import { ONCE, System, UNLIMITED } from '../system.mjs';

const CHANGE = 'booking:/staff/today/{date}';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

describe('attacks on the desk', () => {
  let system;
  let browser;
  let neighbour;
  let appointment;
  const who = person();
  /** `Cookie` headers of signed-in people. */
  const cookies = {};
  /** Value of the button with which the front desk marks the patient as arrived. */
  let choice;
  before(async () => {
    const gateway = [...UNLIMITED, '--address-documents-max', '100000'];
    [system, browser] = await Promise.all([System.start({ gateway, staff: true }), launch()]);
    const doctor = await bookableDoctor(system, 1);
    const slot = await freeSlot(system, { department: doctor.department, doctor: doctor.id });
    const booked = await system.post('/appointments', payload(who, slot, doctor.id));
    assert.equal(booked.status, 201, JSON.stringify(booked.body));
    appointment = booked.body;
    for (const account of ['frontdesk', 'doctor', 'editor']) {
      const { context } = await signedIn(browser, system, account);
      cookies[account] = `session=${(await sessionCookie(context, system)).value}`;
      await context.close();
    }
    const html = await (await as('frontdesk', 'GET', day())).text();
    const values = [...html.matchAll(/value="(arrived\t[^"]*)"/g)].map(([, value]) => value);
    choice = values.find((value) => value.includes(appointment.reference)).replaceAll('&#x27;', "'");
    neighbour = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<p>hello'));
    await new Promise((resolve) => neighbour.listen(0, '127.0.0.1', resolve));
  });
  after(async () => {
    neighbour?.closeAllConnections();
    neighbour?.close();
    await browser?.close();
    await system?.stop();
  });

  const day = () => `/staff/today/${appointment.date}`;
  const as = (account, method, path, { headers = {}, body } = {}) =>
    fetch(`${system.origin}${path}`, {
      method,
      body,
      redirect: 'manual',
      headers: { ...ONCE, Cookie: cookies[account], Origin: system.origin, ...headers },
    });
  const change = (part = CHANGE) => ({ headers: FORM, body: new URLSearchParams({ part, choice }) });

  /** Returns the appointment's version: 1 if it was never changed. */
  async function version() {
    const headers = { Authorization: `Bearer ${system.token('appointments:read')}` };
    const { body } = await system.call('GET', `/appointments/${appointment.reference}`, null, headers);
    return body.etag;
  }

  test('no spelling, method or format opens a page to another role', async () => {
    const { date } = appointment;
    const spellings = ['', '/', '//', '/.', ';x', '?', '?x=%00', '#', '%20', '.json', '?format=json'].map(
      (end) => `${day()}${end}`,
    );
    spellings.push(`/staff//today/${date}`, `/Staff/today/${date}`, `/staff/TODAY/${date}`, `/staff/%74oday/${date}`);
    spellings.push(
      `//staff/today/${date}`,
      `/staff/./today/${date}`,
      `/staff%2Ftoday/${date}`,
      `/staff/x/..%2ftoday/${date}`,
    );
    const formats = ['text/html', 'application/json', '*/*', 'application/fhir+json', 'text/event-stream'];
    let refused = 0;
    for (const path of spellings) {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
        for (const Accept of method === 'GET' ? formats : ['*/*']) {
          const headers = { Accept, 'X-HTTP-Method-Override': 'GET', 'X-Original-URL': day(), 'X-Rewrite-URL': day() };
          const answer = await as('editor', method, path, { headers });
          const text = await answer.text();
          const what = `${method} ${path} ${Accept}: ${answer.status}`;
          assert.ok([308, 400, 403, 404, 405, 415].includes(answer.status), what);
          for (const secret of [who.firstName, who.phone, appointment.reference])
            assert.ok(!text.includes(secret), what);
          refused += 1;
        }
      }
    }
    assert.ok(refused > 200);
    assert.match(await (await as('frontdesk', 'GET', day())).text(), new RegExp(who.firstName), 'it would be there');
  });

  test('a change is refused to other roles at every page, and of every part', async () => {
    const pages = [day(), '/staff', '/staff/find', '/staff/today', '/staff/messages', '/appointment', '/contact', '/'];
    const parts = [CHANGE, 'booking:/staff/find', 'booking:/staff', 'messaging:/staff/messages'];
    for (const account of ['doctor', 'editor']) {
      for (const path of pages) {
        for (const part of parts) {
          const answer = await as(account, 'POST', path, change(part));
          const text = await answer.text();
          assert.doesNotMatch(text, /is marked as arrived/, `${account} ${path} ${part}: ${answer.status}`);
        }
      }
    }
    assert.equal(await version(), '1');
  });

  test('a page of a neighbouring port changes nothing, and its cookies sign nobody else in', async () => {
    const { context, page } = await signedIn(browser, system, 'frontdesk', { path: day() });
    const stranger = await context.newPage();
    const there = `http://127.0.0.1:${neighbour.address().port}/`;
    const posted = page.context().waitForEvent('response', (answer) => answer.request().method() === 'POST');
    await stranger.goto(there);
    await stranger.evaluate(
      ([action, fields]) => {
        const form = Object.assign(document.createElement('form'), { method: 'post', action });
        for (const [name, value] of Object.entries(fields))
          form.append(Object.assign(document.createElement('input'), { name, value }));
        document.body.append(form);
        form.submit();
      },
      [`${system.origin}${day()}`, { part: CHANGE, choice }],
    );
    const refused = await posted;
    assert.match((await refused.request().allHeaders()).cookie ?? '', /session=/, 'the browser sent the cookie');
    assert.equal(refused.status(), 403);
    await stranger.waitForURL(`${system.origin}${day()}`);
    await stranger.goto(there);
    await stranger.evaluate(
      async ([origin, path, fields]) => {
        const send = (address, init) =>
          fetch(`${origin}${address}`, { method: 'POST', mode: 'no-cors', credentials: 'include', ...init });
        // Whether the browser shows the response to the page does not matter here.
        await Promise.allSettled([
          send(path, { body: new URLSearchParams(fields) }),
          send('/staff/sign-out', { body: new URLSearchParams() }),
          send('/staff/sign-out', { body: 'x', headers: { 'Content-Type': 'text/plain' } }),
        ]);
      },
      [system.origin, day(), { part: CHANGE, choice }],
    );
    assert.equal(await version(), '1');

    // Cookies have no port: the neighbour can set one for this site.
    const header = () => page.locator('header').first().innerText();
    const toss = (value, path) =>
      stranger.evaluate(([cookie]) => void (document.cookie = cookie), [`session=${value}; path=${path}`]);
    await toss('junk', '/staff');
    await page.reload();
    assert.match(await header(), new RegExp(nameOf('frontdesk')), 'still signed in');
    await toss(cookies.editor.replace('session=', ''), '/staff/today');
    const both = await context.request.get(`${system.origin}${day()}`, { maxRedirects: 0 });
    assert.equal(both.status(), 303, 'two valid sessions are none');
    assert.match(both.headers().location, /^\/staff\/sign-in\?/);
    // The answer has removed the neighbour's cookies, so the next visit leads through one sign-in to the page.
    await page.goto(`${system.origin}${day()}`);
    assert.match(await header(), new RegExp(nameOf('frontdesk')), 'signed in again, without an endless redirect');
    await toss(cookies.editor.replace('session=', ''), '/staff/today');
    await page.goto(`${system.origin}${day()}`);
    assert.match(await header(), new RegExp(nameOf('frontdesk')), 'also in a single visit');
    await context.close();
  });

  test('no secret of a sign-in and no patient is in a log, metric or trace', async () => {
    const secrets = new Set();
    const { context, page } = await signedIn(browser, system, 'frontdesk', { path: '/staff' });
    page.on('request', (request) => {
      for (const [name, value] of new URL(request.url()).searchParams)
        if (['code', 'state', 'nonce', 'id_token_hint'].includes(name)) secrets.add(value);
    });
    await page.goto(`${system.origin}${day()}`);
    secrets.add((await sessionCookie(context, system)).value);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${system.origin}/`);
    await context.close();
    const programs = Object.values(system.programs).filter(({ name }) => name !== 'issuer.mjs');
    const metrics = programs.map(async ({ name, operatorsOrigin }) => {
      const origin = name === 'ops-traces' ? system.tracesOrigin : operatorsOrigin;
      return (await fetch(`${origin}/metrics`)).text();
    });
    const traces = await until('the trace of the page has arrived', async () => {
      const answers = ['gateway', 'svc-booking'].map(async (service) =>
        (await fetch(`${system.tracesOrigin}/api/traces?service=${service}&limit=1500`)).text(),
      );
      const text = (await Promise.all(answers)).join('\n');
      return text.includes('/staff/today/{date}') && text.includes('/staff/sign-out') && text;
    });
    const logs = programs.map((program) => program.log());
    const written = { metrics: (await Promise.all(metrics)).join('\n'), traces, logs: logs.join('\n') };
    for (const cookie of Object.values(cookies)) secrets.add(cookie.replace('session=', ''));
    for (const value of Object.values(who)) secrets.add(value);
    assert.ok(secrets.size >= 9, `${secrets.size} secrets`);
    for (const [place, text] of Object.entries(written)) {
      assert.ok(text.length > 1_000, place);
      for (const secret of secrets) assert.ok(!text.includes(secret), `${secret.slice(0, 8)}… is in the ${place}`);
    }
  });

  test('the same change is made for the front desk', async () => {
    const answer = await as('frontdesk', 'POST', day(), change());
    assert.match(await answer.text(), /is marked as arrived/);
    assert.equal(await version(), '2');
  });
});
