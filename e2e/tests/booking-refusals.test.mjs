/**
 * A failed booking explains the reason in the page, with and without script, on a phone and a desktop. No typed data is
 * lost.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  FAILED_TEXT,
  REFERENCE,
  bookableDoctor,
  confirmation,
  chooseDepartment,
  fillPerson,
  freeSlot,
  openFilledForm,
  payload,
  person,
  submitButton,
} from '../booking.mjs';
import { DESKTOP, PHONE, hydrated, launch, screenshot, visitor } from '../browser.mjs';
import { System, UNLIMITED } from '../system.mjs';

const SERVICE = 'svc-booking';
const LOOKS = [PHONE, DESKTOP].flatMap((viewport) =>
  [true, false].map((javaScriptEnabled) => ({ viewport, javaScriptEnabled })),
);
const named = ({ viewport, javaScriptEnabled }) =>
  `at ${viewport.width} px ${javaScriptEnabled ? 'with' : 'without'} script`;

/** W1: checks that the refusal's text is visible on the page. */
async function assertSaid(page, words, look) {
  const alert = page.getByRole('alert').filter({ hasText: FAILED_TEXT });
  await alert.waitFor();
  const text = await alert.innerText();
  for (const one of words) assert.ok(text.includes(one), `${one} is not said: ${text}`);
  assert.match(await page.title(), /^Error: Book an appointment/, 'W11');
  if (look.javaScriptEnabled) {
    assert.ok(await alert.evaluate((box) => box === document.activeElement), 'the alert has the focus');
    assert.ok(await inSight(alert), 'the alert is in sight');
  }
}

/** Opens the form, filled but not submitted. Holds are blocked, so that the booking itself decides. */
async function openFilled(system, browser, look, index) {
  const [slot, who] = [await freeSlot(system, { index }), person()];
  const { context, page } = await visitor(browser, look);
  await page.route('**/api/holds', (route) => route.abort());
  if (look.javaScriptEnabled) await openFilledForm(page, system, slot, who);
  else {
    await page.goto(`${system.origin}/appointment`);
    await fillPerson(page, who);
    await chooseDepartment(page, slot.department);
    await page.locator('main [name=date]').fill(slot.date);
    await page.locator('select[name=time]').selectOption(slot.time);
  }
  return { context, page, slot, who };
}

function inSight(locator) {
  return locator.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  });
}

describe('a booking that fails', () => {
  let system;
  let browser;
  let index = 0;
  before(async () => {
    const gateway = [...UNLIMITED];
    [system, browser] = await Promise.all([System.start({ gateway, proxied: [SERVICE] }), launch()]);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  const filled = (look) => openFilled(system, browser, look, (index += 1));

  async function assertKept(page, who) {
    for (const [name, value] of Object.entries(who)) {
      assert.equal(await page.locator(`main [name=${name}]`).inputValue(), value, name);
    }
  }

  for (const look of LOOKS) {
    test(`names the time that was taken, ${named(look)}`, async () => {
      const { context, page, slot, who } = await filled(look);
      await takeSeats(system, slot);
      await submitButton(page).click();
      await assertSaid(page, [`${slot.time} on `, 'was just taken by someone else'], look);
      await screenshot(page, `refused-taken-${look.viewport.width}-${look.javaScriptEnabled}`);
      await assertKept(page, who);
      await context.close();
    });

    test(`reports that the service is unavailable, ${named(look)}`, async () => {
      const { context, page, who } = await filled(look);
      system.networks[SERVICE].break('reset');
      try {
        await submitButton(page).click();
        await assertSaid(page, ['This isn’t working right now. Everything you typed is still here.'], look);
        await screenshot(page, `refused-away-${look.viewport.width}-${look.javaScriptEnabled}`);
        await assertKept(page, who);
      } finally {
        system.networks[SERVICE].heal();
      }
      await context.close();
    });
  }

  for (const viewport of [PHONE, DESKTOP]) {
    test(`reports a cut response, and books once when it is sent again, at ${viewport.width} px`, async () => {
      const look = { viewport, javaScriptEnabled: true };
      const { context, page } = await filled(look);
      await page.route('**/api/appointments', (route) => route.abort('connectionreset'));
      await submitButton(page).click();
      await assertSaid(page, ['We didn’t get a reply.', 'Everything you typed is still here.'], look);
      await screenshot(page, `refused-cut-${viewport.width}`);
      await page.unroute('**/api/appointments');
      await submitButton(page).click();
      assert.match(await confirmation(page), REFERENCE);
      assert.match(await page.title(), /^Your appointment is booked/, 'W11');
      await context.close();
    });
  }

  for (const viewport of [PHONE, DESKTOP]) {
    test(`W2: does not report a time as taken that was chosen while another one was being sent, at ${viewport.width} px`, async () => {
      const doctor = await bookableDoctor(system, 1);
      const slot = await freeSlot(system, { department: doctor.department, doctor: doctor.id, index: (index += 1) });
      const { context, page } = await visitor(browser, { viewport });
      await openFilledForm(page, system, { ...slot, doctor: doctor.name }, person());
      await page.getByText('We’re holding this time').waitFor();
      let answer;
      const asked = new Promise((resolve) => (answer = resolve));
      await page.route('**/api/appointments', async (route) => {
        await asked;
        await route.fulfill({
          status: 409,
          contentType: 'application/problem+json',
          body: JSON.stringify({ title: 'Conflict', status: 409, reason: 'SLOT_TAKEN' }),
        });
      });
      await submitButton(page).click();
      const other = page.locator('input[type=radio][name=time]:enabled:not(:checked)').first();
      const time = await other.inputValue();
      await page.locator('label', { has: page.locator(`input[name=time][value="${time}"]`) }).click();
      answer();
      await page.getByText(`${slot.time} on `).filter({ hasText: 'was just taken by someone else' }).waitFor();
      await page.getByText(`You’ve since chosen ${time}`).waitFor();
      assert.equal(await page.locator('input[name=time]:checked').inputValue(), time);
      assert.ok(!(await page.getByRole('alert').first().innerText()).includes(`${time} on`));
      await page.unroute('**/api/appointments');
      await submitButton(page).click();
      const panel = page.getByText(REFERENCE).first();
      await panel.waitFor();
      assert.ok((await page.locator('main').innerText()).includes(`${time} IST`));
      await context.close();
    });
  }

  test('W12: the button keeps the focus while sending', async () => {
    const { context, page } = await filled({ viewport: PHONE, javaScriptEnabled: true });
    let answer;
    const asked = new Promise((resolve) => (answer = resolve));
    await page.route('**/api/appointments', (route) => asked.then(() => route.continue()));
    await submitButton(page).focus();
    await page.keyboard.press('Enter');
    const busy = page.getByRole('button', { name: 'Processing...' });
    await busy.waitFor();
    assert.ok(await busy.evaluate((button) => button === document.activeElement));
    assert.ok(await busy.isDisabled());
    answer();
    await confirmation(page);
    await context.close();
  });

  test('U10: does not report an untouched field as wrong', async () => {
    const { context, page } = await visitor(browser);
    await page.goto(`${system.origin}/appointment`);
    await hydrated(page);
    const session = await context.newCDPSession(page);
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    const wrong = nodes.filter(({ properties = [] }) =>
      properties.some(({ name, value }) => name === 'invalid' && value.value !== 'false'),
    );
    assert.deepEqual(
      wrong.map(({ role, name }) => `${role.value} ${name.value}`),
      [],
    );
    await context.close();
  });
});

describe('a booking over the limit', () => {
  let system;
  let browser;
  before(async () => {
    const limit = ['--creates-ipv4-32-max', '1'];
    [system, browser] = await Promise.all([System.start({ gateway: limit }), launch()]);
    const answer = await system.post('/appointments', payload(person(), await freeSlot(system, { index: 0 })));
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  for (const look of LOOKS) {
    test(`names the limit, ${named(look)}`, async () => {
      const { context, page } = await openFilled(system, browser, look, 1);
      await submitButton(page).click();
      await assertSaid(page, ['Rate limit exceeded. Please try again later.'], look);
      await screenshot(page, `refused-limit-${look.viewport.width}-${look.javaScriptEnabled}`);
      await context.close();
    });
  }
});

/** Books the time for other people until none of its seats is free. */
async function takeSeats(system, slot) {
  for (let tries = 0; tries < 12; tries += 1) {
    const { status, body } = await system.post('/appointments', payload(person(), slot));
    if (status === 409) return;
    assert.equal(status, 201, JSON.stringify(body));
  }
  assert.fail('the time has too many seats');
}
