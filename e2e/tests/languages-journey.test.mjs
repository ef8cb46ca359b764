/** The first journey of a visitor in Kannada and Hindi: pages, bookings, mails, the waiting list and the desk. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  bookableDoctor,
  cancelBooking,
  confirmation,
  fillDay,
  freeSlot,
  payload,
  person,
  submitButton,
} from '../booking.mjs';
import { PHONE, hydrated, launch, visitor } from '../browser.mjs';
import { LANGUAGES, assertOwnMail, assertOwnPage, inLanguage, like, translations } from '../languages.mjs';
import { eventOf, mailTo } from '../mail.mjs';
import { signedIn, unexpected } from '../staff.mjs';
import { System, UNLIMITED } from '../system.mjs';

const WRONG_PHONE = '12';
const PHONE_ERROR = 'Enter a phone number of 7 to 15 digits, such as +91 80 0000 0000';
const TAKEN = '{time} on {date} was just taken by someone else. Everything you typed is still here.';
const FREE_TIME = 'input[type=radio][name=time]:enabled';

describe('the first journey', () => {
  let system;
  let browser;
  let doctor;
  /** References of the appointments by language. */
  const booked = {};
  before(async () => {
    const gateway = [...UNLIMITED, '--address-documents-max', '100000'];
    [system, browser] = await Promise.all([System.start({ gateway, staff: true }), launch()]);
    doctor = await bookableDoctor(system, 1);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  const headed = (page, name) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  const fill = async (page, values) => {
    for (const [name, value] of Object.entries(values)) await page.locator(`main [name=${name}]`).fill(value);
  };

  /** Follows the first visible link whose address begins with this one. */
  async function follow(page, address, scope = '') {
    const link = page.locator(`${scope} a[href^="${address}"]:visible`).first();
    const url = new URL(await link.getAttribute('href'), page.url());
    await link.click();
    await page.waitForURL((now) => now.pathname === url.pathname);
  }

  for (const [language, { english }] of Object.entries(LANGUAGES)) {
    const at = (path) => inLanguage(system, language, path);
    const say = translations(language);
    const open = async (path, options) => {
      const opened = await visitor(browser, { viewport: PHONE, ...options });
      await opened.page.goto(at(path));
      return opened;
    };

    test(`leads from the home page to a booking, its mails, a move and a cancellation in ${language}`, async () => {
      const { context, page, problems } = await open('/');
      const who = person();
      const typed = Object.values(who);
      await follow(page, `/${language}/emergency`);
      assert.equal(await page.locator('html').getAttribute('lang'), language);
      await page.goBack();
      await follow(page, `/${language}/specialty/`, 'main');
      await follow(page, `/${language}/doctor/`, 'main');
      await follow(page, `/${language}/appointment`, 'main');
      await hydrated(page);

      // Holds are blocked, so that the booking itself decides.
      await page.route('**/api/holds', (route) => route.abort());
      const time = page.locator(FREE_TIME).last();
      await time.waitFor({ state: 'attached' });
      // A link with a time begins at the patient.
      if (!(await time.isVisible())) await page.locator('#step-3 summary').first().click();
      await time.check();
      await fill(page, { ...who, phone: WRONG_PHONE });
      await submitButton(page).click();
      await page.locator('#phone-error').getByText(say(PHONE_ERROR)).waitFor();
      await assertOwnPage(page, language, { typed, name: 'booking-refused' });

      await fill(page, { phone: who.phone });
      const chosen = await page.locator('main form').last().evaluate(chosenIn);
      const { departments } = await (await system.api('/departments')).json();
      const { name: department } = departments.find(({ doctorIds }) => doctorIds.includes(chosen.doctorId));
      const other = await system.post('/appointments', payload(person(), { department, ...chosen }, chosen.doctorId));
      assert.equal(other.status, 201, JSON.stringify(other.body));
      await submitButton(page).click();
      const alert = page.getByRole('alert').filter({ hasText: like(say(TAKEN)) });
      await alert.waitFor();
      await assertOwnPage(page, language, { typed, name: 'booking-taken' });
      await page.unroute('**/api/holds');
      await alert.getByRole('button').first().click();
      await submitButton(page).click();
      const reference = await confirmation(page);
      booked[language] = reference;
      await headed(page, say('Your appointment is booked'));
      await assertOwnPage(page, language, { typed, name: 'booked' });

      const mail = await mailTo(system, who.email);
      const [link] = assertOwnMail(system, mail, language, typed).filter((one) => one.includes(reference));
      assert.equal(eventOf(mail).method, 'PUBLISH');
      assert.ok(link.startsWith(`${at('/appointment/manage')}#`), link);
      await page.goto(link);
      await page.getByText(reference).first().waitFor();
      await assertOwnPage(page, language, { typed, name: 'managed' });

      await page.getByText(say('Choose another time'), { exact: true }).click();
      await page.locator(FREE_TIME).first().check();
      await page.getByRole('button', { name: say('Move to this time') }).click();
      await headed(page, say('Your appointment was moved'));
      await assertOwnPage(page, language, { typed, name: 'moved' });
      const moved = await mailTo(system, who.email, ({ subject }) => subject !== mail.subject);
      assertOwnMail(system, moved, language, typed);
      assert.equal(eventOf(moved).event.uid, eventOf(mail).event.uid);

      await page.getByText(say('Cancel this appointment'), { exact: true }).click();
      await page.getByRole('button', { name: say('Yes, cancel it') }).click();
      await headed(page, say('Your appointment is cancelled'));
      await assertOwnPage(page, language, { typed, name: 'cancelled' });
      const cancelled = await mailTo(system, who.email, (one) => eventOf(one)?.method === 'CANCEL');
      assertOwnMail(system, cancelled, language, typed);
      assert.deepEqual(
        problems.filter((line) => !/409|\/api\/holds|Failed to load resource/.test(line)),
        [],
      );
      await context.close();
    });

    test(`books and cancels without script in ${language}`, async () => {
      const slot = await freeSlot(system, { index: 4 });
      const who = person();
      const [typed, hasAxe] = [Object.values(who), false];
      const { context, page } = await open('/appointment', { javaScriptEnabled: false });
      await page.locator(`input[name=department][value="${slot.department}"]`).check();
      await page.locator('main [name=date]').fill(slot.date);
      await page.locator('select[name=time]').selectOption(slot.time);
      await fill(page, { ...who, phone: WRONG_PHONE });
      const form = page.locator('main form:has([name=firstName])');
      await form.evaluate((element) => (element.noValidate = true));
      await submitButton(page).click();
      await page.locator('#phone-error').getByText(say(PHONE_ERROR)).waitFor();
      assert.equal(await page.locator('main [name=email]').inputValue(), who.email);
      await assertOwnPage(page, language, { typed, name: 'booking-refused-plain', hasAxe });
      await fill(page, { phone: who.phone });
      await submitButton(page).click();
      const reference = await confirmation(page);
      await headed(page, say('Your appointment is booked'));
      await assertOwnPage(page, language, { typed, name: 'booked-plain', hasAxe });

      const mail = await mailTo(system, who.email);
      const link = assertOwnMail(system, mail, language, typed).find((one) => one.includes(reference));
      await page.goto(at('/appointment/manage'));
      await page.getByText(say('I have the link'), { exact: true }).click();
      await page.locator('main [name=link]').fill(link);
      await page.getByRole('button', { name: say('Open'), exact: true }).click();
      await page.getByText(reference).first().waitFor();
      await assertOwnPage(page, language, { typed, name: 'managed-plain', hasAxe });
      await page.getByText(say('Cancel this appointment'), { exact: true }).click();
      await page.getByRole('button', { name: say('Yes, cancel it') }).click();
      await headed(page, say('Your appointment is cancelled'));
      await assertOwnPage(page, language, { typed, name: 'cancelled-plain', hasAxe });
      const cancelled = await mailTo(system, who.email, (one) => eventOf(one)?.method === 'CANCEL');
      assertOwnMail(system, cancelled, language, typed);
      await context.close();
    });

    test(`offers a free time to the waiting list in ${language}`, async () => {
      const { date, first } = await fillDay(system, doctor);
      const { message: _, ...who } = person();
      const typed = Object.values(who);
      const query = new URLSearchParams({ doctor: doctor.id, date });
      const { context, page, problems } = await open(`/appointment?${query}`);
      await hydrated(page);
      await fill(page, who);
      await page.getByRole('button', { name: say('Tell me if a time becomes free') }).click();
      await headed(page, say('You’re on the waiting list'));
      await assertOwnPage(page, language, { typed, name: 'waiting' });
      const joined = await mailTo(system, who.email);
      const link = assertOwnMail(system, joined, language, typed).find((one) => one.includes('#WL-'));
      await page.goto(link);
      await page.getByText(say('You’re on the waiting list')).first().waitFor();
      await assertOwnPage(page, language, { typed, name: 'waiting-managed' });

      await cancelBooking(system, first);
      const offer = await mailTo(system, who.email, ({ subject }) => subject !== joined.subject, 40_000);
      await page.goto('about:blank');
      await page.goto(assertOwnMail(system, offer, language, typed).find((one) => one.includes('#WL-')));
      await page.getByText(like(say('We’re holding this time for you until {time} IST.'))).waitFor();
      await assertOwnPage(page, language, { typed, name: 'offered' });
      await page.getByRole('button', { name: say('Take this time') }).click();
      await headed(page, say('Your appointment is booked'));
      await assertOwnPage(page, language, { typed, name: 'offer-taken' });
      const taken = await mailTo(system, who.email, (one) => eventOf(one)?.method === 'PUBLISH');
      assertOwnMail(system, taken, language, typed);
      assert.deepEqual(problems, []);
      await context.close();
    });

    test(`the desk sees that an appointment was booked in ${english}`, async () => {
      assert.ok(booked[language]);
      const { context, page, problems } = await signedIn(browser, system, 'frontdesk', { path: '/staff/find' });
      await page.getByRole('search').getByRole('textbox').fill(booked[language]);
      await page.getByRole('button', { name: 'Find', exact: true }).click();
      const row = page.locator('[data-row]').filter({ hasText: booked[language] });
      assert.match(await row.innerText(), new RegExp(`Language: ${english}`));
      assert.deepEqual(unexpected(problems), []);
      await context.close();
    });
  }
});

/** Runs in the page. Returns the form's day, time and doctor. */
function chosenIn(form) {
  const { date, time, picked } = Object.fromEntries(new globalThis.FormData(form));
  return { date, time, doctorId: picked.split(' ')[0] };
}
