/** The newsletter at the desk: written, previewed as its readers see it, sent once, and followed. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { person } from '../booking.mjs';
import { DESKTOP, PHONE, assertReflows, axe, hydrated, launch, screenshot } from '../browser.mjs';
import { linksOf, mailTo } from '../mail.mjs';
import { until } from '../processes.mjs';
import { SCOPES, assertSoundPage, nameOf, signedIn, tabTo } from '../staff.mjs';
import { System, UNLIMITED } from '../system.mjs';

const NEWSLETTER = '/staff/newsletter';
/** Address of a sent newsletter's page. A redirect keeps the fragment of the form's address. */
const ISSUE = /\/staff\/newsletter\/[0-9a-f-]{36}(#result)?$/;
const TEXT = [
  '# Keep warm',
  'Drink warm water,\nand keep moving.',
  'Read more at https://sampige.example/blogs/winter. Our doctors wrote it for you.',
  '- Soup\n- *Tea*, or [ask us](tel:+918000000100)',
  '**Bold**, “quotation marks”, <b>tags</b> & ಕನ್ನಡ.',
].join('\n\n');

describe('the newsletter at the desk', () => {
  let system;
  let browser;
  before(async () => {
    const gateway = [...UNLIMITED, '--address-documents-max', '100000'];
    const messaging = { NEWSLETTERS_PER_MINUTE_MAX: '6000' };
    [system, browser] = await Promise.all([System.start({ gateway, messaging, staff: true }), launch()]);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  /** Subscribes a person by the link in the mail. */
  async function subscribed(who) {
    const asked = await system.post('/newsletter:subscribe', { email: who.email });
    assert.equal(asked.status, 200, JSON.stringify(asked.body));
    const mail = await mailTo(system, who.email);
    const confirm = linksOf(system, mail).find((link) => link.includes('/newsletter/confirm'));
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: system.origin };
    const confirmed = await fetch(confirm, { method: 'POST', headers, body: '' });
    assert.equal(confirmed.status, 200, await confirmed.text());
  }

  let issues = 0;
  const newSubject = () => `News ${(issues += 1)} of the "winter"`;
  const subjectOf = (page) => page.getByLabel('Subject');
  const textOf = (page) => page.getByLabel('Text', { exact: true });
  const sheet = (page) => page.getByRole('article', { name: 'The mail' });

  async function preview(page, subject, text = TEXT) {
    await subjectOf(page).fill(subject);
    await textOf(page).fill(text);
    await page.getByRole('button', { name: 'Save and preview' }).click();
  }

  async function send(page) {
    await page.getByText('Send to all subscribers…').click();
    await page.getByRole('button', { name: 'Send it to all subscribers now' }).click();
  }

  /** Follows the progress by its link until all mails have left. */
  async function complete(page) {
    await page.waitForURL(ISSUE);
    await until('all mails have left', async () => {
      const loaded = page.waitForEvent('load');
      await page.getByRole('link', { name: 'Refresh' }).click();
      await loaded;
      return (await page.getByText(/^Sent to (all \d+ subscribers|1 subscriber)$/).count()) === 1;
    });
  }

  /** Returns the readable text of a mail's HTML part. */
  function readable({ html }) {
    const entities = { '&#39;': "'", '&#38;': '&', '&#60;': '<', '&#62;': '>', '&#34;': '"' };
    const text = html.replace(/<br>/g, '\n').replace(/<[^>]+>/g, '');
    return text.replace(/&#\d\d;/g, (one) => entities[one]);
  }

  for (const [viewport, javaScriptEnabled] of [
    [PHONE, true],
    [DESKTOP, true],
    [PHONE, false],
  ]) {
    const how = `${javaScriptEnabled ? 'with' : 'without'} script at ${viewport.width} px`;

    const assertSound = javaScriptEnabled ? assertSoundPage : async () => {};

    test(`reaches its readers as the preview showed it, ${how}`, async () => {
      const who = person();
      const subject = newSubject();
      await subscribed(who);
      const options = { viewport, javaScriptEnabled, path: NEWSLETTER };
      const { context, page, problems } = await signedIn(browser, system, 'editor', options);
      await assertSound(page, 'newsletter');
      await preview(page, subject);
      await page.getByRole('heading', { level: 1, name: 'Preview' }).waitFor();
      const shown = (await sheet(page).innerText()).replaceAll(/\s?\(opens in a new tab\)/g, '').replaceAll('’', "'");
      await assertSound(page, 'newsletter-preview');

      await page.getByRole('link', { name: 'Change the text' }).click();
      await page.getByRole('heading', { level: 1, name: 'Change the newsletter' }).waitFor();
      await assertSound(page, 'newsletter-changed');
      assert.deepEqual([await subjectOf(page).inputValue(), await textOf(page).inputValue()], [subject, TEXT]);
      await page.getByRole('button', { name: 'Save and preview' }).click();
      await page.getByText('Send to all subscribers…').click();
      assert.match(
        await page.locator('main details', { hasText: 'Send to all' }).innerText(),
        /goes to \d+ subscribers? .* can’t be taken back/,
      );
      await assertSound(page, 'newsletter-asked');
      await page.getByRole('button', { name: 'Send it to all subscribers now' }).click();
      await complete(page);
      await assertSound(page, 'newsletter-sent');
      assert.ok((await sheet(page).innerText()).includes(subject));

      const mail = await mailTo(system, who.email, (one) => one.subject === subject);
      const lines = shown.split('\n').filter((line) => line.trim() && !line.startsWith('http://127.0.0.1'));
      assert.ok(lines.length >= 9, shown);
      for (const line of lines) assert.ok(readable(mail).includes(line.trim()), `${line} in ${readable(mail)}`);
      assert.ok(mail.html.includes('href="https://sampige.example/blogs/winter"'));
      assert.match(mail.html, /<h2 [^>]+>Keep warm<\/h2>[^]*<li [^>]+><em>Tea<\/em>[^]*<strong>Bold<\/strong>/);
      assert.match(mail.text, /Keep warm\n-+\n[^]*- Soup\n- Tea, or ask us \(\+918000000100\)/);
      assert.deepEqual(problems, []);
      await context.close();
    });
  }

  test('names the limits of a refused form, and keeps what was typed', async () => {
    const { context, page } = await signedIn(browser, system, 'editor', { path: NEWSLETTER, viewport: PHONE });
    const long = 'x'.repeat(20_001);
    await preview(page, ' ', long);
    const links = page.getByRole('alert').getByRole('link');
    await links.first().waitFor();
    assert.deepEqual(await links.allInnerTexts(), [
      'Enter a subject',
      'Shorten the text to 20,000 characters: it has 20,001',
    ]);
    assert.equal(await textOf(page).inputValue(), long);
    await assertReflows(page);
    assert.deepEqual(await axe(page), []);
    // Characters of three bytes, up to the limit.
    const kannada = 'ನಮಸ್ಕಾರ '.repeat(2_500).trim();
    await preview(page, 'ಸುದ್ದಿ', kannada);
    await page.getByRole('heading', { level: 1, name: 'Preview' }).waitFor();
    assert.ok((await sheet(page).innerText()).includes(kannada));
    await page.getByRole('link', { name: 'Change the text' }).click();
    // Refused by the service alone.
    await preview(page, 'A subject', 'A text with an invisible\u200b sign');
    await page
      .getByRole('alert')
      .getByText(/^Text: Remove the characters/)
      .waitFor();
    assert.equal(await textOf(page).inputValue(), 'A text with an invisible\u200b sign');
    await context.close();
  });

  test('is sent as a test to oneself alone, and its link unsubscribes nobody', async () => {
    const who = person();
    await subscribed(who);
    const subject = newSubject();
    const options = { path: NEWSLETTER, viewport: PHONE, javaScriptEnabled: false };
    const { context, page } = await signedIn(browser, system, 'editor', options);
    await preview(page, subject);
    await page.getByRole('button', { name: 'Send it to me' }).click();
    await page.getByRole('status').getByText('The test is on its way to you').waitFor();
    await screenshot(page, 'newsletter-tested');
    const mail = await mailTo(system, 'editor@staff.example', (one) => one.subject === `Test: ${subject}`);
    assert.match(mail.html, /<h1 [^>]+>News \d+ of the &#34;winter&#34;<\/h1>[^]*<h2 [^>]+>Keep warm/);
    assert.match(mail.text, /its\s+unsubscribe\s+link\s+has\s+no\s+effect/);
    const link = linksOf(system, mail).find((one) => one.includes('/newsletter/unsubscribe'));
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: system.origin };
    assert.equal((await fetch(link, { method: 'POST', headers, body: 'List-Unsubscribe=One-Click' })).status, 200);
    await page.getByText('Send to all subscribers…').click();
    await page.getByRole('button', { name: 'Send it to all subscribers now' }).click();
    await page.waitForURL(ISSUE);
    // A subscription that ends after an issue is counted for it.
    const issued = await mailTo(system, who.email, (one) => one.subject === subject);
    const leave = linksOf(system, issued).find((one) => one.includes('/newsletter/unsubscribe'));
    const left = await fetch(leave, { method: 'POST', headers, body: 'List-Unsubscribe=One-Click' });
    assert.equal(left.status, 200);
    await page.reload();
    await page.getByText('1 unsubscribed after it.').waitFor();
    await page.goto(`${system.origin}${NEWSLETTER}`);
    await page.getByText('1 unsubscribed after it').waitFor();
    await screenshot(page, 'newsletter-left');
    await context.close();
    // A program has no address.
    const program = { Authorization: `Bearer ${system.token('newsletters:write')}` };
    const key = { 'Idempotency-Key': 'a-draft-of-a-program', ...program };
    const created = await system.post('/newsletter-drafts', { subject, text: 'A text.' }, key);
    assert.equal(created.status, 201, JSON.stringify(created.body));
    const path = `/newsletter-drafts/${created.body.id}:test`;
    const refused = await system.post(path, {}, { 'If-Match': `"${created.body.etag}"`, ...program });
    assert.deepEqual([refused.status, refused.body.reason], [400, 'EMAIL_UNKNOWN']);
    assert.doesNotMatch(system.logs(), /editor@staff\.example/);
  });

  test('is sent once, even if it is sent again after an outage', async () => {
    const subject = newSubject();
    const { context, page } = await signedIn(browser, system, 'manager', { path: NEWSLETTER });
    await preview(page, subject);
    await page.getByRole('heading', { level: 1, name: 'Preview' }).waitFor();
    const draft = page.url();
    const messaging = system.programs['svc-messaging'];
    await messaging.kill();
    await send(page);
    await page.getByRole('alert').getByText('The newsletter may not have been sent').waitFor();
    assert.match(await page.locator('header').first().innerText(), new RegExp(nameOf('manager')));
    assert.deepEqual(await axe(page), []);
    await messaging.start();
    await messaging.ready();
    await until('the service is back', async () => (await system.api('/form-token')).ok);
    await page.getByRole('link', { name: 'Try again' }).click();
    await send(page);
    await page.waitForURL(ISSUE);
    const issue = page.url();
    assert.equal((await page.goto(draft)).status(), 404);
    await page.getByText('There is no such draft').waitFor();
    await page.goto(`${system.origin}${NEWSLETTER}`);
    assert.equal(await page.getByRole('link', { name: subject, exact: true }).count(), 1);
    await page.goto(issue);
    await messaging.kill();
    assert.equal((await page.reload()).status(), 503);
    assert.match(await page.locator('main').innerText(), /The newsletters can’t be shown right now/);
    await messaging.start();
    await messaging.ready();
    await context.close();
  });

  test('does not send a text that another person has changed since the preview, and keeps both', async () => {
    const options = { path: NEWSLETTER, viewport: PHONE, javaScriptEnabled: false };
    const editor = await signedIn(browser, system, 'editor', options);
    const manager = await signedIn(browser, system, 'manager', options);
    const subject = newSubject();
    await preview(editor.page, subject, 'The first text.');
    await editor.page.getByRole('heading', { level: 1, name: 'Preview' }).waitFor();
    const draft = editor.page.url();
    await manager.page.goto(draft);
    await manager.page.getByRole('link', { name: 'Change the text' }).click();
    await preview(manager.page, subject, 'The second text.');
    await manager.page.getByRole('heading', { level: 1, name: 'Preview' }).waitFor();
    await send(editor.page);
    await editor.page.getByRole('alert').getByText('The newsletter was not sent').waitFor();
    assert.match(await sheet(editor.page).innerText(), /The second text\./);
    // The same for a form that was open meanwhile.
    await editor.page.getByRole('link', { name: 'Change the text' }).click();
    await manager.page.goto(`${draft.split('#')[0]}?edit=1`);
    await preview(manager.page, subject, 'The third text.');
    await manager.page.getByRole('heading', { level: 1, name: 'Preview' }).waitFor();
    await preview(editor.page, subject, 'The fourth text.');
    await editor.page.getByRole('alert').getByText('The draft was not saved').waitFor();
    assert.equal(await textOf(editor.page).inputValue(), 'The fourth text.');
    assert.match(await sheet(editor.page).innerText(), /The third text\./);
    await assertReflows(editor.page);
    await editor.page.getByRole('button', { name: 'Save and preview' }).click();
    await editor.page.getByRole('heading', { level: 1, name: 'Preview' }).waitFor();
    assert.match(await sheet(editor.page).innerText(), /The fourth text\./);
    await editor.page.getByText('Delete the draft…').click();
    await editor.page.getByRole('button', { name: 'Delete this draft' }).click();
    await editor.page.getByRole('status').getByText('The draft is deleted').waitFor();
    await manager.page.goto(`${system.origin}${NEWSLETTER}`);
    assert.equal(await manager.page.getByRole('link', { name: subject, exact: true }).count(), 0);
    await Promise.all([editor.context.close(), manager.context.close()]);
  });

  test('works by keyboard alone', async () => {
    const { context, page } = await signedIn(browser, system, 'editor', { path: NEWSLETTER });
    await hydrated(page);
    await tabTo(page, 'textbox', 'Subject');
    await page.keyboard.type(newSubject());
    await page.keyboard.press('Tab');
    await page.keyboard.type('A paragraph.');
    await tabTo(page, 'button', 'Save and preview');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Preview' }).waitFor();
    await tabTo(page, 'link', 'Change the text');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await tabTo(page, 'button', 'Send it to all subscribers now');
    await page.keyboard.press('Enter');
    await page.waitForURL(ISSUE);
    await context.close();
  });

  test('is refused without the scope, explains a wrong address, and no subscriber is in a log', async () => {
    for (const account of ['frontdesk', 'doctor']) {
      assert.ok(!SCOPES[account].includes('newsletters:write'));
      const { context, page } = await signedIn(browser, system, account);
      assert.equal(await page.getByRole('link', { name: 'Newsletter', exact: true }).count(), 0);
      assert.equal((await page.goto(`${system.origin}${NEWSLETTER}`)).status(), 403);
      await context.close();
    }
    const { context, page } = await signedIn(browser, system, 'editor');
    for (const id of ['00000000-0000-4000-8000-000000000000', 'x']) {
      assert.equal((await page.goto(`${system.origin}${NEWSLETTER}/${id}`)).status(), 404);
      assert.match(await page.locator('main').innerText(), /There is no such newsletter/);
    }
    await context.close();
    assert.doesNotMatch(system.logs(), /@patients\.example/);
  });
});
