/** A newsletter to 500 subscribers: its progress on the page, one mail for each, and what is left after a stop. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { simpleParser } from 'mailparser';
import { PHONE, launch } from '../browser.mjs';
import { addressesOf } from '../mail.mjs';
import { until } from '../processes.mjs';
import { assertSoundPage, signedIn } from '../staff.mjs';
import { System, UNLIMITED } from '../system.mjs';

const SUBSCRIBERS = 500;
/** Maximum concurrent calls. */
const CALLS = 16;
/** The service accepts 20 new addresses of one network in an hour. */
const OF_NETWORK = 20;

const emailOf = (number) => `reader${number}@patients.example`;

describe('a newsletter to many', () => {
  let system;
  let browser;
  before(async () => {
    const gateway = [...UNLIMITED, '--address-documents-max', '100000', '--trusted-hops', '1'];
    const messaging = { NEWSLETTERS_PER_MINUTE_MAX: '6000' };
    [system, browser] = await Promise.all([System.start({ gateway, messaging, staff: true }), launch()]);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  /** Calls `act` with each number, some at a time. */
  async function forAll(act) {
    let next = 0;
    const work = async () => {
      while (next < SUBSCRIBERS) await act(next++);
    };
    await Promise.all(Array.from({ length: CALLS }, work));
  }

  /** Mails by file name: each is parsed once. */
  const parsed = new Map();

  /** Returns the mails whose subject matches. */
  async function mails(matches) {
    const folder = join(system.mailDir, 'new');
    for (const file of readdirSync(folder)) {
      if (!parsed.has(file)) parsed.set(file, await simpleParser(readFileSync(join(folder, file))));
    }
    return [...parsed.values()].filter(({ subject }) => matches(subject));
  }

  /** Writes a newsletter and sends it. Returns the id. */
  async function send(page, subject) {
    await page.goto(`${system.origin}/staff/newsletter`);
    await page.getByLabel('Subject').fill(subject);
    await page.getByLabel('Text', { exact: true }).fill('Keep moving.');
    await page.getByRole('button', { name: 'Save and preview' }).click();
    await page.getByText(`${SUBSCRIBERS} subscribers`, { exact: true }).waitFor();
    await page.getByText('Send to all subscribers…').click();
    await page.getByRole('button', { name: 'Send it to all subscribers now' }).click();
    await page.waitForURL(/\/staff\/newsletter\/[0-9a-f-]{36}(#result)?$/);
    return page.url().match(/[0-9a-f-]{36}/)[0];
  }

  test('reaches each of 500 subscribers once, and its progress is on the page', async () => {
    await forAll(async (number) => {
      const network = { 'X-Forwarded-For': `203.0.${Math.floor(number / OF_NETWORK)}.7` };
      const asked = await system.post('/newsletter:subscribe', { email: emailOf(number) }, network);
      assert.equal(asked.status, 200, JSON.stringify(asked.body));
    });
    const confirmations = await until('all are asked', async () => {
      const found = (await mails(() => true)).filter(({ text }) => text.includes('/newsletter/confirm?token='));
      return found.length === SUBSCRIBERS && found;
    });
    await forAll(async (number) => {
      const [, token] = confirmations[number].text.match(/confirm\?token=([\w-]+)/);
      assert.equal((await system.post('/newsletter:confirm', { token })).status, 200);
    });
    const { context, page, problems } = await signedIn(browser, system, 'editor', { viewport: PHONE });
    await send(page, 'To all of you');
    const seen = new Set();
    await until(
      'all mails have left',
      async () => {
        await page.reload();
        const bar = page.getByRole('progressbar', { name: 'Mails that have left' });
        if (await bar.count()) seen.add(Number(await bar.getAttribute('value')));
        return (await page.getByText(`Sent to all ${SUBSCRIBERS} subscribers`).count()) === 1;
      },
      30_000,
    );
    assert.ok(seen.size > 1, `progress: ${[...seen]}`);
    await assertSoundPage(page, 'newsletter-500');
    const sent = await mails((subject) => subject === 'To all of you');
    assert.equal(sent.length, SUBSCRIBERS);
    assert.equal(new Set(sent.flatMap(({ to }) => addressesOf(to))).size, SUBSCRIBERS);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test('a stop keeps the rest, and counts what has left', async () => {
    const { context, page, problems } = await signedIn(browser, system, 'manager', { viewport: PHONE });
    const id = await send(page, 'To some of you');
    await until('some mails have left', async () => {
      await page.reload();
      return (
        (await page
          .getByRole('progressbar')
          .getAttribute('value', { timeout: 1_000 })
          .catch(() => '0')) > 0
      );
    });
    await page.getByText('Stop sending…').click();
    await page.getByRole('button', { name: 'Stop sending now' }).click();
    await page.getByRole('status').getByText('Sending is stopped').waitFor();
    await assertSoundPage(page, 'newsletter-stopped');
    const token = system.token('newsletters:write');
    const settled = await until('no mail waits', async () => {
      const { body } = await system.call('GET', `/newsletters/${id}`, null, { Authorization: `Bearer ${token}` });
      return body.waiting === 0 && body;
    });
    assert.equal(settled.sent + settled.withheld, settled.mails);
    assert.ok(settled.sent > 0 && settled.withheld > 0, JSON.stringify(settled));
    assert.equal((await mails((subject) => subject === 'To some of you')).length, settled.sent);
    await page.goto(`${system.origin}/staff/newsletter`);
    await page.getByText(`Stopped after ${settled.sent} of ${settled.mails} subscribers`).waitFor();
    await assertSoundPage(page, 'newsletter-list');
    assert.deepEqual(problems, []);
    await context.close();
  });
});
