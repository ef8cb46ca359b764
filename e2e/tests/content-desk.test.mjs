/** The content desk: what staff change is what visitors read, and can be undone. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DESKTOP, PHONE, assertReflows, axe, launch, screenshot } from '../browser.mjs';
import { person } from '../booking.mjs';
import { mailTo } from '../mail.mjs';
import { until } from '../processes.mjs';
import { assertSoundPage, signedIn } from '../staff.mjs';
import { System, UNLIMITED } from '../system.mjs';

/** Number of the emergency line in the content files. */
const NUMBER = '+91 80 0000 0108';
const DOCTOR = '/staff/content/doctor/doc-08';

describe('the content desk', () => {
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

  const shows = (page, text) => page.getByText(text).first().waitFor();

  /** Waits until visitors read this. */
  async function visitorsRead(path, wanted) {
    await until(`${wanted} on ${path}`, async () =>
      (await (await fetch(system.origin + path)).text()).includes(wanted),
    );
  }

  async function save(page) {
    await page.getByRole('button', { name: 'Save draft' }).first().click();
    await shows(page, /^Saved as version/);
  }

  for (const [name, viewport] of Object.entries({ phone: PHONE, desktop: DESKTOP })) {
    test(`publishes changed hours of a doctor and undoes it, on a ${name}`, async () => {
      const { context, page, problems } = await signedIn(browser, system, 'editor', {
        path: '/staff/content',
        viewport,
        javaScriptEnabled: name === 'desktop',
      });
      const isScripted = name === 'desktop';
      if (isScripted) await assertSoundPage(page, system, '/staff/content');
      await page.goto(system.origin + DOCTOR);
      const timings = page.getByLabel('Timings');
      const earlier = await timings.inputValue();
      const path = await page.getByRole('link', { name: 'See it on the website' }).getAttribute('href');
      await timings.fill(`3:15 PM - 4:${name.length}0 PM`);
      await save(page);
      if (isScripted) assert.deepEqual(await axe(page), []);
      await screenshot(page, `content-desk-saved-${name}`);
      assert.ok((await (await fetch(system.origin + path)).text()).includes(earlier), 'a draft is not read');
      await page.getByRole('button', { name: /^Publish this/ }).click();
      await visitorsRead(path, `3:15 PM - 4:${name.length}0 PM`);
      await page.getByRole('button', { name: /^Undo/ }).click();
      await visitorsRead(path, earlier);
      await page.goto(`${system.origin}${DOCTOR}/history`);
      await shows(page, 'Version 3');
      await screenshot(page, `content-desk-history-${name}`);
      if (isScripted) assert.deepEqual(await axe(page), []);
      assert.deepEqual(problems, []);
      await context.close();
    });
  }

  test('changes the emergency number on every page', async () => {
    const { context, page } = await signedIn(browser, system, 'editor', { path: '/staff/content/site/site' });
    const inputs = await page.locator('main input').all();
    for (const input of inputs) if ((await input.inputValue()) === NUMBER) await input.fill('+91 80 0000 0777');
    await save(page);
    await page.getByRole('button', { name: /^Publish this/ }).click();
    for (const path of ['/', '/emergency', '/doctors', '/nothing-here']) await visitorsRead(path, '+918000000777');
    const log = () => system.programs['svc-messaging'].log();
    await until('mails follow', () => log().includes('mails follow changed facts of the hospital'));
    const who = person();
    const name = `${who.firstName} ${who.lastName}`;
    const words = { subject: 'Visiting hours', message: `When may we visit ${name}?` };
    const sent = await system.post('/messages', { name, email: who.email, phone: who.phone, ...words });
    assert.equal(sent.status, 201, JSON.stringify(sent.body));
    assert.match((await mailTo(system, who.email)).text, /\+91 80 0000 0777/);
    await context.close();
  });

  test('refuses what another record needs, and says which', async () => {
    const { body } = await system.api('/surgeries/1').then(async (answer) => ({ body: await answer.json() }));
    const { context, page } = await signedIn(browser, system, 'editor', {
      path: `/staff/content/doctor/${body.doctorId}`,
    });
    await page.getByText('Archive…').click();
    await page.getByRole('button', { name: /^Archive this/ }).click();
    await shows(page, /surgery\/|specialty\//);
    await screenshot(page, 'content-desk-refused');
    assert.equal((await system.api(`/doctors/${body.doctorId}`)).status, 200);
    await context.close();
  });

  test('an archived event leads to the events, and the list of changes says who did it', async () => {
    const events = await (await system.api('/events')).json();
    const single = events.events.find(({ id }) => !/-\d{4}-\d{2}$/.test(id));
    const { context, page } = await signedIn(browser, system, 'editor', { path: `/staff/content/event/${single.id}` });
    await page.getByText('Archive…').click();
    await page.getByRole('button', { name: /^Archive this/ }).click();
    await until('the page leads on', async () => {
      const answer = await fetch(`${system.origin}/event/${single.id}`, { redirect: 'manual' });
      return answer.status === 301 && answer.headers.get('location') === '/events';
    });
    await page.goto(`${system.origin}/staff/content/changes`);
    await shows(page, single.title);
    await assertReflows(page);
    await screenshot(page, 'content-desk-changes');
    await context.close();
  });

  test('two editors: the second sees the difference and keeps the words', async () => {
    const one = await signedIn(browser, system, 'editor', { path: DOCTOR });
    const other = await signedIn(browser, system, 'manager', { path: DOCTOR });
    await one.page.getByLabel('Experience').fill('11 Years');
    await save(one.page);
    await other.page.getByLabel('Experience').fill('12 Years');
    await other.page.getByRole('button', { name: 'Save draft' }).first().click();
    await shows(other.page, '11 Years');
    assert.equal(await other.page.getByLabel('Experience').inputValue(), '12 Years');
    await screenshot(other.page, 'content-desk-conflict');
    await one.context.close();
    await other.context.close();
  });
});
