/** The dashboard of a laptop and the start page of traces, as a person on call reads them. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { assertReflows, axe, DESKTOP, launch, PHONE, screenshot, visitor } from '../browser.mjs';
import { book } from '../faults.mjs';
import { freeSlot, person } from '../booking.mjs';
import { Program, until } from '../processes.mjs';
import { System } from '../system.mjs';

const WALL = { width: 1920, height: 1080 };

describe('the site now', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hospital-site-now-'));
  let system;
  let browser;
  let watcher;
  let origin;
  before(async () => {
    [system, browser] = await Promise.all([System.start(), launch()]);
    const watched = Object.values(system.programs).filter(({ operatorsAddress }) => operatorsAddress);
    const urls = watched.flatMap(({ name, operatorsOrigin }) => [
      '--metrics-url',
      `${name}=${operatorsOrigin}/metrics`,
    ]);
    const free = ['--otlp-grpc-listen', '127.0.0.1:0', '--otlp-http-listen', '127.0.0.1:0'];
    watcher = new Program('ops-traces', { args: [...free, ...urls], logDir: folder });
    await watcher.start();
    origin = `http://${watcher.addresses.match(/\bui=(\S+)/)[1]}`;
    await until('requests between two scrapes are charted', async () => {
      await Promise.all([system.api('/doctors'), fetch(`${system.origin}/doctors`)]);
      return /Pages <small>gateway/.test(await (await fetch(`${origin}/site`)).text());
    });
  });
  after(async () => {
    system?.programs['svc-assessment'].thaw();
    await browser?.close();
    await watcher?.stop();
    await system?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Opens a page in both colour schemes and three sizes, and checks each. */
  const check = async (name, path) => {
    for (const colorScheme of ['light', 'dark']) {
      for (const viewport of [PHONE, DESKTOP, WALL]) {
        const { context, page } = await visitor(browser, { viewport });
        await page.emulateMedia({ colorScheme });
        await page.goto(`${path.startsWith('/') ? origin : ''}${path}`);
        assert.deepEqual(await axe(page), [], `${name} ${colorScheme} ${viewport.width}`);
        await assertReflows(page);
        await screenshot(page, `${name}-${colorScheme}-${viewport.width}`);
        await context.close();
      }
    }
  };

  test('is readable in every size and colour scheme', () => check('site-now', '/site'));

  test('a chart leads to traces, a problem to its runbook', async () => {
    // A restart would change the port that is watched.
    system.programs['svc-assessment'].freeze();
    const { context, page } = await visitor(browser);
    await page.goto(`${origin}/site`);
    const problem = page.getByRole('listitem').filter({ hasText: 'svc-assessment does not answer' });
    await problem.waitFor();
    await check('site-now-stopped', '/site');
    await problem.getByRole('link', { name: 'Runbook ServiceDown' }).click();
    await page.getByRole('heading', { level: 1, name: 'ServiceDown' }).waitFor();
    assert.deepEqual(await axe(page), []);
    await page.goBack();
    const href = await page.locator('.hits a').last().getAttribute('href');
    assert.match(href, /^\/(search\?service=|trace\/[0-9a-f]{32}$)/);
    system.programs['svc-assessment'].thaw();
    await problem.waitFor({ state: 'detached' });
    await context.close();
  });

  test('keeps the focus and an opened table while its figures change', async () => {
    const { context, page } = await visitor(browser);
    await page.goto(`${origin}/site`);
    const summary = page.getByText('Table and traces of Pages');
    await summary.click();
    const read = () => page.locator('#hour').evaluate((part) => part.innerHTML);
    const first = await read();
    await until('the charts have changed', async () => {
      await fetch(`${system.origin}/doctors`);
      return (await read()) !== first;
    });
    assert.equal(await page.evaluate(() => document.activeElement.tagName), 'SUMMARY');
    assert.ok(await page.getByRole('region', { name: 'Table of Pages of gateway' }).isVisible());
    await context.close();
  });

  test('reloads itself without script', async () => {
    const { context, page } = await visitor(browser, { javaScriptEnabled: false });
    await page.goto(`${origin}/site`);
    await page.waitForEvent('load');
    assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'The site now');
    await context.close();
  });

  test('the first page of traces shows actions by route, not files', async () => {
    const booked = await book(system, person(), await freeSlot(system));
    assert.equal(booked.status, 201);
    await fetch(`${system.origin}/robots.txt`);
    const { context, page } = await visitor(browser);
    const row = page.getByRole('row').filter({ hasText: 'POST /api/appointments' });
    await fetch(`${system.origin}/doctors`);
    await until('the booking is shown with its call', async () => {
      await page.goto(system.tracesOrigin);
      return (await row.count()) === 1 && /calls CreateAppointment/.test(await row.textContent());
    });
    await page.getByRole('link', { name: 'GET /doctors', exact: true }).waitFor();
    assert.equal(await page.getByText(/GET (file|document)/).count(), 0);
    await check('actions', system.tracesOrigin);
    await row
      .getByRole('link', { name: / UTC, / })
      .first()
      .click();
    await page.waitForURL(/\/trace\/[0-9a-f]{32}$/);
    await page.getByText('svc-booking').first().waitFor();
    await context.close();
  });
});
