/**
 * The trace of one booking, read where an SRE reads it: browser, gateway, svc-booking and database, in one chain of
 * parents.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { launch, visitor } from '../browser.mjs';
import { confirmation, freeSlot, openFilledForm, person, submitButton } from '../booking.mjs';
import { until } from '../processes.mjs';
import { DATABASES, System } from '../system.mjs';

const DB_SYSTEMS = { sqlite: 'sqlite', postgres: 'postgresql' };

for (const { database, skip } of DATABASES) {
  describe(`the trace of a booking on ${database}`, { skip }, () => {
    let system;
    let browser;
    let trace;
    const who = person();
    before(async () => {
      [system, browser] = await Promise.all([System.start({ database }), launch()]);
      trace = await book(system, browser, who);
    });
    after(async () => {
      await browser?.close();
      await system?.stop();
    });

    test('leads from the browser to the database', () => {
      const line = ['browser', 'gateway', 'svc-booking'];
      const insert = trace.spans.find((span) => {
        const tags = tagsOf(span);
        return (
          tags['db.system.name'] === DB_SYSTEMS[database] &&
          /INSERT/i.test(tags['db.query.summary'] ?? span.operationName)
        );
      });
      assert.ok(insert, `no span of an INSERT on ${database} in\n${describeTrace(trace)}`);
      const services = ancestors(trace, insert).map((span) => serviceOf(trace, span));
      const order = services.filter((service, index) => service !== services[index - 1]);
      assert.deepEqual(order, line, describeTrace(trace));
    });

    test('continues to the mail to the patient', async () => {
      const named = (whole, service, name) =>
        whole.spans.find((span) => serviceOf(whole, span) === service && name.test(span.operationName));
      const sent = await until('the mail is sent', async () => {
        const answer = await fetch(`${system.tracesOrigin}/api/traces/${trace.traceID}`);
        const [whole] = (await answer.json()).data;
        const span = named(whole, 'svc-messaging', /^process mail\.send$/);
        // Each program exports its spans independently, so earlier spans may arrive later.
        const [first] = span ? ancestors(whole, span) : [];
        return first && serviceOf(whole, first) === 'browser' && { whole, span };
      });
      const services = ancestors(sent.whole, sent.span).map((span) => serviceOf(sent.whole, span));
      const order = services.filter((service, index) => service !== services[index - 1]);
      assert.deepEqual(order, ['browser', 'gateway', 'svc-booking', 'svc-messaging'], describeTrace(sent.whole));
    });

    test('contains routes, never raw values', () => {
      const names = trace.spans.map((span) => span.operationName);
      assert.ok(
        names.some((name) => /^POST .*\/appointments$/.test(name)),
        names.join('\n'),
      );
      assert.ok(
        names.some((name) => name.includes('hospital.booking.v1.BookingService/CreateAppointment')),
        names.join('\n'),
      );
    });

    test('contains no patient data, like logs and metrics', async () => {
      const metrics = await Promise.all(
        Object.values(system.programs).map(async (program) => {
          const answer = await fetch(
            `${program.name === 'ops-traces' ? system.tracesOrigin : program.operatorsOrigin}/metrics`,
          );
          return answer.text();
        }),
      );
      const places = { trace: JSON.stringify(trace), logs: system.logs(), metrics: metrics.join('\n') };
      for (const [place, text] of Object.entries(places)) {
        for (const [field, value] of Object.entries(who)) {
          assert.ok(!text.includes(value), `${field} of the patient stands in ${place}`);
        }
      }
    });
  });
}

/** Books in a browser and waits until the trace of that request is complete. */
async function book(system, browser, who) {
  const { context, page } = await visitor(browser);
  await openFilledForm(page, system, await freeSlot(system), who);
  const [request] = await Promise.all([
    page.waitForRequest((candidate) => candidate.method() === 'POST' && candidate.url().endsWith('/api/appointments')),
    submitButton(page).click(),
  ]);
  await confirmation(page);
  const traceId = (await request.allHeaders()).traceparent?.split('-')[1];
  assert.match(traceId ?? '', /^[0-9a-f]{32}$/, 'the browser sends a traceparent');
  const found = await until(
    `trace ${traceId} is whole`,
    async () => {
      const answer = await fetch(`${system.tracesOrigin}/api/traces/${traceId}`);
      if (!answer.ok) return null;
      const { data } = await answer.json();
      const [whole] = data;
      const services = new Set(whole.spans.map((span) => serviceOf(whole, span)));
      // Each program exports its spans independently.
      const isLinked = whole.spans.every((span) => serviceOf(whole, ancestors(whole, span)[0]) === 'browser');
      return isLinked && ['browser', 'gateway', 'svc-booking'].every((service) => services.has(service)) && whole;
    },
    30_000,
  );
  await context.close();
  return found;
}

function serviceOf(trace, span) {
  return trace.processes[span.processID].serviceName;
}

function tagsOf(span) {
  return Object.fromEntries(span.tags.map(({ key, value }) => [key, value]));
}

/** Returns the span and its parents, the outermost first. */
function ancestors(trace, span) {
  const line = [];
  for (let current = span; current;) {
    line.unshift(current);
    const parent = current.references?.find(({ refType }) => refType === 'CHILD_OF')?.spanID;
    current = trace.spans.find(({ spanID }) => spanID === parent);
  }
  return line;
}

function describeTrace(trace) {
  return trace.spans
    .map((span) =>
      ancestors(trace, span)
        .map((one) => `${serviceOf(trace, one)}: ${one.operationName}`)
        .join(' > '),
    )
    .join('\n');
}
