/** The path through the booking form, as visitors take it: from their words, from a doctor's page, by touch, on paper. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { REFERENCE, bookableDoctor, confirmation, fillPerson, freeSlot, person, submitButton } from '../booking.mjs';
import { PHONE, assertReflows, axe, hydrated, launch, visitor } from '../browser.mjs';
import { System } from '../system.mjs';

/** The times of the chosen day, each under its opacity 0 radio button. */
const FREE_TIMES = 'input[type=radio][name=time]:enabled';

/** Returns the number of pages of a PDF by Chromium. */
const sheets = (pdf) => pdf.toString('latin1').match(/\/Type \/Page\b/g).length;

describe('the path of a booking', () => {
  let system;
  let browser;

  before(async () => {
    [system, browser] = await Promise.all([System.start(), launch()]);
  });

  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  test('leads from the words of a problem to a booking', async () => {
    const { context, page, problems } = await visitor(browser, { viewport: PHONE });
    const who = person();
    await page.goto(`${system.origin}/appointment`);
    await hydrated(page);
    await page.getByRole('searchbox', { name: 'What’s the matter?' }).fill('my knee hurts');
    await page.getByText('1 department for these words').waitFor();
    await page.getByRole('radio', { name: 'Orthopedics' }).check();
    await page
      .getByRole('radio', { name: /^Dr\. / })
      .first()
      .waitFor();
    await page.locator(FREE_TIMES).last().check();
    await fillPerson(page, who);
    await assertReflows(page);
    assert.deepEqual(await axe(page), []);
    const check = page.getByRole('group', { name: 'Step 5 of 5: Check and book' });
    assert.match(await check.innerText(), new RegExp(`Orthopedics[^]*₹[^]*${who.lastName}[^]*${who.email}`));
    await submitButton(page).click();
    assert.match(await confirmation(page), REFERENCE);
    const heading = page.getByRole('heading', { level: 1, name: 'Your appointment is booked' });
    assert.ok(await heading.evaluate((element) => element === document.activeElement), 'the heading has the focus');
    assert.match(await page.title(), /^Your appointment is booked/);
    assert.equal(sheets(await page.pdf({ format: 'A4', preferCSSPageSize: true })), 1);
    const pass = page.locator('#pass', { hasText: await confirmation(page) });
    await page.reload();
    await pass.getByText('It doesn’t show changes made since.').waitFor();
    await pass.getByRole('link', { name: 'Change or cancel this appointment' }).click();
    await page.waitForURL(/\/appointment\/manage/);
    await page.waitForLoadState('networkidle');
    await page.goBack();
    await pass.waitFor();
    // The pass asks for its current state; leaving would abort that.
    await page.waitForLoadState('networkidle');
    await page.getByRole('link', { name: 'Book another appointment' }).click();
    await page.getByRole('heading', { level: 1, name: 'Book an appointment' }).waitFor();
    assert.deepEqual(problems, []);
    await context.close();
  });

  test('shows the emergency number before everything else', async () => {
    const { context, page } = await visitor(browser, { viewport: PHONE });
    await page.goto(`${system.origin}/appointment`);
    await hydrated(page);
    const first = page.getByRole('group', { name: 'Step 1 of 5: What for' });
    assert.match(await first.innerText(), /Is it an emergency\?[^]*Chest pain now[^]*What’s the matter/);
    await page.getByRole('searchbox').fill('chest pain');
    await page.getByText('If this is happening now, don’t book.').waitFor();
    assert.ok(await first.locator('a[href^="tel:"]').first().isVisible());
    assert.ok(await first.locator('a[href="/emergency"]').isVisible());
    await context.close();
  });

  test('takes three taps from a doctor’s page, besides typing', async () => {
    const { context, page, problems } = await visitor(browser, { viewport: PHONE });
    const doctor = await bookableDoctor(system, 1);
    const who = person();
    await page.goto(`${system.origin}/appointment?doctor=${doctor.id}`);
    await hydrated(page);
    const folded = await page.locator('summary:visible strong').allInnerTexts();
    assert.deepEqual(folded.filter(Boolean), [doctor.department, doctor.name]);
    await page.locator(FREE_TIMES).first().waitFor();
    // 1 was the link on the doctor's page.
    await page.locator(FREE_TIMES).last().click();
    await fillPerson(page, who);
    await submitButton(page).click();
    assert.match(await confirmation(page), REFERENCE);
    assert.ok((await page.locator('#pass').innerText()).includes(doctor.name));
    assert.deepEqual(problems, []);
    await context.close();
  });

  test('begins at the patient for a link with a time, which can be changed', async () => {
    const { context, page } = await visitor(browser, { viewport: PHONE });
    const doctor = await bookableDoctor(system, 1);
    const slot = await freeSlot(system, { department: doctor.department, doctor: doctor.id, index: 8 });
    await page.goto(`${system.origin}/appointment?${new URLSearchParams({ doctor: doctor.id, ...slot })}`);
    await hydrated(page);
    const given = page.locator('#step-3 summary').first();
    assert.ok((await given.innerText()).includes(slot.time));
    assert.ok(await page.locator('main [name=firstName]').isVisible());
    await given.click();
    await page.locator(`${FREE_TIMES}:checked`).waitFor({ state: 'attached' });
    assert.equal(await page.locator(`${FREE_TIMES}:checked`).inputValue(), slot.time);
    await context.close();
  });

  test('books the doctor of a card without script', async () => {
    const { context, page } = await visitor(browser, { viewport: PHONE, javaScriptEnabled: false });
    const doctor = await bookableDoctor(system, 1);
    const slot = await freeSlot(system, { department: doctor.department, doctor: doctor.id, index: 10 });
    await page.goto(`${system.origin}/appointment`);
    await page.locator(`input[name=department][value="${doctor.department}"]`).check();
    await page.locator(`input[name=picked][value="${doctor.id} ${doctor.name}"]`).check();
    await page.locator('main [name=date]').fill(slot.date);
    await fillPerson(page, person());
    await page.locator('button[name=intent][value=times]').click();
    assert.ok(await page.locator(`input[name=picked][value="${doctor.id} ${doctor.name}"]`).isChecked());
    await page.locator(`input[name=time][value="${slot.time}"]`).check();
    await submitButton(page).click();
    assert.match(await confirmation(page), REFERENCE);
    assert.ok((await page.locator('#pass').innerText()).includes(doctor.name));
    await context.close();
  });

  test('opens its steps without the script, if that does not arrive', async () => {
    const { context, page } = await visitor(browser, { viewport: PHONE });
    await page.route(/\.js$/, (route) => route.abort());
    await page.goto(`${system.origin}/appointment`);
    await page.locator('main [name=firstName]').waitFor({ state: 'visible' });
    await context.close();
  });
});
