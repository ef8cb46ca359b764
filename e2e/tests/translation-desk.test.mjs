/** Translations at the desk: an editor changes an English text, and another one translates it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DESKTOP, PHONE, assertReflows, axe, launch, screenshot } from '../browser.mjs';
import { readByVisitors, saveDraft, shows } from '../content-desk.mjs';
import { LANGUAGES } from '../languages.mjs';
import { until } from '../processes.mjs';
import { signedIn, unexpected } from '../staff.mjs';
import { System, UNLIMITED } from '../system.mjs';

const DOCTOR = '/staff/content/doctor/doc-08';
const TRANSLATIONS = `${DOCTOR}/translations/kn`;
const ENGLISH = 'Answers calls on 108 after surgery.';
const FIRST = 'ಶಸ್ತ್ರಚಿಕಿತ್ಸೆಯ ನಂತರ ಕರೆಗಳಿಗೆ ಉತ್ತರಿಸುತ್ತಾರೆ.';
const SECOND = 'ಶಸ್ತ್ರಚಿಕಿತ್ಸೆಯ ನಂತರ 108 ಕರೆಗಳಿಗೆ ಉತ್ತರಿಸುತ್ತಾರೆ.';

describe('translations at the desk', () => {
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

  const editor = (path, options = {}) =>
    signedIn(browser, system, 'editor', { path, viewport: PHONE, javaScriptEnabled: false, ...options });
  const field = (page) => page.getByLabel(`About, in ${LANGUAGES.kn.english}`, { exact: true });
  const publish = (page) => page.getByRole('button', { name: 'Publish', exact: true }).click();

  async function assertSound(page, name, hasAxe) {
    for (const viewport of [PHONE, DESKTOP]) {
      await page.setViewportSize(viewport);
      if (hasAxe) assert.deepEqual(await axe(page), [], name);
      await assertReflows(page);
      await screenshot(page, `translation-desk-${name}-${viewport.width}`);
    }
  }

  test('a changed English text is translated without script, and visitors read it', async () => {
    const { context, page, problems } = await editor(DOCTOR);
    const path = await page.getByRole('link', { name: 'See it on the website' }).getAttribute('href');
    await page.getByLabel('About', { exact: true }).fill(ENGLISH);
    await saveDraft(page);
    await page.getByRole('button', { name: /^Publish this/ }).click();
    await readByVisitors(system, `/kn${path}`, ENGLISH);
    await page.goto(`${system.origin}/kn${path}`);
    assert.equal(
      await page
        .getByText(ENGLISH)
        .first()
        .evaluate((element) => element.closest('[lang]').lang),
      'en',
    );

    const row = page.locator('li', { hasText: 'shown in English on Kannada pages' });
    await until('the checklist has it', async () => {
      await page.goto(`${system.origin}/staff/content/checklist`);
      return (await row.count()) > 0;
    });
    assert.match(await row.first().textContent(), /1 text is shown in English on Kannada pages/);
    await row.first().getByRole('link', { name: 'Translate into Kannada' }).click();
    assert.equal(new URL(page.url()).pathname, TRANSLATIONS);
    await shows(page, 'Without a translation: 1');
    assert.equal(await field(page).getAttribute('lang'), 'kn');
    await assertSound(page, 'form', false);

    await field(page).fill('ಹೃ'.repeat(300));
    await publish(page);
    const summary = page.getByRole('alert');
    assert.match(await summary.textContent(), /Nothing was published.*Enter at most 200 characters; this has 600/s);
    assert.equal(await field(page).inputValue(), 'ಹೃ'.repeat(300));
    await summary.getByRole('link').click();
    await assertSound(page, 'refused', false);
    await field(page).fill(FIRST);
    await publish(page);
    await shows(page, 'The translations are published');
    await shows(page, '108 is in the English text only.');
    await assertSound(page, 'published', false);
    await readByVisitors(system, `/kn${path}`, FIRST);
    await page.getByRole('link', { name: 'See it in Kannada' }).click();
    await page.getByText(FIRST).first().waitFor();
    assert.ok(!(await page.content()).includes(ENGLISH), 'no English text is left');
    assert.deepEqual(unexpected(problems, 400), []);
    await context.close();
  });

  test('the second of two editors sees both texts, and loses nothing', async () => {
    const [one, other] = [await editor(TRANSLATIONS), await editor(TRANSLATIONS, { javaScriptEnabled: true })];
    assert.deepEqual(await axe(other.page), []);
    await field(one.page).fill(SECOND);
    await publish(one.page);
    await shows(one.page, 'The translations are published');
    await field(other.page).fill('108');
    await publish(other.page);
    await shows(other.page, 'The texts have changed since you opened this page. Nothing was published');
    await shows(other.page, SECOND);
    assert.equal(await field(other.page).inputValue(), '108');
    await assertSound(other.page, 'conflict', true);
    await publish(other.page);
    await shows(other.page, 'The translations are published');

    // Removed, the text is English again, and the history has every step.
    await field(other.page).fill('');
    await publish(other.page);
    await shows(other.page, 'Without a translation: 1');
    await other.page.getByText(/^Changes by staff/).click();
    await assertSound(other.page, 'history', true);
    for (const text of [FIRST, SECOND, '108', 'nothing']) await shows(other.page, text);
    await other.page.goto(`${system.origin}/staff/content/changes`);
    await shows(other.page, 'Kannada translation changed');
    assert.deepEqual(unexpected(other.problems, 412), []);
    await Promise.all([one.context.close(), other.context.close()]);
  });
});
