/** Mails that did not arrive, at the desk: why, resent, and the addresses to which mails are stopped. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { person } from '../booking.mjs';
import { DESKTOP, PHONE, assertReflows, axe, launch, screenshot } from '../browser.mjs';
import { MailServer } from '../mail-server.mjs';
import { until } from '../processes.mjs';
import { signedIn } from '../staff.mjs';
import { System, UNLIMITED } from '../system.mjs';

const DELIVERIES = '/staff/deliveries';

describe('deliveries at the desk', () => {
  let system;
  let browser;
  let mail;
  before(async () => {
    mail = await MailServer.listen();
    const gateway = [...UNLIMITED, '--address-documents-max', '100000'];
    const messaging = { SMTP_URL: `smtp://127.0.0.1:${mail.port}?tls=none` };
    [system, browser] = await Promise.all([System.start({ gateway, messaging, staff: true }), launch()]);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
    await mail?.stop();
  });

  /** Sends a message whose confirmation the mail server refuses. */
  async function refused(who) {
    const name = `${who.firstName} ${who.lastName}`;
    const { status } = await system.post('/messages', {
      ...{ name, email: who.email, phone: who.phone },
      ...{ subject: 'Visiting hours', message: `${who.message}. May my mother visit?` },
    });
    assert.equal(status, 201);
    await until('the confirmation is refused', () => mail.refused.some((line) => line.includes(who.email)));
  }

  const rowOf = (page, text) => page.locator('[data-row]').filter({ hasText: text });
  const result = (page) => page.locator('#result');

  for (const [viewport, javaScriptEnabled] of [
    [PHONE, true],
    [DESKTOP, true],
    [PHONE, false],
  ]) {
    const how = `${javaScriptEnabled ? 'with' : 'without'} script at ${viewport.width} px`;
    test(`a refused mail is explained, its address resumed, and the mail resent, ${how}`, async () => {
      const who = person();
      mail.accepts = false;
      await refused(who);
      const options = { viewport, javaScriptEnabled, path: DELIVERIES };
      const { context, page, problems } = await signedIn(browser, system, 'frontdesk', options);
      const row = rowOf(page, who.email).filter({ hasText: 'Confirmation of a message' });
      const address = rowOf(page, who.email).filter({ hasText: 'Stopped since' });
      await until('the failure is on the list', async () => {
        await page.goto(`${system.origin}${DELIVERIES}`);
        return (await row.count()) && (await address.count());
      });
      const text = await row.innerText();
      assert.ok(text.includes('Failed') && text.includes('The address doesn’t exist.'), text);
      if (javaScriptEnabled) {
        await assertReflows(page);
        assert.deepEqual(await axe(page), []);
        await screenshot(page, `deliveries-${viewport.width}`);
      }
      await address.getByRole('button', { name: `Resume: ${who.email}` }).click();
      await result(page).getByText(`Mails to ${who.email} are sent again.`).waitFor();
      assert.equal(await address.count(), 0);
      mail.accepts = true;
      await row.getByRole('button', { name: /^Resend: / }).click();
      await result(page).getByText(`to ${who.email} is being sent again.`).waitFor();
      if (javaScriptEnabled) assert.deepEqual(await axe(page), []);
      await until('the mail is sent', () => mail.taken.some((line) => line.includes(who.email)));
      await until('the list has it no more', async () => {
        await page.goto(`${system.origin}${DELIVERIES}`);
        return (await row.count()) === 0;
      });
      assert.deepEqual(problems, []);
      await context.close();
    });
  }

  test('is refused without the scope', async () => {
    const { context, page } = await signedIn(browser, system, 'doctor');
    assert.equal((await page.goto(`${system.origin}${DELIVERIES}`)).status(), 403);
    await context.close();
  });

  test('explains an unavailable service, and no recipient is in a log', async () => {
    const { context, page } = await signedIn(browser, system, 'frontdesk', { path: DELIVERIES });
    await system.programs['svc-messaging'].kill();
    assert.equal((await page.reload()).status(), 503);
    const text = await page.locator('main').innerText();
    assert.match(text, /The deliveries can’t be shown right now/);
    assert.match(text, /The stopped addresses can’t be shown right now/);
    assert.deepEqual(await axe(page), []);
    await context.close();
    assert.doesNotMatch(system.logs(), /@patients\.example/);
  });
});
