/** An event at the desk: its places, and its cancellation. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PHONE, launch, screenshot, visitor } from '../browser.mjs';
import { person } from '../booking.mjs';
import { readByVisitors, saveDraft, shows } from '../content-desk.mjs';
import { linksOf, mailTo } from '../mail.mjs';
import { until } from '../processes.mjs';
import { signedIn } from '../staff.mjs';
import { System, UNLIMITED } from '../system.mjs';

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

test('a full event gets a place back, and is cancelled for those who registered', async () => {
  const { events } = await (await system.api('/events')).json();
  const event = events.findLast(({ id }) => !/-\d{4}-\d{2}$/.test(id));
  const ahead = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10);
  const { context, page } = await signedIn(browser, system, 'editor', { path: `/staff/content/event/${event.id}` });
  const publish = async (texts) => {
    await page.goto(`${system.origin}/staff/content/event/${event.id}`);
    for (const [label, text] of Object.entries(texts)) await page.getByLabel(new RegExp(label)).first().fill(text);
    await saveDraft(page);
    await page.getByRole('button', { name: /^Publish this/ }).click();
    await shows(page, 'It is published');
  };
  await publish({ '^Places': '1', '^Day': ahead });
  const guest = await visitor(browser, { viewport: PHONE, javaScriptEnabled: false });
  const open = () => guest.page.goto(`${system.origin}/event/${event.id}/register`);
  const isShown = (words) => async () => (await open()) && (await guest.page.getByText(words).count()) > 0;
  const register = async (who) => {
    await until('a place is left', isShown('1 place is left.'), 30_000);
    await guest.page.getByLabel('Name').fill(`${who.firstName} ${who.lastName}`);
    await guest.page.getByLabel('Phone').fill(who.phone);
    await guest.page
      .getByLabel(/^Email/)
      .first()
      .fill(who.email);
    await guest.page.getByRole('button', { name: 'Register' }).click();
    await shows(guest.page, 'You’re registered');
    return mailTo(system, who.email, (mail) => mail.text.includes('/registration/cancel'));
  };
  const first = await register(person());
  await until('it is full', isShown('All places are taken.'));
  await screenshot(guest.page, 'event-full');
  const [link] = linksOf(system, first).filter((found) => found.includes('/registration/cancel'));
  await guest.page.goto(link);
  await guest.page.getByRole('button', { name: 'Give my place back' }).click();
  await shows(guest.page, 'You’ve given your place back');
  const second = person();
  await register(second);
  await publish({ '^Reason': 'The hall is under repair.' });
  const letter = await mailTo(system, second.email, ({ text }) => text.includes('The hall is under repair.'), 30_000);
  assert.match(letter.subject, /[Cc]ancelled/);
  await until('it is closed', isShown('Registration is closed.'));
  await screenshot(guest.page, 'event-cancelled');
  await readByVisitors(system, '/events', 'The hall is under repair.');
  await guest.context.close();
  await context.close();
});
