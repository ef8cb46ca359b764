/**
 * Enters text that only a patient knows wherever the site accepts input. The inputs are valid and invalid requests,
 * some of them while parts of the site are down, with a mail server that quotes the text. Afterwards nothing that
 * operators read may contain the text: no log, trace, metric, page of `ops-traces`, or dashboard query.
 */
import assert from 'node:assert/strict';
import { randomInt, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { FOLDER } from '../../deploy/observability/check.mjs';
import { expressionsOf, readDashboards } from '../../deploy/observability/check/dashboards.mjs';
import { freeSlot, payload } from '../booking.mjs';
import { bookNatively, roomy } from '../faults.mjs';
import { MailServer } from '../mail-server.mjs';
import { Program, until } from '../processes.mjs';
import { NO_PROMETHEUS, Prometheus } from '../prometheus.mjs';
import { DATABASES, System } from '../system.mjs';

const digits = () => String(randomInt(1e9, 1e10 - 1));
const NUMBER = digits();
/** Letters and digits only, so that JSON and URLs leave the text unchanged; the search ignores case. */
const WORD = `Kanari${NUMBER}`;
const WHO = {
  firstName: `${WORD}vorname`,
  lastName: `${WORD}nachname`,
  email: `${WORD}.post@patients.example`,
  phone: `+91 ${NUMBER.slice(0, 5)} ${NUMBER.slice(5)}`,
  message: `${WORD} has had pain since spring`,
};
/** In an assessment only the numbers are personal. */
const WEIGHT = Number(`71.${randomInt(1e6, 1e7 - 1)}`);
const CANARIES = [WORD, NUMBER, `${NUMBER.slice(0, 5)} ${NUMBER.slice(5)}`, `${WEIGHT}`];

for (const { database, skip: away } of DATABASES) {
  describe(`patient data on ${database}`, { skip: away }, () => {
    let system;
    let mail;
    let secrets;
    let reference;
    before(async () => {
      mail = await MailServer.listen();
      const env = { LOG_FORMAT: 'json' };
      system = await System.start({
        database,
        messaging: { SMTP_URL: `smtp://127.0.0.1:${mail.port}?tls=none` },
        special: { gateway: roomy(env), 'svc-booking': { env }, 'svc-assessment': { env } },
        proxied: ['svc-booking', 'svc-messaging'],
      });
      ({ reference, secrets } = await visits(system));
      await until(
        'the mail server has refused the patient',
        () => mail.refused.some((line) => line.includes(WORD)),
        30_000,
      );
      await until('the refusal is logged', () => system.programs['svc-messaging'].log().includes('answered 550'));
    });
    after(async () => {
      await system?.stop();
      await mail?.stop();
    });

    function assertNone(place, text) {
      const plain = text.toLowerCase();
      for (const canary of [...CANARIES, ...secrets]) {
        const at = plain.indexOf(canary.toLowerCase());
        assert.equal(at, -1, `${canary} stands in ${place}: ${text.slice(Math.max(at - 300, 0), at + 100)}`);
      }
    }

    test('is in no log', () => {
      const { programs } = system;
      // Permitted text is found, so the search covers the right place.
      assert.ok(programs['svc-booking'].log().includes(reference));
      for (const { name } of Object.values(programs)) assertNone(`the log of ${name}`, programs[name].log());
    });

    test('is in no trace', async () => {
      const services = ['browser', ...Object.keys(system.programs)];
      const all = await until('the traces are there', async () => {
        const texts = services.map(async (service) => {
          const answer = await fetch(`${system.tracesOrigin}/api/traces?service=${service}&limit=1500`);
          return answer.text();
        });
        const text = (await Promise.all(texts)).join('\n');
        const rpcs = ['CreateAppointment', 'CreateMessage', 'CreateAssessment', 'CreateConsultation'];
        return [...rpcs, reference, 'mail.send'].every((word) => text.includes(word)) && text;
      });
      assertNone('the traces', all);
    });

    test('is in no metric, and not on the status page', async () => {
      const metrics = await Promise.all(
        targets(system).map(async ({ operatorsOrigin }) => (await fetch(`${operatorsOrigin}/metrics`)).text()),
      );
      assert.match(metrics.join('\n'), /^bookings_total\{.*outcome="booked".*\} [1-9]/m);
      assertNone('the metrics', metrics.join('\n'));
      const remotes = await (await fetch(`${system.programs.gateway.operatorsOrigin}/remotes`)).text();
      assertNone('what gateways say of page modules', remotes);
      const watch = targets(system).flatMap(({ name, operatorsOrigin }) => [
        '--metrics-url',
        `${name}=${operatorsOrigin}/metrics`,
      ]);
      const free = ['--otlp-grpc-listen', '127.0.0.1:0', '--otlp-http-listen', '127.0.0.1:0'];
      const folder = mkdtempSync(join(tmpdir(), 'hospital-canaries-'));
      const watcher = new Program('ops-traces', { args: [...free, ...watch], logDir: folder });
      try {
        await watcher.start();
        const origin = `http://${watcher.addresses.match(/\bui=(\S+)/)[1]}`;
        const page = await until('every process answers, and some requests were slowest', async () => {
          await system.api('/doctors');
          const html = await (await fetch(`${origin}/site`)).text();
          const answering = html.split('Ready</b>').length - 1;
          return answering === targets(system).length && /href="\/trace\/[0-9a-f]{32}"/.test(html) && html;
        });
        assertNone('/site', page);
        assert.match(page, /<h3>booking<\/h3>.*?<dt>Stable<\/dt><dd>\d+\.\d+\.\d+[^<]*<\/dd>/, 'the version of a team');
        const [, trace] = page.match(/href="(\/trace\/[0-9a-f]{32})"/);
        const answer = () => fetch(`${system.tracesOrigin}/api${trace.replace('trace', 'traces')}`);
        await until('an exemplar leads to its trace', async () => (await answer()).ok);
      } finally {
        await watcher.stop();
        rmSync(folder, { recursive: true, force: true });
      }
    });

    test('is in no response to a dashboard', { skip: NO_PROMETHEUS }, async () => {
      const prometheus = await Prometheus.start(system);
      try {
        const expressions = readDashboards(FOLDER).dashboards.flatMap(expressionsOf);
        await until('every program was scraped twice', async () => {
          return (await prometheus.value('min(sum by (instance) (count_over_time(up{job="site"}[1m])))')) >= 3;
        });
        assert.ok((await prometheus.value('count by (job) ({__name__!="",job="site"})')) > 500);
        assertNone('the series', JSON.stringify(await prometheus.get('series', { 'match[]': '{__name__!=""}' })));
        let answered = 0;
        for (const { where, expression } of expressions) {
          const query = expression.replaceAll('$__rate_interval', '1m').replaceAll('$service', 'svc-booking');
          const answer = await prometheus.get('query', { query });
          assert.equal(answer.status, 'success', `${where}: ${answer.error}`);
          assertNone(where, JSON.stringify(answer));
          const end = Date.now() / 1000 + 60;
          const exemplars = await prometheus.get('query_exemplars', { query, start: end - 3600, end });
          if (exemplars.status === 'success') assertNone(`exemplars of ${where}`, JSON.stringify(exemplars));
          answered += Number(answer.data.result.length > 0);
        }
        assert.ok(
          answered * 4 > expressions.length,
          `only ${answered} of ${expressions.length} expressions have an answer`,
        );
      } finally {
        await prometheus.stop();
      }
    });
  });
}

/** Returns every program that is scraped. */
function targets({ programs }) {
  return Object.values(programs).filter(({ operatorsAddress }) => operatorsAddress);
}

/**
 * Submits each form correctly, with errors, twice, and while its service is down. Returns the values that may and that
 * may not be found.
 */
async function visits(system) {
  const post = async (path, body, headers = {}) => {
    const answer = await system.api(path, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'Idempotency-Key': randomUUID(), ...headers },
    });
    return { status: answer.status, text: await answer.text() };
  };
  const { firstName, lastName, email, phone, message } = WHO;
  const name = `${firstName} ${lastName}`;
  const slot = await freeSlot(system);
  const bodies = {
    '/appointments': payload(WHO, slot),
    '/messages': { name, email, phone, subject: `${message}?`, message },
    '/consultations': { patientName: name, patientEmail: email, phone, description: message, date: slot.date },
    '/assessments': {
      personalInfo: { age: 52, gender: 'female', height: 163.5, weight: WEIGHT },
      diabetesRisk: { familyHistory: 'yes', bloodPressure: 'high', activityLevel: 'low' },
      stressEvaluation: { sleepHours: 5, sleepQuality: 'poor', workStress: 'high' },
      copingStrategies: { strategies: [] },
      consent: true,
    },
  };
  const made = {};
  for (const [path, body] of Object.entries(bodies)) {
    const key = { 'Idempotency-Key': randomUUID() };
    made[path] = await post(path, body, key);
    assert.equal(made[path].status, 201, `${path}: ${made[path].text}`);
    await post(path, body, key);
    const refused = [
      await post(path, { ...body, email: WORD, patientEmail: WORD, personalInfo: { gender: WORD } }),
      await post(path, { ...body, [WORD]: WORD }),
      await post(path, `{"name": "${WORD}`),
      await post(`${path}/${WORD}?${WORD}=${encodeURIComponent(email)}`, body),
      await post(path, { ...bodies['/messages'], ...body, date: WORD, consent: WORD }),
    ];
    for (const { status, text } of refused) assert.ok(status >= 400 && status < 500, `${path}: ${status} ${text}`);
  }
  const { reference, secret, etag } = JSON.parse(made['/appointments'].text);
  // Without script, once all seats of the time are taken. The page shows the form again, with what was typed.
  let again = { status: 200 };
  for (let seat = 1; again.status < 400 && seat < 10; seat += 1)
    again = await bookNatively(system.origin, { ...WHO, message: `${message} ${seat}` }, slot);
  assert.ok(again.page.includes(WORD) && again.status >= 400, `${again.status}`);
  for (const path of [`/search?q=${WORD}`, `/${WORD}`, `/doctors/${WORD}?name=${WORD}`, `/appointment?email=${email}`])
    await (await fetch(system.origin + path, { headers: { 'User-Agent': WORD, Referer: `http://a/${WORD}` } })).text();
  await report(system);

  const { 'svc-booking': booking, 'svc-messaging': messaging } = system.networks;
  booking.break('reset');
  messaging.break('reset');
  for (const path of ['/appointments', '/messages', '/consultations']) {
    const { status, text } = await post(path, bodies[path]);
    assert.ok(status >= 500, `${path}: ${status} ${text}`);
  }
  await bookNatively(system.origin, WHO, slot);
  booking.heal();
  messaging.heal();
  const by = { 'X-Appointment-Secret': secret, 'If-Match': `"${etag}"` };
  await until(
    'the booking is cancelled',
    async () => {
      const { status } = await post(`/appointments/${reference}:cancel`, {}, by);
      return status === 200;
    },
    30_000,
  );
  return { reference, secrets: [secret, JSON.parse(made['/assessments'].text).id] };
}

/** Sends the reports of a page that misplaces personal data. */
async function report(system) {
  const end = BigInt(Date.now()) * 1_000_000n;
  const times = { startUnixNano: `${end - 5_000_000n}`, endUnixNano: `${end}` };
  const ids = { traceId: randomUUID().replaceAll('-', ''), spanId: 'b7ad6b7169203331' };
  const spans = [
    { ...ids, ...times, name: `GET /${WORD}`, attributes: { 'http.route': `/${WORD}`, 'user.email': WHO.email } },
    { ...ids, ...times, name: 'GET /api/doctors', attributes: { [WORD]: WORD, 'error.type': WORD } },
  ];
  const failure = { team: WORD, version: WORD, module: WORD, kind: 'load' };
  for (const body of [
    { spans },
    { spans: [spans[1]] },
    { failures: [failure] },
    { failures: [{ ...failure, kind: WORD }] },
  ]) {
    const answer = await fetch(`${system.origin}/telemetry`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Requested-With': 'test' },
      body: JSON.stringify(body),
    });
    assert.ok(answer.status < 500, `${answer.status} ${await answer.text()}`);
  }
}
