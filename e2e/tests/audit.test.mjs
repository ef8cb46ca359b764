/** Staff pages of the platform: the logs of all services as one list, verification, export, releases and status. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DESKTOP, PHONE, launch } from '../browser.mjs';
import { until } from '../processes.mjs';
import { assertSoundPage, signedIn, unexpected } from '../staff.mjs';
import { System, UNLIMITED } from '../system.mjs';

const AUDIT = '/staff/audit';

describe('the platform at the desk', () => {
  let system;
  let browser;
  before(async () => {
    const gateway = [...UNLIMITED, '--address-documents-max', '100000'];
    [system, browser] = await Promise.all([System.start({ gateway, staff: true }), launch()]);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  const rows = (page) => page.locator('main ol > li');

  for (const viewport of [PHONE, DESKTOP]) {
    test(`a manager sees who read what, verifies and exports, at ${viewport.width} px`, async () => {
      const options = { viewport, path: '/staff/deliveries' };
      const { context, page, problems } = await signedIn(browser, system, 'manager', options);
      await page.goto(`${system.origin}${AUDIT}`);
      const listed = rows(page).filter({ hasText: 'Delivery list' }).first();
      assert.match(await listed.textContent(), /manager/);
      await assertSoundPage(page, 'staff-audit');
      // A part of an entry leads to the entries that share it.
      await listed.getByRole('link', { name: 'Delivery list' }).click();
      await page.waitForURL((url) => url.searchParams.get('action') === 'delivery.list');
      const texts = await rows(page).allTextContents();
      assert.ok(texts.length > 0 && texts.every((text) => text.includes('Delivery list')), texts.join('\n'));
      await page.getByRole('button', { name: 'Verify: Messages' }).click();
      await page.getByText('Messages: the log is whole').waitFor();
      assert.equal(new URL(page.url()).searchParams.get('action'), 'delivery.list');
      await assertSoundPage(page, 'staff-audit-verified');
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name: /^Export .*: Messages$/ }).click();
      const file = await download;
      assert.match(file.suggestedFilename(), /^audit-messaging-.*\.ndjson$/);
      const lines = [];
      for await (const chunk of await file.createReadStream()) lines.push(chunk);
      const entries = Buffer.concat(lines)
        .toString()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      assert.ok(entries.some(({ action, actor }) => action === 'delivery.list' && actor === 'manager'));
      assert.deepEqual(problems, []);
      await context.close();
    });

    test(`releases and status are there to read, at ${viewport.width} px`, async () => {
      const { context, page, problems } = await signedIn(browser, system, 'manager', {
        viewport,
        path: '/staff/status',
      });
      await until('all services work', async () => {
        await page.reload();
        return page.getByText('Everything works.').isVisible();
      });
      assert.equal(await page.getByRole('heading', { name: 'Mails and text messages' }).count(), 1);
      await assertSoundPage(page, 'staff-status');
      await page.getByLabel('More about this').getByRole('link', { name: 'Releases' }).click();
      await page.getByRole('heading', { name: 'Appointments booking' }).waitFor();
      await assertSoundPage(page, 'staff-releases');
      assert.deepEqual(problems, []);
      await context.close();
    });
  }

  test('the front desk sees the status, and neither releases nor the log', async () => {
    const { context, page, problems } = await signedIn(browser, system, 'frontdesk', { path: '/staff/status' });
    for (const path of ['/staff/releases', AUDIT]) {
      const response = await page.goto(`${system.origin}${path}`);
      assert.equal(response.status(), 403, path);
    }
    const refused = await page.evaluate(async () => (await fetch('/api/audit/booking/entries')).status);
    assert.equal(refused, 403);
    assert.deepEqual(unexpected(problems, 403), []);
    await context.close();
  });

  test('a service that is down leaves the entries of the others', async () => {
    const { context, page } = await signedIn(browser, system, 'manager', { path: '/staff/rosters' });
    await system.programs['svc-messaging'].kill();
    const response = await page.goto(`${system.origin}${AUDIT}`);
    assert.equal(response.status(), 200);
    await page.getByText('Not in this list: Messages').waitFor();
    assert.ok((await rows(page).count()) > 0);
    await page.getByRole('button', { name: 'Verify: Messages' }).click();
    await page.getByText('Messages: the log was not checked').waitFor();
    await page.getByRole('button', { name: 'Verify: Appointments' }).click();
    await page.getByText('Appointments: the log is whole').waitFor();
    await context.close();
  });
});
