/** The service worker: what visitors see without a connection, what it stores, and how operators switch it off. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { confirmation, freeSlot, openFilledForm, person, submitButton } from '../booking.mjs';
import { assertFits, axe, launch, screenshot, visitor } from '../browser.mjs';
import { until } from '../processes.mjs';
import { System, UNLIMITED } from '../system.mjs';
import { STORED, returning, stored } from '../worker.mjs';

/** Maximum size of the service worker in bytes, before compression. */
const WORKER_BYTES_MAX = 3 * 1024;

describe('without a connection', () => {
  let system;
  let browser;
  before(async () => {
    [system, browser] = await Promise.all([System.start({ gateway: UNLIMITED }), launch()]);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  test('the worker is small and is checked at each visit', async () => {
    const response = await fetch(`${system.origin}/sw.js`);
    assert.match(response.headers.get('content-type'), /^text\/javascript/);
    assert.ok((await response.arrayBuffer()).byteLength <= WORKER_BYTES_MAX);
  });

  test('first aid opens, and every other page shows numbers and directions', async () => {
    const { context, page } = await returning(browser, system.origin);
    await context.setOffline(true);
    await page.goto(`${system.origin}/emergency`);
    assert.match(await page.title(), /^In an emergency/);
    assert.ok(await page.getByRole('heading', { name: 'Fever in a child' }).isVisible());
    for (const path of ['/', '/doctor/dr-nandini-iyengar', '/appointment', '/search?q=knee']) {
      await page.goto(system.origin + path);
      assert.equal(await page.locator('h1').innerText(), 'You’re offline', path);
    }
    assert.equal(new URL(page.url()).pathname, '/search', 'the address stays, so that trying again works');
    await assertFits(page);
    assert.deepEqual(await axe(page), []);
    await screenshot(page, 'offline-360');
    await page.getByRole('link', { name: /^First aid/ }).click();
    await page.waitForURL('**/emergency');
    await context.setOffline(false);
    await page.goto(`${system.origin}/search?q=knee`);
    assert.doesNotMatch(await page.title(), /offline/);
    await context.close();
  });

  test('nothing but the two pages is stored', async () => {
    const { context, page } = await returning(browser, system.origin);
    for (const path of ['/', '/appointment', '/contact', '/staff', '/health-assessment'])
      await page.goto(system.origin + path);
    assert.deepEqual(await stored(page), { 'pages-1': STORED });
    await context.close();
  });

  test('a pass that the visitor keeps opens, until it is removed or the appointment is cancelled', async () => {
    const { context, page } = await returning(browser, system.origin);
    const slot = await freeSlot(system, { department: 'Cardiology', index: 9 });
    await openFilledForm(page, system, slot, person());
    await submitButton(page).click();
    const reference = await confirmation(page);
    assert.ok(!(await stored(page)).pass?.length, 'nothing is kept unasked');
    await page.getByRole('button', { name: 'Keep on this device' }).click();
    await page.getByText('Kept on this device.').waitFor();
    const manage = await page.getByRole('link', { name: 'Change or cancel this appointment' }).getAttribute('href');

    await context.setOffline(true);
    await page.goto(`${system.origin}/appointment/pass`);
    const pass = await page.locator('main').innerText();
    for (const shown of [reference, slot.time, 'Cardiology']) assert.ok(pass.includes(shown), `${shown} in ${pass}`);
    assert.deepEqual(await axe(page), []);
    await assertFits(page);
    await screenshot(page, 'kept-pass-360');
    await context.setOffline(false);

    await page.goto(system.origin + manage);
    await page.getByRole('button', { name: 'Remove from this device' }).waitFor();
    await page.getByRole('button', { name: 'Cancel this appointment' }).click();
    await page.getByRole('button', { name: 'Yes, cancel it' }).click();
    await until('the pass is gone', async () => !(await stored(page)).pass?.length);
    await page.goto(`${system.origin}/appointment/pass`);
    await page.getByRole('heading', { name: 'No pass is kept on this device' }).waitFor();
    await context.close();
  });

  test('a connection that hangs does not keep first aid away', async () => {
    const { context, page } = await returning(browser, system.origin);
    system.programs.gateway.freeze();
    try {
      await page.goto(`${system.origin}/emergency`);
      assert.ok(await page.getByRole('heading', { name: 'Chest pain' }).isVisible());
    } finally {
      system.programs.gateway.thaw();
    }
    await context.close();
  });

  test('visitors who save data get no worker', async () => {
    const { context, page } = await visitor(browser, { hasWorker: true });
    await page.addInitScript(() =>
      Object.defineProperty(Object.getPrototypeOf(navigator.connection), 'saveData', { get: () => true }),
    );
    await page.goto(`${system.origin}/doctors`, { waitUntil: 'networkidle' });
    assert.equal(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), 0);
    await context.close();
  });

  test('a switched off worker removes itself and its pages', async () => {
    const { context, page } = await returning(browser, system.origin);
    const { gateway } = system.programs;
    await gateway.stop();
    gateway.args.push('--service-worker', 'off');
    await gateway.start();
    await gateway.ready();
    await page.goto(`${system.origin}/doctors`);
    await until('the worker is gone', async () => {
      const left = await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
      return left === 0 && !('pages-1' in (await stored(page)));
    });
    gateway.args.splice(-2);
    await context.close();
  });
});
