/**
 * The health assessment as visitors take it: by keyboard, over a reload, without consent, without script, without its
 * service.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DESKTOP, PHONE, assertFits, assertReflows, axe, hydrated, launch, visitor } from '../browser.mjs';
import { System } from '../system.mjs';

const PATH = '/health-assessment';
/** Maximum Tab presses before a control counts as unreachable by keyboard. */
const TABS_MAX = 60;

describe('health assessment', () => {
  let system;
  let browser;
  before(async () => {
    [system, browser] = await Promise.all([System.start(), launch()]);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  /** Opens the page as a visitor and records all requests other than reads. */
  async function open(options) {
    const visit = await visitor(browser, options);
    const sent = [];
    visit.page.on('request', (request) => {
      const path = new URL(request.url()).pathname;
      if (request.method() !== 'GET' && path !== '/telemetry') sent.push([request.method(), path, request.postData()]);
    });
    await visit.page.goto(`${system.origin}${PATH}`);
    return { ...visit, sent };
  }

  async function tabTo(page, selector) {
    for (let pressed = 0; pressed < TABS_MAX; pressed += 1) {
      if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
      await page.keyboard.press('Tab');
    }
    assert.fail(`${selector} is out of reach of the keyboard`);
  }

  async function choose(page, name, value) {
    await page.locator(`label:has([name="${name}"][value="${value}"])`).click();
  }

  async function answerAll(page) {
    await page.fill('#age', '52');
    await choose(page, 'gender', 'female');
    await page.fill('#height', '163.5');
    await page.fill('#weight', '83');
    await next(page);
    for (const [name, value] of [
      ['familyHistory', 'yes'],
      ['bloodPressure', 'high'],
      ['activityLevel', 'low'],
    ])
      await choose(page, name, value);
    await next(page);
    await page.fill('#sleepHours', '5');
    await choose(page, 'sleepQuality', 'poor');
    await choose(page, 'workStress', 'high');
    await next(page);
  }

  const next = (page) => page.getByRole('button', { name: /^Next(?! Banner)/ }).click();
  const results = (page) => page.getByRole('heading', { name: 'Your results' });

  for (const viewport of [PHONE, DESKTOP]) {
    test(`at ${viewport.width} px every step is accessible and fits; sends nothing without consent`, async () => {
      const { context, page, problems, sent } = await open({ viewport });
      await hydrated(page);
      for (const name of ['Diabetes risk', 'Sleep and stress', 'Coping strategies', 'Your results']) {
        assert.deepEqual(await axe(page), []);
        await assertFits(page);
        await next(page);
        await page.getByRole('heading', { name, exact: true }).waitFor();
      }
      await page.getByText('Indian Diabetes Risk Score and Indian BMI cut-offs').click();
      assert.deepEqual(await axe(page), []);
      await assertReflows(page);
      await page.getByText('We haven’t sent anything.').waitFor();
      assert.deepEqual(sent, []);
      assert.deepEqual(problems, []);
      await context.close();
    });
  }

  test('works by keyboard alone, with a reload in the middle; saves once and removes', async () => {
    const { context, page, problems, sent } = await open();
    await hydrated(page);
    await tabTo(page, '#age');
    await page.keyboard.type('52');
    await tabTo(page, '[name=gender]');
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowRight');
    await tabTo(page, '#height');
    await page.keyboard.type('5');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Enter your height in centimetres').waitFor();
    await tabTo(page, '#height');
    await page.keyboard.type('163.5');
    await tabTo(page, '#weight');
    await page.keyboard.type('83');
    await page.keyboard.press('Enter');
    await tabTo(page, '[name=familyHistory]');
    await page.reload();
    await hydrated(page);
    assert.equal(await page.getByRole('heading', { name: 'Diabetes risk' }).isVisible(), true);
    assert.equal(await page.inputValue('#height'), '163.5');
    assert.equal(await page.locator('main [name=gender]:checked').inputValue(), 'female');
    for (const name of ['familyHistory', 'bloodPressure', 'activityLevel']) {
      await tabTo(page, `[name=${name}]`);
      await page.keyboard.press('Space');
    }
    await tabTo(page, 'form[data-live] button[type=submit]');
    await page.keyboard.press('Enter');
    await tabTo(page, '#sleepHours');
    await page.keyboard.type('7');
    await page.keyboard.press('Enter');
    await tabTo(page, '#consent');
    await page.keyboard.press('Space');
    await tabTo(page, 'form[data-live] button[type=submit]');
    assert.deepEqual(sent, []);
    await page.keyboard.press('Enter');
    await page.getByText('We’ve kept your answers, without your name.').waitFor();
    await page.getByText('Assessment saved!').first().waitFor();
    await page.reload();
    await hydrated(page);
    await page.getByText('We’ve kept your answers, without your name.').waitFor();
    assert.deepEqual(
      sent.map(([method, path]) => [method, path]),
      [['POST', '/api/assessments']],
    );
    assert.equal(JSON.parse(sent[0][2]).consent, true);
    await tabTo(page, 'main [role=status] button');
    await page.keyboard.press('Enter');
    await page.getByText('We’ve removed your saved answers.').waitFor();
    assert.match(sent[1].slice(0, 2).join(' '), /^DELETE \/api\/assessments\/[\w-]+$/);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test('works offline once it has loaded', async () => {
    const { context, page } = await open();
    await hydrated(page);
    await context.setOffline(true);
    await answerAll(page);
    await next(page);
    await page.getByText('High Stress', { exact: true }).waitFor();
    await context.close();
  });

  test('without script, asks the same questions and shows the results of the service, from the home page too', async () => {
    const { context, page, problems } = await open({ javaScriptEnabled: false });
    await page.goto(`${system.origin}/`);
    await page.locator('#check summary').first().click();
    await page.fill('#age', '52');
    await page.locator('#check button[type=submit]').click();
    assert.equal(new URL(page.url()).pathname, PATH);
    assert.equal(await page.inputValue('#age'), '52');
    await page.fill('#height', '170');
    await page.fill('#weight', '60');
    await page.getByRole('button', { name: 'See my results' }).click();
    assert.match(await page.locator('main').innerText(), /We haven’t kept your answers[^]*20\.7\s+Normal/);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test('on the home page, loads no script before the first touch, and keeps that touch', async () => {
    const { context, page, problems } = await visitor(browser);
    const scripts = [];
    page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()));
    await page.goto(`${system.origin}/`, { waitUntil: 'networkidle' });
    assert.deepEqual(scripts, []);
    await page.click('#age');
    await page.keyboard.type('52', { delay: 20 });
    await page.locator('form[data-live]').waitFor();
    assert.equal(await page.inputValue('#age'), '52');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'age');
    await next(page);
    await page.reload();
    await page.locator('form[data-live][data-step="2"]').waitFor();
    assert.deepEqual(problems, []);
    await context.close();
  });

  for (const [how, viewport] of [
    ['a click', PHONE],
    ['a click', DESKTOP],
    ['Enter', DESKTOP],
    ['a click that a screen reader makes', PHONE],
  ]) {
    test(`S2: on the home page, Next as the first touch shows the next step in the page, by ${how} at ${viewport.width} px`, async () => {
      const { context, page, problems } = await visitor(browser, { viewport });
      await page.goto(`${system.origin}/`, { waitUntil: 'networkidle' });
      // A phone shows the card closed. Opened without a touch, so that Next stays the first one.
      await page
        .locator('#check details')
        .first()
        .evaluate((card) => (card.open = true));
      const button = page.getByRole('button', { name: /^Next(?! Banner)/ });
      if (how === 'Enter') await button.press('Enter');
      else if (how === 'a click') await button.click();
      else await button.evaluate((element) => element.click());
      await page.getByRole('heading', { name: 'Diabetes risk', exact: true }).waitFor();
      assert.equal(new URL(page.url()).pathname, '/', 'no post has left the page');
      assert.deepEqual(problems, []);
      await context.close();
    });
  }

  test('S2: Next posts the form if the script of the wizard does not load', async () => {
    const { context, page } = await visitor(browser);
    await page.route(/\/remotes\/.*\.js$/, (route) => route.abort());
    await page.goto(`${system.origin}/`, { waitUntil: 'networkidle' });
    await page.locator('#check button[type=submit]').click();
    await page.waitForURL((url) => url.pathname === PATH);
    await context.close();
  });

  test('shows the results and reports the failure while its service is stopped', async () => {
    await system.programs['svc-assessment'].stop();
    const { context, page, sent } = await open();
    await hydrated(page);
    await answerAll(page);
    await page.check('#consent');
    await next(page);
    await results(page).waitFor();
    await page.getByText('High Stress', { exact: true }).waitFor();
    await page.locator('main').getByText('Could not save assessment. Please try again later.').waitFor();
    await system.programs['svc-assessment'].start();
    await system.programs['svc-assessment'].ready();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('We’ve kept your answers, without your name.').waitFor();
    assert.deepEqual(new Set(sent.map(([, , body]) => body)).size, 1, 'the same body each time');
    await context.close();
  });
});
