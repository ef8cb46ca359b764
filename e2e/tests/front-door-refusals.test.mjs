/**
 * Refusals by the gateway. A person gets a calm, readable page with the emergency number that loads nothing; a refused
 * form is returned.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { REFERENCE, chooseDepartment, confirmation, fillPerson, freeSlot, person, submitButton } from '../booking.mjs';
import { PHONE, assertReflows, axe, launch, screenshot, visitor } from '../browser.mjs';
import { EMERGENCY, bookingsOf, fillGateway, roomy } from '../faults.mjs';
import { System } from '../system.mjs';

/** Checks the requirements for the gateway's own pages, in both colour schemes. */
async function assertIsReadable(page, name) {
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await axe(page), [], `${name}, ${colorScheme}`);
    await screenshot(page, `refused-${name}-${colorScheme}`);
  }
  await assertReflows(page);
  const call = page.locator(`a[href="${EMERGENCY}"]`);
  const box = await call.boundingBox();
  assert.ok(box.height >= 44 && box.width >= 200, `a link that a thumb hits: ${JSON.stringify(box)}`);
  assert.ok(box.y + box.height <= PHONE.height, 'seen without scrolling');
  const [background, colour] = await call.evaluate((link) => {
    const style = getComputedStyle(link);
    return [style.backgroundColor, style.color];
  });
  assert.equal(background, 'rgb(179, 38, 30)', 'its style sheet is allowed');
  assert.equal(colour, 'rgb(255, 255, 255)');
}

/** Submits a form as a browser without script does: the response replaces the page. */
async function sendForm(page, address, fields) {
  await page.evaluate(
    ([action, entries]) => {
      const form = Object.assign(document.createElement('form'), { method: 'post', action });
      for (const [name, value] of entries) form.append(Object.assign(document.createElement('input'), { name, value }));
      document.body.append(form);
      form.submit();
    },
    [address, Object.entries(fields)],
  );
}

describe('refused at the gateway', () => {
  let system;
  let browser;
  before(async () => {
    const gateway = ['--trusted-hops', '1', '--address-documents-max', '60'];
    [system, browser] = await Promise.all([System.start({ services: false, gateway }), launch()]);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  async function from(address) {
    const { context, page } = await visitor(browser, { viewport: PHONE });
    await context.setExtraHTTPHeaders({ 'X-Forwarded-For': address });
    return { context, page };
  }

  test('answers 429 with the emergency number over the limit of documents', async () => {
    const { context, page } = await from('203.0.113.7');
    const before = await system.metric('http_server_rate_limited_total');
    const ask = () => fetch(`${system.origin}/no-such-page`, { headers: { 'X-Forwarded-For': '203.0.113.7' } });
    for (let asked = 0; asked < 60; asked += 1) await (await ask()).text();
    const answer = await page.goto(`${system.origin}/doctors`);
    assert.equal(answer.status(), 429);
    assert.ok(Number(answer.headers()['retry-after']) > 0);
    assert.match(answer.headers()['content-security-policy'], /^default-src 'none'; style-src 'sha256-/);
    assert.ok((await system.metric('http_server_rate_limited_total')) > before);
    await assertIsReadable(page, '429');
    assert.equal((await page.goto(`${system.origin}/emergency`)).status(), 200, 'never refused');
    await context.close();
    const others = await fetch(`${system.origin}/contact`, { headers: { 'X-Forwarded-For': '198.51.100.9' } });
    assert.notEqual(others.status, 429);
  });

  const FORMS = [
    { name: '404', path: '/no-such-page', fields: { firstName: 'Kaveri' }, status: 404 },
    { name: '405', path: '/emergency', fields: { firstName: 'Kaveri' }, status: 405 },
    { name: '413', path: '/appointment', fields: { message: 'x'.repeat(70_000) }, status: 413 },
  ];
  for (const { name, path, fields, status } of FORMS) {
    test(`refuses a form: ${name}`, async () => {
      const { context, page } = await from('198.51.100.13');
      await page.goto(`${system.origin}/emergency`);
      const answer = page.waitForResponse((response) => response.request().method() === 'POST');
      await Promise.all([page.waitForURL(`**${path}`, { waitUntil: 'load' }), sendForm(page, path, fields)]);
      assert.equal((await answer).status(), status);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await assertIsReadable(page, name);
      await context.close();
    });
  }
});

describe('a page that takes too long', () => {
  let system;
  let browser;
  before(async () => {
    // No composed page is ready within a millisecond.
    const gateway = ['--request-timeout-ms-max', '1'];
    [system, browser] = await Promise.all([System.start({ services: false, gateway }), launch()]);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  test('answers 504 with the emergency number', async () => {
    const { context, page } = await visitor(browser, { viewport: PHONE });
    assert.equal((await page.goto(`${system.origin}/doctors?q=${randomUUID()}`)).status(), 504);
    await assertIsReadable(page, '504');
    await context.close();
  });
});

describe('no capacity left', () => {
  let system;
  let browser;
  before(async () => {
    const special = { gateway: roomy({ REQUESTS_IN_FLIGHT_MAX: '1', REQUEST_TIMEOUT_MS_MAX: '60000' }) };
    [system, browser] = await Promise.all([System.start({ special }), launch()]);
  });
  after(async () => {
    system?.programs['svc-booking']?.thaw();
    await browser?.close();
    await system?.stop();
  });

  const full = () => fillGateway(system);

  test('answers 503 with the emergency number', async () => {
    const { context, page } = await visitor(browser, { viewport: PHONE });
    const shed = await system.metric('http_server_shed_total');
    const relieve = await full();
    const answer = await page.goto(`${system.origin}/doctors?q=${randomUUID()}`);
    assert.equal(answer.status(), 503);
    assert.ok(Number(answer.headers()['retry-after']) > 0);
    await assertIsReadable(page, '503');
    assert.equal((await page.goto(`${system.origin}/emergency`)).status(), 200, 'needs no place');
    const program = await system.api('/blogs');
    assert.equal(program.status, 503);
    assert.match(program.headers.get('content-type'), /^application\/problem\+json/);
    assert.ok((await system.metric('http_server_shed_total')) > shed);
    await relieve();
    await context.close();
  });

  test('returns a form, which one button sends again', async () => {
    const { context, page } = await visitor(browser, { viewport: PHONE, javaScriptEnabled: false });
    const [slot, who] = [await freeSlot(system, { department: 'Cardiology', index: 1 }), person()];
    await page.goto(`${system.origin}/appointment`);
    await fillPerson(page, who);
    await chooseDepartment(page, slot.department);
    await page.locator('main [name=date]').fill(slot.date);
    await page.locator('button[name=intent][value=times]').click();
    await page.locator('label', { has: page.locator(`input[name=time][value="${slot.time}"]`) }).click();
    const relieve = await full();
    await submitButton(page).click();
    await page.getByRole('heading', { name: 'Your form was not sent yet' }).waitFor();
    for (const name of ['firstName', 'lastName', 'email', 'phone', 'message', 'time', 'date']) {
      const kept = await page.locator(`input[name=${name}]`).getAttribute('value');
      assert.equal(kept, { ...who, ...slot }[name], `${name} is kept`);
    }
    assert.equal(await page.locator(`a[href="${EMERGENCY}"]`).count(), 1);
    await relieve();
    const again = page.getByRole('button', { name: 'Send again' });
    assert.ok((await again.boundingBox()).height >= 44);
    await again.click();
    assert.match(await confirmation(page), REFERENCE);
    assert.equal(await bookingsOf(system, who), 1);
    await context.close();
  });

  test('the page with a returned form is accessible', async () => {
    const { context, page } = await visitor(browser, { viewport: PHONE });
    await page.goto(`${system.origin}/emergency`);
    const relieve = await full();
    const fields = { ...person(), department: 'ENT', date: '2030-01-07', time: '9:00 AM', doctor: '' };
    await Promise.all([page.waitForURL('**/appointment'), sendForm(page, '/appointment', fields)]);
    await page.getByRole('button', { name: 'Send again' }).waitFor();
    await assertIsReadable(page, 'given-back');
    await relieve();
    await context.close();
  });
});
