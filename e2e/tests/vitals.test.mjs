/** Web vitals (load, paint and response times), as a real browser reports them when its page is left. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openStep } from '../booking.mjs';
import { hydrated, launch, PHONE, visitor } from '../browser.mjs';
import { until } from '../processes.mjs';
import { System } from '../system.mjs';

describe('web vitals of a visit', () => {
  let system;
  let browser;
  before(async () => {
    [system, browser] = await Promise.all([System.start(), launch()]);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
  });

  test('are sent once, when the page is left, and counted by route and team', async () => {
    const { context, page } = await visitor(browser, { viewport: PHONE, isMeasured: true });
    const reports = [];
    page.on('request', (request) => {
      const vitals = request.url().endsWith('/telemetry') && request.postDataJSON().vitals;
      if (vitals) reports.push(vitals);
    });
    const script = page.waitForResponse((response) => /\/vitals\.[0-9a-f]+\.js$/.test(response.url()));
    await page.goto(`${system.origin}/appointment?reason=asha`);
    await hydrated(page);
    assert.equal((await script).status(), 200);
    await openStep(page, 4);
    await page.getByLabel('First Name', { exact: false }).first().fill('Asha');
    assert.deepEqual(reports, []);
    const counted = (name, labels) => system.metric(name, labels);
    assert.equal(await counted('browser_web_vital_seconds_count'), 0);

    await page.goto(`${system.origin}/emergency`);
    const route = '/appointment';
    await until('the vitals are counted', () => counted('browser_web_vital_seconds_count', { vital: 'lcp', route }));
    assert.equal(await counted('browser_web_vital_seconds_count', { vital: 'ttfb', route, team: 'shell' }), 1);
    assert.equal(await counted('browser_web_vital_seconds_count', { vital: 'lcp', route }), 1);
    assert.equal(await counted('browser_cumulative_layout_shift_count', { route }), 1);
    assert.equal(await counted('browser_web_vital_seconds_count', { route: 'unknown' }), 0);
    assert.equal(await counted('browser_web_vital_seconds_count', { team: 'unknown' }), 0);
    assert.ok(!JSON.stringify(reports).toLowerCase().includes('asha'), JSON.stringify(reports));
    await context.close();
  });

  test('lead to the trace of their page load, which is known by its route', async () => {
    const text = await (await fetch(`${system.programs.gateway.operatorsOrigin}/metrics`)).text();
    const line = text.split('\n').find((one) => /^browser_web_vital_seconds_bucket.*vital="lcp".* # /.test(one));
    const id = /trace_id="([0-9a-f]{32})"/.exec(line ?? '')?.[1];
    assert.ok(id, `no exemplar: ${line}`);
    const load = await until('the page load is in its trace', async () => {
      const answer = await fetch(`${system.tracesOrigin}/api/traces/${id}`);
      if (!answer.ok) return undefined;
      const [trace] = (await answer.json()).data;
      return trace.spans.find(({ operationName }) => operationName === 'page load');
    });
    const tags = Object.fromEntries(load.tags.map(({ key, value }) => [key, value]));
    assert.equal(tags['http.route'], '/appointment');
  });

  test('of a page without scripts are sampled for a tenth of the page loads, together with the page load', async () => {
    const route = '/doctors';
    const counted = () => system.metric('browser_web_vital_seconds_count', { vital: 'fcp', route });
    const files = [];
    const visit = async (isMeasured) => {
      const { context, page, problems } = await visitor(browser, { viewport: PHONE, isMeasured });
      page.on(
        'response',
        (response) => /\/measure\.[0-9a-f]+\.js$/.test(response.url()) && files.push(response.status()),
      );
      await page.goto(`${system.origin}${route}`, { waitUntil: 'networkidle' });
      await page.goto(`${system.origin}/emergency`, { waitUntil: 'networkidle' });
      assert.equal(
        await page.locator('body').getAttribute('data-measure'),
        null,
        'what must always be there loads nothing',
      );
      assert.deepEqual(problems, []);
      await context.close();
    };
    await visit(false);
    assert.deepEqual(files, []);
    await visit(true);
    assert.deepEqual(files, [200]);
    await until('the vitals are counted', counted);
    assert.equal(await counted(), 1);
    assert.equal(await system.metric('browser_web_vital_seconds_count', { vital: 'lcp', route }), 1);
    const query = new URLSearchParams({
      service: 'browser',
      operation: 'page load',
      tags: '{"http.route":"/doctors"}',
    });
    const [trace] = await until('the page load is in its trace', async () => {
      const { data } = await (await fetch(`${system.tracesOrigin}/api/traces?${query}`)).json();
      return data.length > 0 && data;
    });
    const services = new Set(Object.values(trace.processes).map(({ serviceName }) => serviceName));
    assert.ok(services.has('browser') && services.has('gateway'), [...services].join());
  });
});
