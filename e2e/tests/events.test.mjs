/** Places at an event: taken, given back, full, and a cancellation that reaches everyone. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { person } from '../booking.mjs';
import { PHONE, assertFits, axe, launch, screenshot } from '../browser.mjs';
import { linksOf, mailTo } from '../mail.mjs';
import { until } from '../processes.mjs';
import { signedIn } from '../staff.mjs';
import { System, UNLIMITED } from '../system.mjs';

describe('an event with places', () => {
  let system;
  let browser;
  let event;
  before(async () => {
    [system, browser] = await Promise.all([System.start({ gateway: UNLIMITED, staff: true }), launch()]);
    const { events } = await (await system.api('/events')).json();
    event = events.find(({ past }) => !past);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  const read = async (path) => (await fetch(system.origin + path)).text();
  const shows = (page, text) => page.getByText(text).first().waitFor();

  async function publish(change) {
    const series = event.id.replace(/-\d{4}-\d\d$/, '');
    const { context, page } = await signedIn(browser, system, 'editor', { path: `/staff/content/event/${series}` });
    await change(page);
    await page.getByRole('button', { name: 'Save draft' }).first().click();
    await shows(page, /^Saved as version/);
    await page.getByRole('button', { name: /^Publish this/ }).click();
    await shows(page, 'It is published');
    await context.close();
  }

  async function open() {
    const context = await browser.newContext({ viewport: PHONE, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${system.origin}/event/${event.id}/register`);
    return { context, page };
  }

  async function fill(page, who, people) {
    await page.getByLabel('Your name').fill(`${who.firstName} ${who.lastName}`);
    await page.getByLabel('Phone').fill(who.phone);
    await page.getByLabel('Email').fill(who.email);
    await page.getByLabel('How many people').selectOption(String(people));
    await page.getByRole('button', { name: 'Register' }).click();
  }

  test('is full when its places are taken, and has room when one is given back', async () => {
    await publish((page) => page.getByLabel('Places').fill('3'));
    const path = `/event/${event.id}`;
    await until('3 of 3 left', async () => (await read(path)).includes('3 of 3 left'));
    const first = await open();
    const second = await open();
    await shows(first.page, '3 places are left.');
    const [one, other] = [person(), person()];
    await fill(first.page, one, 2);
    await first.page.getByRole('heading', { name: 'You’re registered' }).waitFor();
    await fill(second.page, other, 2);
    await shows(second.page, /Only 1 place is left/);
    assert.equal(await second.page.getByLabel('Email').inputValue(), other.email, 'what was typed stays');
    await assertFits(second.page);
    await screenshot(second.page, 'event-full-360');
    await second.page.getByLabel('How many people').selectOption('1');
    await second.page.getByRole('button', { name: 'Register' }).click();
    await second.page.getByRole('heading', { name: 'You’re registered' }).waitFor();
    await until('full', async () => (await read(path)).includes('All places are taken.'));
    const mail = await mailTo(system, other.email);
    const link = linksOf(system, mail).find((address) => address.includes('/registration/cancel'));
    await second.page.goto(link);
    await second.page.getByRole('button', { name: 'Give my place back' }).click();
    await shows(second.page, 'You’ve given your place back');
    await screenshot(second.page, 'event-given-back-360');
    await until('1 of 3 left', async () => (await read(path)).includes('1 of 3 left'));
    await first.page.goto(`${system.origin}${path}`);
    await screenshot(first.page, 'event-360');

    await publish(async (page) => {
      await page.getByRole('button', { name: 'Add a month' }).click();
      await page.locator('[name="body.cancelled_months[0].month"]').fill(event.id.slice(-7));
      await page.locator('[name="body.cancelled_months[0].reason"]').fill('The speaker is ill.');
    });
    const notice = await mailTo(system, one.email, ({ subject }) => subject.startsWith('Cancelled'), 25_000);
    assert.match(notice.text, /The speaker is ill\./);
    assert.match(await read(path), /The speaker is ill\./);
    const file = await (await system.api(`/events/${event.id}/calendar`)).text();
    assert.match(file, /STATUS:CANCELLED/);
    for (const { context } of [first, second]) await context.close();

    const desk = await signedIn(browser, system, 'frontdesk', { path: '/staff/registrations', viewport: PHONE });
    await axe(desk.page).then((broken) => assert.deepEqual(broken, []));
    await screenshot(desk.page, 'registrations-360');
    await desk.page.getByRole('link', { name: event.title }).first().click();
    await shows(desk.page, 'E-mailed that it is cancelled');
    await axe(desk.page).then((broken) => assert.deepEqual(broken, []));
    await assertFits(desk.page);
    await screenshot(desk.page, 'registration-list-360');
    await desk.page.setViewportSize({ width: 1280, height: 900 });
    await screenshot(desk.page, 'registration-list-1280');
    await desk.context.close();
  });
});
