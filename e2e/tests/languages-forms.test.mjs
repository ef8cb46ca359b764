/** Video consultation, contact, newsletter and health assessment in Kannada and Hindi: pages and mails. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { person } from '../booking.mjs';
import { PHONE, hydrated, launch, visitor } from '../browser.mjs';
import { LANGUAGES, assertOwnMail, assertOwnPage, inLanguage, translations } from '../languages.mjs';
import { mailTo } from '../mail.mjs';
import { System, UNLIMITED } from '../system.mjs';

/** Answers whose results have each band of BMI, diabetes risk and stress. */
const ASSESSMENTS = [
  {
    bands: ['Underweight', 'Low Risk', 'Low Stress'],
    typed: { age: '24', height: '170', weight: '48', sleepHours: '8' },
    chosen: { gender: 'male', familyHistory: 'no', bloodPressure: 'normal', activityLevel: 'high' },
    stress: { sleepQuality: 'excellent', workStress: 'low' },
    indian: { waist: '70', activity: 'both', parents: 'none' },
  },
  {
    bands: ['Normal', 'Moderate Risk', 'Moderate Stress'],
    typed: { age: '38', height: '170', weight: '65', sleepHours: '5' },
    chosen: { gender: 'female', familyHistory: 'yes', bloodPressure: 'normal', activityLevel: 'moderate' },
    stress: { sleepQuality: 'poor', workStress: 'moderate' },
    indian: { waist: '85', activity: 'either', parents: 'one' },
  },
  {
    bands: ['Overweight', 'High Risk', 'High Stress'],
    typed: { age: '52', height: '170', weight: '78', sleepHours: '4' },
    chosen: { gender: 'male', familyHistory: 'yes', bloodPressure: 'high', activityLevel: 'low' },
    stress: { sleepQuality: 'poor', workStress: 'high' },
    indian: { waist: '104', activity: 'neither', parents: 'both' },
  },
  {
    bands: ['Obese', 'High Risk', 'Low Stress'],
    typed: { age: '61', height: '160', weight: '90', sleepHours: '7' },
    chosen: { gender: 'female', familyHistory: 'no', bloodPressure: 'high', activityLevel: 'moderate' },
    stress: { sleepQuality: 'good', workStress: 'low' },
    indian: { waist: '', activity: 'either', parents: 'none' },
  },
];

describe('forms in other languages', () => {
  let system;
  let browser;
  before(async () => {
    const gateway = [...UNLIMITED, '--address-documents-max', '100000'];
    [system, browser] = await Promise.all([System.start({ gateway }), launch()]);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  const headed = (page, name) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

  for (const language of Object.keys(LANGUAGES)) {
    const booking = translations(language);
    const messaging = translations(language, 'svc-messaging/web/messages');
    const assessment = translations(language, 'svc-assessment/web/messages');

    async function open(path) {
      const opened = await visitor(browser, { viewport: PHONE });
      await opened.page.goto(inLanguage(system, language, path));
      await hydrated(opened.page);
      return opened;
    }

    const fill = async (page, values) => {
      for (const [name, value] of Object.entries(values)) await page.locator(`main [name=${name}]`).fill(value);
    };

    test(`requests a video consultation in ${language}`, async () => {
      const { firstName, lastName, email: patientEmail, phone, message: description } = person();
      const typed = [firstName, lastName, patientEmail, phone, description];
      const { context, page, problems } = await open('/virtual-consultation');
      await fill(page, { patientName: `${firstName} ${lastName}`, patientEmail, phone, description });
      await page.locator('main [name=date]').fill(await page.locator('main [name=date]').getAttribute('max'));
      await page.locator('main [name=department][value=""]').check();
      await page.getByRole('button', { name: booking('Book consultation') }).click();
      await headed(page, booking('Your consultation is requested'));
      await assertOwnPage(page, language, { typed, name: 'consultation-requested' });
      assertOwnMail(system, await mailTo(system, patientEmail), language, typed);
      assert.deepEqual(problems, []);
      await context.close();
    });

    test(`acknowledges a message in ${language}`, async () => {
      const who = { ...person(), subject: 'Visiting hours' };
      const typed = Object.values(who);
      const { context, page, problems } = await open('/contact');
      await fill(page, { ...who, phone: '12' });
      const send = page.getByRole('button', { name: messaging('Send message') });
      await send.click();
      await page.locator('#phone-error').waitFor();
      await assertOwnPage(page, language, { typed, name: 'contact-refused' });
      await fill(page, { phone: who.phone });
      await send.click();
      await headed(page, messaging('Message Sent!'));
      await assertOwnPage(page, language, { typed, name: 'contact-sent' });
      assertOwnMail(system, await mailTo(system, who.email), language, typed);
      assert.deepEqual(problems, []);
      await context.close();
    });

    test(`confirms a newsletter subscription in ${language}`, async () => {
      const { email } = person();
      const { context, page, problems } = await open('/newsletter');
      await fill(page, { email });
      await page
        .getByRole('main')
        .getByRole('button', { name: messaging('Subscribe') })
        .click();
      await headed(page, messaging('Check your e-mail'));
      await assertOwnPage(page, language, { name: 'newsletter-asked' });
      const links = assertOwnMail(system, await mailTo(system, email), language, [email]);
      await page.goto(links.find((link) => link.includes('/newsletter/confirm')));
      await headed(page, messaging('Confirm your subscription'));
      await assertOwnPage(page, language, { name: 'newsletter-confirm' });
      await page.getByRole('main').getByRole('button').click();
      await headed(page, messaging('You’re subscribed'));
      await assertOwnPage(page, language, { name: 'newsletter-confirmed' });
      assert.deepEqual(problems, []);
      await context.close();
    });

    for (const { bands, typed, chosen, stress, indian } of ASSESSMENTS) {
      test(`shows the results of a health assessment in ${language}: ${bands.join(', ')}`, async () => {
        const { context, page, problems } = await open('/health-assessment');
        const next = () => page.locator('form[data-live] button[type=submit]:visible').first().click();
        const { gender, ...diabetes } = chosen;
        const { age, height, weight, sleepHours } = typed;
        const choose = async (values) => {
          for (const [name, value] of Object.entries(values))
            await page.locator(`label:has([name="${name}"][value="${value}"])`).click();
        };
        await fill(page, { age, height, weight });
        await choose({ gender });
        await next();
        await choose(diabetes);
        await next();
        await fill(page, { sleepHours });
        await choose(stress);
        await next();
        await next();
        await page.getByRole('heading', { name: assessment('Your results'), exact: true }).waitFor();
        await page.getByText(assessment('Indian Diabetes Risk Score and Indian BMI cut-offs'), { exact: true }).click();
        const { waist, ...others } = indian;
        await fill(page, { waist });
        await choose(others);
        for (const band of bands) await page.getByText(assessment(band)).first().waitFor();
        await assertOwnPage(page, language, { name: `assessment-${bands[0]}` });
        assert.deepEqual(problems, []);
        await context.close();
      });
    }
  }
});
