/** A doctor's own day and leave: the request, its decision, whom it uncovers, and what others are refused. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { dayFromToday, freeSlot, payload, person } from '../booking.mjs';
import { DESKTOP, PHONE, launch } from '../browser.mjs';
import { assertSoundPage, nameOf, signedIn, unexpected } from '../staff.mjs';
import { System, UNLIMITED } from '../system.mjs';

const OWN = '/staff/leave';
const REQUESTS = '/staff/leave-requests';
/** The doctor of the account `doctor`, as in deploy/staff-roles.toml. */
const DOCTOR = 'doc-06';

describe("a doctor's own day and leave", () => {
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

  const open = (page, path) => page.goto(`${system.origin}${path}`);
  const result = (page) => page.locator('#result');
  const rows = (page) => page.locator('main ol > li');

  /** Books a time of the doctor. */
  async function booked(who, index) {
    const { departments } = await (await system.api('/departments')).json();
    const { name } = departments.find(({ doctorIds }) => doctorIds.includes(DOCTOR));
    const slot = await freeSlot(system, { department: name, doctor: DOCTOR, index });
    const { status, body } = await system.post('/appointments', payload(who, slot, DOCTOR));
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  }

  async function ask(page, from, until, reason) {
    await page.locator('[name=leaveFrom]').fill(from);
    await page.locator('[name=leaveUntil]').fill(until);
    await page.locator('[name=reason]').fill(reason);
    await page.getByRole('button', { name: 'Ask for leave' }).click();
  }

  /** Sends an API call from a page of the signed-in person, as a script of the site does. */
  const call = (page, method, path, body = {}, headers = {}) =>
    page.evaluate(
      async ([given, path_]) => {
        const response = await fetch(`/api${path_}`, given);
        return { status: response.status, body: await response.json() };
      },
      [
        {
          method,
          headers: {
            'Content-Type': 'application/json',
            'X-Requested-With': 'fetch',
            'Idempotency-Key': crypto.randomUUID(),
            ...headers,
          },
          ...(method === 'POST' && { body: JSON.stringify(body) }),
        },
        path,
      ],
    );

  for (const [index, [viewport, javaScriptEnabled]] of [
    [PHONE, false],
    [PHONE, true],
    [DESKTOP, true],
  ].entries()) {
    const how = `${javaScriptEnabled ? 'with' : 'without'} script at ${viewport.width} px`;
    const options = { viewport, javaScriptEnabled };
    const assertSound = javaScriptEnabled ? assertSoundPage : async () => {};

    test(`leave is asked for, granted and uncovers an appointment, ${how}`, async () => {
      const who = person();
      const { date } = await booked(who, 12 + 20 * index);
      const doctor = await signedIn(browser, system, 'doctor', { ...options, isLive: false });
      await doctor.page.waitForURL(/\/staff\/today\/[\d-]+\?doctor=doc-06$/);
      assert.match(await doctor.page.locator('h1').innerText(), /^Today, /);
      await open(doctor.page, `/staff/today/${date}?doctor=${DOCTOR}`);
      assert.match(await doctor.page.locator('main').innerText(), new RegExp(who.firstName));
      await assertSound(doctor.page, 'own-day');

      await open(doctor.page, OWN);
      await ask(doctor.page, date, dayFromToday(-1), 'A wedding');
      await result(doctor.page).getByRole('link', { name: 'Enter a day that is not before the first day' }).waitFor();
      assert.equal(await doctor.page.locator('[name=reason]').inputValue(), 'A wedding');
      await assertSound(doctor.page, 'leave-refused');
      await ask(doctor.page, date, date, 'A wedding');
      await result(doctor.page).getByText('You have asked for leave').waitFor();
      assert.match(await rows(doctor.page).first().innerText(), /Waiting[^]*A wedding/);
      await assertSound(doctor.page, 'leave');
      await ask(doctor.page, date, date, 'Again');
      await result(doctor.page)
        .getByRole('link', { name: /is waiting/ })
        .waitFor();

      const manager = await signedIn(browser, system, 'manager', { ...options, path: '/staff/rosters' });
      await manager.page.getByRole('link', { name: 'Requests for leave' }).click();
      const row = rows(manager.page).filter({ hasText: nameOf('doctor') });
      assert.match(await row.innerText(), /Leaves 1 booked appointment uncovered/);
      await assertSound(manager.page, 'leave-requests');
      await row.locator('summary[aria-label^="Grant"]').click();
      await row.getByRole('button', { name: 'Grant the leave' }).click();
      await result(manager.page)
        .getByText(`Leave of ${nameOf('doctor')} is granted`)
        .waitFor();
      assert.match(await result(manager.page).innerText(), new RegExp(who.firstName));
      assert.match(await manager.page.locator('main').innerText(), /No request for leave waits/);
      await assertSound(manager.page, 'leave-granted');
      await open(manager.page, '/staff/uncovered');
      assert.match(await manager.page.locator('main').innerText(), new RegExp(who.firstName));

      // The doctor's page is that of before the decision.
      await doctor.page.locator('summary[aria-label^="Withdraw"]').first().click();
      await doctor.page.getByRole('button', { name: 'Withdraw the request' }).first().click();
      await result(doctor.page).getByText('The request has been granted by now.').waitFor();
      assert.match(await rows(doctor.page).first().innerText(), /Granted/);
      assert.deepEqual(unexpected([...doctor.problems, ...manager.problems], 400, 412), []);
      await doctor.context.close();
      await manager.context.close();
    });
  }

  test('a request is declined with a reason, which the doctor sees', async () => {
    const doctor = await signedIn(browser, system, 'doctor', { path: OWN });
    await ask(doctor.page, dayFromToday(300), dayFromToday(302), 'A conference');
    await result(doctor.page).getByText('You have asked for leave').waitFor();
    const manager = await signedIn(browser, system, 'manager', { path: REQUESTS, viewport: PHONE });
    const row = rows(manager.page).filter({ hasText: 'A conference' });
    await row.locator('summary[aria-label^="Decline"]').click();
    await row.locator('[name=answer]').fill(' ');
    await row.getByRole('button', { name: 'Decline the request' }).click();
    await result(manager.page)
      .getByRole('link', { name: /Enter a reason/ })
      .click();
    await assertSoundPage(manager.page, 'leave-decline');
    await manager.page.locator('#answer').fill('No cover');
    await row.getByRole('button', { name: 'Decline the request' }).click();
    await result(manager.page).getByText('is declined').waitFor();
    await doctor.page.goto(`${system.origin}${OWN}`);
    assert.match(await rows(doctor.page).first().innerText(), /Declined[^]*Answer: No cover/);
    await doctor.context.close();
    await manager.context.close();
  });

  test('nobody asks for another doctor, decides without the scope, or gains a claim', async () => {
    const [from, until] = [dayFromToday(320), dayFromToday(320)];
    const doctor = await signedIn(browser, system, 'doctor', { path: OWN });
    const forged = { from, until, doctorId: 'doc-01', state: 'LEAVE_REQUEST_STATE_GRANTED' };
    const asked = await call(doctor.page, 'POST', '/leave-requests', forged, { Doctor: 'doc-01' });
    assert.equal(asked.status, 200, JSON.stringify(asked.body));
    assert.deepEqual([asked.body.doctorId, asked.body.state], [DOCTOR, 'LEAVE_REQUEST_STATE_WAITING']);
    const { id } = asked.body;
    const match = { 'If-Match': '"1"' };
    for (const [method, path, body] of [
      ['POST', `/leave-requests/${id}:grant`],
      ['POST', `/leave-requests/${id}:decline`, { answer: 'x' }],
      ['GET', '/leave-requests'],
      ['POST', '/leaves', { resource: `doctor:${DOCTOR}`, from, until }],
    ]) {
      const refused = await call(doctor.page, method, path, body, match);
      assert.deepEqual([refused.status, refused.body.reason], [403, 'SCOPE_MISSING'], path);
    }
    for (const page of [REQUESTS]) assert.equal((await open(doctor.page, page)).status(), 403);
    for (const account of ['frontdesk', 'manager']) {
      const other = await signedIn(browser, system, account);
      for (const [method, path] of [
        ['POST', `/leave-requests/${id}:withdraw`],
        ['POST', '/leave-requests'],
        ['GET', '/own-leave-requests'],
      ]) {
        const refused = await call(other.page, method, path, { from, until, doctorId: DOCTOR }, match);
        assert.equal(refused.status, 403, `${account} ${path}`);
      }
      assert.equal((await open(other.page, OWN)).status(), 403);
      await other.context.close();
    }
    await open(doctor.page, OWN);
    assert.match(await rows(doctor.page).first().innerText(), /Waiting/);
    assert.doesNotMatch(system.logs(), /A wedding|A conference|No cover/);
    await doctor.context.close();
  });
});
