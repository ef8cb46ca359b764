/**
 * Messages at the desk: a visitor's message is read and closed, a held one is released or its sender erased, with and
 * without script, and only by those who may.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { person } from '../booking.mjs';
import { DESKTOP, PHONE, axe, hydrated, launch, visitor } from '../browser.mjs';
import { mailTo, mailsTo } from '../mail.mjs';
import { until } from '../processes.mjs';
import { SCOPES, assertSoundPage, nameOf, signedIn, tabTo, unexpected } from '../staff.mjs';
import { System, UNLIMITED } from '../system.mjs';

const INBOX = '/staff/messages';
const QUARANTINE = '/staff/quarantine';
const RECEPTION = 'hello@sampige.example';

describe('messages at the desk', () => {
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

  /** Sends a message by the form of the contact page. Returns its subject, which is unique. */
  async function sent(who, subject = `Visit to ward ${who.message.slice(0, 40)}`) {
    const { context, page } = await visitor(browser, { javaScriptEnabled: false });
    await page.goto(`${system.origin}/contact`);
    const { firstName, lastName, email, phone, message } = who;
    const values = { firstName, lastName, email, phone, subject, message: `${message}. May my mother visit?` };
    for (const [name, value] of Object.entries(values)) await page.locator(`main [name=${name}]`).fill(value);
    await page.getByRole('button', { name: 'Send message' }).click();
    await page.getByRole('heading', { name: 'Message Sent!' }).waitFor();
    await context.close();
    return subject;
  }

  /** Sends a message that is held back: its hidden field has a value, as robots fill it in. */
  async function held(who) {
    const subject = `Loans for ${who.firstName} ${who.lastName}`;
    const body = { name: `${who.firstName} ${who.lastName}`, email: who.email, phone: who.phone, subject };
    const check = { website: 'https://spam.example' };
    const { status } = await system.post('/messages', { ...body, message: `${who.message} loans`, check });
    assert.equal(status, 201);
    return subject;
  }

  const rowOf = (page, subject) =>
    page.locator('[data-row]').filter({ has: page.getByRole('link', { name: subject, exact: true }) });
  const open = (page, path) => page.goto(`${system.origin}${path}`);
  const result = (page) => page.locator('#result');
  const press = (row, name) => row.getByRole('button', { name: new RegExp(`^${name}: `) }).click();

  test('of two people one takes a message and gives it back; a manager deletes it', async () => {
    const who = person();
    const subject = await sent(who);
    const options = { viewport: PHONE, path: INBOX };
    const first = await signedIn(browser, system, 'frontdesk', options);
    const second = await signedIn(browser, system, 'manager', { ...options, isLive: false });
    await press(rowOf(first.page, subject), 'Take');
    await result(first.page).getByText(`You have taken “${subject}”`).waitFor();
    await press(rowOf(second.page, subject), 'Take');
    await result(second.page)
      .getByText(`It is taken by ${nameOf('frontdesk')} now.`)
      .waitFor();
    await assertSoundPage(second.page, 'inbox-taken-by-another');
    const mine = (page) => page.getByRole('link', { name: /^Mine/ }).click();
    await mine(second.page);
    assert.equal(await rowOf(second.page, subject).count(), 0);
    await mine(first.page);
    await press(rowOf(first.page, subject), 'Give back');
    await result(first.page).getByText('is given back: anyone can take it.').waitFor();

    await open(second.page, `${INBOX}?status=new`);
    await second.page.getByRole('link', { name: subject, exact: true }).click();
    await second.page.getByText('Delete this message…').click();
    assert.match(
      await second.page.locator('details[open]').innerText(),
      new RegExp(`${who.lastName}.* IST, .*deleted`),
    );
    await assertSoundPage(second.page, 'message-asked-to-delete');
    await second.page.getByRole('button', { name: 'Delete: the sender asked for it' }).click();
    await second.page.getByRole('status').getByText('is deleted.').waitFor();
    await assertSoundPage(second.page, 'message-deleted');
    assert.equal((await first.page.goto(second.page.url())).status(), 404);
    await Promise.all([first.context.close(), second.context.close()]);
  });

  for (const [viewport, javaScriptEnabled] of [
    [PHONE, true],
    [DESKTOP, true],
    [PHONE, false],
  ]) {
    const how = `${javaScriptEnabled ? 'with' : 'without'} script at ${viewport.width} px`;
    const options = { viewport, javaScriptEnabled };

    const assertSound = javaScriptEnabled ? assertSoundPage : async () => {};

    test(`a visitor's message is taken, read, answered and done, ${how}`, async () => {
      const who = person();
      const subject = await sent(who);
      const { context, page, problems } = await signedIn(browser, system, 'frontdesk', { ...options, path: INBOX });
      const row = rowOf(page, subject);
      const text = await row.innerText();
      for (const shown of [`${who.firstName} ${who.lastName}`, who.message.slice(0, 40), 'New'])
        assert.ok(text.includes(shown), text);
      await assertSound(page, 'inbox');
      await press(row, 'Take');
      await result(page).getByText(`You have taken “${subject}”`).waitFor();
      if (javaScriptEnabled) assert.ok(await result(page).evaluate((one) => one === document.activeElement));
      assert.match(await row.innerText(), /Taken by you/);
      await assertSound(page, 'inbox-taken');

      await page.getByRole('link', { name: subject, exact: true }).click();
      await page.getByRole('heading', { level: 1, name: subject }).waitFor();
      const main = await page.locator('main').innerText();
      for (const shown of [who.message, who.email, who.phone, 'Taken by\nyou']) assert.ok(main.includes(shown), main);
      const reply = await page.getByRole('link', { name: 'Reply by e-mail' }).getAttribute('href');
      assert.ok(reply.startsWith(`mailto:${who.email}?subject=`) && reply.length <= 1_900, reply);
      assert.ok(decodeURIComponent(reply).includes(`\r\n> ${who.message}`), reply);
      await assertSound(page, 'message');
      await press(page.locator('main'), 'Done');
      await result(page).getByText('is done.').waitFor();
      await page.getByRole('link', { name: 'Back to the inbox' }).click();
      await page.getByRole('link', { name: /^Done/ }).click();
      await rowOf(page, subject).waitFor();
      assert.deepEqual(unexpected(problems), []);
      await context.close();
    });

    test(`a held message is released, and reaches its mailbox, ${how}`, async () => {
      const who = person();
      const subject = await held(who);
      const { context, page, problems } = await signedIn(browser, system, 'frontdesk', {
        ...options,
        path: QUARANTINE,
      });
      const row = rowOf(page, subject);
      assert.match(await row.innerText(), /Held back for: .*a field filled in that people can’t see/);
      assert.equal(await row.locator('details').count(), 0, 'no erasure without its scope');
      await assertSound(page, 'quarantine');
      assert.deepEqual(await mailsTo(system, who.email), [], 'nothing was confirmed yet');
      await press(row, 'Release');
      await result(page).getByText('is released').waitFor();
      await mailTo(system, who.email);
      await mailTo(system, RECEPTION, ({ text }) => text.includes(who.message));
      await open(page, QUARANTINE);
      assert.equal(await rowOf(page, subject).count(), 0);
      await open(page, `${INBOX}?status=new`);
      await rowOf(page, subject).waitFor();
      assert.deepEqual(unexpected(problems), []);
      await context.close();
    });

    test(`an erasure is asked first, and deletes all of the sender, ${how}`, async () => {
      const who = person();
      const subjects = [await held(who), await sent(who)];
      const { context, page, problems } = await signedIn(browser, system, 'manager', {
        ...options,
        path: QUARANTINE,
      });
      const row = rowOf(page, subjects[0]);
      const erase = row.getByRole('button', { name: `Erase everything of ${who.email}` });
      assert.ok(!(await erase.isVisible()), 'the question comes first');
      await row.locator('summary').click();
      assert.match(await row.locator('details').innerText(), /can’t be undone/);
      await assertSound(page, 'quarantine-asked');
      await erase.click();
      await result(page).getByText(`Everything stored under ${who.email} is erased.`).waitFor();
      assert.match(await result(page).innerText(), /2 messages/);
      for (const path of [QUARANTINE, INBOX]) {
        await open(page, path);
        for (const subject of subjects) assert.equal(await rowOf(page, subject).count(), 0, path);
      }
      assert.deepEqual(unexpected(problems), []);
      await context.close();
    });
  }

  test('the second of two people gets the other one’s change, and no overwrite', async () => {
    const subject = await sent(person());
    const first = await signedIn(browser, system, 'frontdesk', { path: INBOX });
    const second = await signedIn(browser, system, 'manager', { path: INBOX, isLive: false });
    await press(rowOf(first.page, subject), 'Take');
    await result(first.page).getByText('You have taken').waitFor();
    await press(rowOf(second.page, subject), 'Spam');
    await result(second.page).getByText('Another person has changed this message').waitFor();
    assert.match(await rowOf(second.page, subject).innerText(), /It is taken by .+ now/);
    assert.deepEqual(unexpected(second.problems, 412), []);
    await Promise.all([first.context.close(), second.context.close()]);
  });

  test('works by keyboard alone', async () => {
    const subject = await sent(person());
    const { context, page } = await signedIn(browser, system, 'frontdesk', { path: `${INBOX}?status=new` });
    await hydrated(page);
    await tabTo(page, 'link', subject);
    await page.keyboard.press('t');
    await result(page).getByText(`You have taken “${subject}”`).waitFor();
    await context.close();
  });

  test('is refused without the scope', async () => {
    for (const account of ['doctor', 'editor']) {
      assert.ok(!SCOPES[account].includes('messages:read'));
      const { context, page } = await signedIn(browser, system, account);
      assert.equal(await page.getByRole('link', { name: 'Inbox' }).count(), 0);
      for (const path of [INBOX, QUARANTINE, `${INBOX}/00000000-0000-4000-8000-000000000000`]) {
        assert.equal((await open(page, path)).status(), 403, path);
        assert.match(await page.locator('main').innerText(), /You don’t have access to/);
      }
      await context.close();
    }
  });

  test('explains an unavailable service, keeps the frame, and works again once it is back', async () => {
    const subject = await sent(person());
    const { context, page } = await signedIn(browser, system, 'frontdesk', { path: INBOX });
    const messaging = system.programs['svc-messaging'];
    await messaging.kill();
    await press(rowOf(page, subject), 'Take');
    await page.getByText('“Take” may not have been saved').waitFor();
    assert.match(await page.locator('main').innerText(), /The messages can’t be shown right now/);
    assert.match(await page.locator('header').first().innerText(), new RegExp(nameOf('frontdesk')));
    assert.deepEqual(await axe(page), []);
    await messaging.start();
    await messaging.ready();
    await until('the list is back', async () => {
      await open(page, INBOX);
      return (await rowOf(page, subject).count()) === 1;
    });
    await context.close();
  });

  test('no sender is in a log', () => {
    const logs = system.logs();
    assert.ok(logs.length > 1_000);
    assert.doesNotMatch(logs, /@patients\.example/);
  });
});
