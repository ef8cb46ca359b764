/** The front desk undoes a slip, and keeps a note on an appointment that its patient never sees. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { bookableDoctor, freeSlot, payload, person } from '../booking.mjs';
import { DESKTOP, PHONE, launch } from '../browser.mjs';
import { assertSoundPage, signedIn, unexpected } from '../staff.mjs';
import { System, UNLIMITED } from '../system.mjs';

const TODAY = '/staff/today';
const NOTE = 'Needs a wheelchair at the gate';

describe('a slip at the desk', () => {
  let system;
  let browser;
  let doctor;
  before(async () => {
    const gateway = [...UNLIMITED, '--address-documents-max', '100000'];
    [system, browser] = await Promise.all([System.start({ gateway, staff: true }), launch()]);
    doctor = await bookableDoctor(system, 1);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  const result = (page) => page.locator('#result');
  const rowOf = (page, { reference }) => page.locator('[data-row]').filter({ hasText: reference });

  async function booked() {
    const slot = await freeSlot(system, { department: doctor.department, doctor: doctor.id, index: 0 });
    const { status, body } = await system.call('POST', '/appointments', payload(person(), slot, doctor.id));
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  }

  /** Reads an appointment as its patient, with the secret, or as staff. */
  async function read({ id, secret }, isStaff) {
    const headers = isStaff
      ? { Authorization: `Bearer ${system.token('appointments:read')}` }
      : { 'X-Appointment-Secret': secret };
    return (await system.call('GET', `/appointments/${id}`, null, headers)).body;
  }

  async function arrive(page, appointment) {
    const row = rowOf(page, appointment);
    if (await row.getByText('Change…').count()) await row.getByText('Change…').click();
    await row.getByRole('button', { name: /^Arrived: / }).click();
    await result(page).getByText('is marked as arrived').waitFor();
  }

  for (const [viewport, javaScriptEnabled] of [
    [PHONE, true],
    [DESKTOP, true],
    [PHONE, false],
  ]) {
    const how = `${javaScriptEnabled ? 'with' : 'without'} script at ${viewport.width} px`;
    const assertSound = javaScriptEnabled ? assertSoundPage : async () => {};

    test(`is undone, and a note is kept for staff alone, ${how}`, async () => {
      const appointment = await booked();
      const path = `${TODAY}/${appointment.date}`;
      const { context, page, problems } = await signedIn(browser, system, 'frontdesk', {
        viewport,
        javaScriptEnabled,
        path,
      });
      await arrive(page, appointment);
      await assertSound(page, 'arrived-undo');
      await result(page)
        .getByRole('button', { name: /^Undo: / })
        .click();
      await result(page).getByText('“Arrived” is undone').waitFor();
      await assertSound(page, 'undone');
      const undone = await read(appointment, true);
      assert.deepEqual([undone.status, undone.etag], ['APPOINTMENT_STATUS_BOOKED', '3']);

      await rowOf(page, appointment)
        .getByRole('link', { name: /^Add note: / })
        .click();
      await page.getByRole('textbox', { name: 'Note for the desk' }).fill(NOTE);
      await page.getByRole('button', { name: 'Save the note' }).click();
      await page.getByText('The note is saved').waitFor();
      await assertSound(page, 'note');
      await page.getByRole('link', { name: 'Back to the list of the day' }).click();
      await rowOf(page, appointment).getByText(NOTE).waitFor();
      await assertSound(page, 'today-note');
      assert.equal((await read(appointment, true)).deskNote, NOTE);
      assert.ok(!JSON.stringify(await read(appointment)).includes(NOTE));
      assert.deepEqual(unexpected(problems), []);
      await context.close();
    });
  }

  test('is not undone by another person, and their note is not overwritten', async () => {
    const appointment = await booked();
    const path = `${TODAY}/${appointment.date}`;
    const desks = await Promise.all(
      ['frontdesk', 'manager'].map((account) => signedIn(browser, system, account, { path })),
    );
    const [mine, theirs] = desks.map(({ page }) => page);
    await arrive(mine, appointment);
    const form = await result(mine)
      .getByRole('button', { name: /^Undo: / })
      .getAttribute('value');
    await theirs.goto(`${system.origin}${path}`);
    await theirs.evaluate((undo) => {
      const field = Object.assign(document.createElement('input'), { type: 'hidden', name: 'undo', value: undo });
      document.getElementById('change').append(field);
      document.getElementById('change').submit();
    }, form);
    await result(theirs).getByText('Only the person who made the change can undo it').waitFor();
    assert.equal((await read(appointment, true)).status, 'APPOINTMENT_STATUS_ARRIVED');

    const note = `${system.origin}/staff/note/${appointment.id}`;
    const box = (page) => page.getByRole('textbox', { name: 'Note for the desk' });
    for (const page of [mine, theirs]) await page.goto(note);
    await box(mine).fill('First');
    await box(theirs).fill('Second');
    for (const page of [mine, theirs]) await page.getByRole('button', { name: 'Save the note' }).click();
    await result(mine).getByText('The note is saved').waitFor();
    await result(theirs).getByText('The note is now: “First”').waitFor();
    assert.equal(await box(theirs).inputValue(), 'Second');
    assert.equal((await read(appointment, true)).deskNote, 'First');
    await theirs.getByRole('button', { name: 'Save the note' }).click();
    await result(theirs).getByText('The note is saved').waitFor();
    assert.equal((await read(appointment, true)).deskNote, 'Second');
    await Promise.all(desks.map(({ context }) => context.close()));
  });

  test('no note is in a log', () => {
    const logs = system.logs();
    assert.ok(logs.length > 1_000);
    assert.ok(!logs.includes(NOTE));
  });
});
