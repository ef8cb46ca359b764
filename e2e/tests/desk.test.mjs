/**
 * The desk: what staff can read and change with a token, and who is refused. Patients' data is never stored in clear
 * text.
 */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { bookableDoctor, freeSlot, payload, person } from '../booking.mjs';
import { PHONE, launch, visitor } from '../browser.mjs';
import { until } from '../processes.mjs';
import { DATABASES, System, UNLIMITED } from '../system.mjs';

const SCOPES = 'appointments:read appointments:write rosters:read rosters:write patients:export patients:erase';

for (const { database, skip } of DATABASES) {
  describe(`the desk on ${database}`, { skip }, () => {
    let system;
    let browser;
    let doctor;
    let token;
    before(async () => {
      const gateway = [...UNLIMITED];
      [system, browser] = await Promise.all([System.start({ database, gateway, staff: true }), launch()]);
      doctor = await bookableDoctor(system, 1);
      token = system.token(SCOPES);
    });
    after(async () => {
      await browser?.close();
      await system?.stop();
    });

    const call = (...request) => system.call(...request);
    const staff = (method, path, body, headers) =>
      call(method, path, body, { Authorization: `Bearer ${token}`, ...headers });

    async function booked(index, who = person()) {
      const slot = await freeSlot(system, { department: doctor.department, doctor: doctor.id, index });
      const { status, body } = await call('POST', '/appointments', payload(who, slot, doctor.id));
      assert.equal(status, 201, JSON.stringify(body));
      return body;
    }

    test('lists and finds appointments, and changes their status once per version', async () => {
      const who = person();
      const { id, reference, date, secret } = await booked(0, who);
      const day = await staff('GET', `/appointments?date=${date}&department=${doctor.department}`);
      assert.equal(day.status, 200);
      const found = day.body.appointments.find((one) => one.id === id);
      assert.deepEqual(
        [found.patientName, found.email, found.resource, found.uncovered, found.secret],
        [`${who.firstName} ${who.lastName}`, who.email, `doctor:${doctor.id}`, false, ''],
      );
      const byMail = await staff('GET', `/appointments?email=${encodeURIComponent(who.email.toUpperCase())}`);
      assert.deepEqual(
        byMail.body.appointments.map((one) => one.reference),
        [reference],
      );
      const set = (status, etag) =>
        staff('POST', `/appointments/${reference}:setStatus`, { status }, { 'If-Match': `"${etag}"` });
      assert.equal((await set('APPOINTMENT_STATUS_COMPLETED', 1)).body.reason, 'STATUS_NOT_ALLOWED');
      const arrived = await set('APPOINTMENT_STATUS_ARRIVED', 1);
      assert.deepEqual([arrived.status, arrived.body.etag], [200, '2']);
      const late = await set('APPOINTMENT_STATUS_NO_SHOW', 1);
      assert.deepEqual([late.status, late.body.reason], [412, 'ETAG_MISMATCH']);
      assert.equal((await set('APPOINTMENT_STATUS_COMPLETED', 2)).status, 200);
      const own = await call('GET', `/appointments/${reference}`, null, { 'X-Appointment-Secret': secret });
      assert.equal(own.body.status, 'APPOINTMENT_STATUS_COMPLETED');
    });

    test('refuses everyone else', async () => {
      const { id } = await booked(1);
      const foreign = generateKeyPairSync('ed25519').privateKey;
      const tokens = {
        none: [undefined, 401],
        'not a token': ['x', 401],
        'another scope': [system.token('blogs:write'), 403],
        expired: [system.forgedToken({ scope: SCOPES, claims: { exp: Math.floor(Date.now() / 1000) - 60 } }), 401],
        unsigned: [system.forgedToken({ scope: SCOPES, key: null }), 401],
        'unsigned by its own word': [system.forgedToken({ scope: SCOPES, header: { alg: 'none' }, key: null }), 401],
        'signed by a stranger': [system.forgedToken({ scope: SCOPES, key: foreign }), 401],
        'for another audience': [system.forgedToken({ scope: SCOPES, claims: { aud: 'pharmacy' } }), 401],
        'from another issuer': [
          system.forgedToken({ scope: SCOPES, claims: { iss: 'https://elsewhere.example' } }),
          401,
        ],
        'from nobody': [system.forgedToken({ scope: SCOPES, claims: { iss: undefined } }), 401],
        'of another type': [system.forgedToken({ scope: SCOPES, header: { typ: 'logout+jwt' } }), 401],
      };
      const calls = [
        ['GET', '/appointments'],
        ['GET', `/appointments/${id}`],
        ['PUT', `/appointments/${id}`, { patientName: 'Somebody Else' }],
        ['DELETE', `/appointments/${id}`],
        ['POST', `/appointments/${id}:setStatus`, { status: 'APPOINTMENT_STATUS_ARRIVED' }],
        ['GET', '/consultations'],
        ['GET', '/sessions'],
        ['POST', '/leaves', { resource: `doctor:${doctor.id}`, from: '2026-12-01', until: '2026-12-01' }],
        ['GET', '/booking-bursts'],
        ['GET', '/fhir/Appointment'],
        ['POST', '/patients:export', { email: 'kaveri@patients.example' }],
        ['POST', '/patients:erase', { email: 'kaveri@patients.example' }],
      ];
      for (const [name, [bearer, expected]] of Object.entries(tokens)) {
        const headers = bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` };
        for (const [method, path, body] of calls) {
          const answer = await call(method, path, body, { 'If-Match': '"1"', ...headers });
          assert.equal(answer.status, expected, `${name}: ${method} ${path} ${JSON.stringify(answer.body)}`);
        }
      }
      assert.equal((await staff('GET', `/appointments/${id}`)).body.etag, '1', 'nothing was changed');
    });

    test('a leave lists the affected appointments, moves none, and blocks new bookings', async () => {
      const { reference, date, time } = await booked(30);
      const entered = await staff('POST', '/leaves', {
        resource: `doctor:${doctor.id}`,
        from: date,
        until: date,
        reason: 'conference',
      });
      assert.equal(entered.status, 201, JSON.stringify(entered.body));
      assert.deepEqual(
        entered.body.affected.map((one) => [one.reference, one.uncovered]),
        [[reference, true]],
      );
      const body = payload(person(), { department: doctor.department, date, time: '12:00 PM' }, doctor.id);
      const refused = await call('POST', '/appointments', body);
      assert.deepEqual([refused.status, refused.body.fields[0].field], [400, 'date']);
      const still = await staff('GET', `/appointments/${reference}`);
      assert.deepEqual([still.body.time, still.body.status], [time, 'APPOINTMENT_STATUS_BOOKED']);
      const told = await staff('POST', '/appointments:notifyUncovered', { appointments: [reference] });
      assert.deepEqual(told.body.told, [reference]);
      assert.equal((await staff('DELETE', `/leaves/${entered.body.leave.id}`)).status, 204);
      assert.equal((await staff('GET', `/appointments/${reference}`)).body.uncovered, false);
    });

    test('counts and lists the burst of one network, and cancels it except for bookings to keep', async () => {
      const [real, script] = [await booked(40), await booked(41)];
      const { body } = await staff('GET', '/booking-bursts?bookingsMin=2');
      const [burst] = body.bursts;
      assert.match(burst.network, /^[0-9a-f]{16}$/);
      assert.ok(burst.bookings >= 2, JSON.stringify(burst));
      const span = { network: burst.network, fromTime: script.createTime, untilTime: new Date(Date.now() + 1000) };
      const dry = await staff('POST', '/booking-bursts:cancel', { ...span, dryRun: true });
      assert.deepEqual(dry.body.references, [script.reference]);
      const all = { ...span, fromTime: real.createTime, keep: [real.reference] };
      const cancelled = await staff('POST', '/booking-bursts:cancel', all);
      assert.deepEqual(cancelled.body, { references: [script.reference], more: false });
      const statusOf = async ({ id }) => (await staff('GET', `/appointments/${id}`)).body.status;
      assert.equal(await statusOf(script), 'APPOINTMENT_STATUS_CANCELLED');
      assert.equal(await statusOf(real), 'APPOINTMENT_STATUS_BOOKED');
      const metrics = await fetch(`${system.programs['svc-booking'].operatorsOrigin}/metrics`);
      assert.match(await metrics.text(), /^booking_bursts \d+$/m);
    });

    test('offers a cancelled seat to another visitor', async () => {
      const { reference, secret, date, time } = await booked(6);
      const { context, page, problems } = await visitor(browser, { viewport: PHONE });
      const address = `${system.origin}/appointment?${new URLSearchParams({ doctor: doctor.id, date })}`;
      await page.goto(address);
      await page.getByText('Show all times').click();
      const taken = page.getByRole('radio', { name: `${time} Full`, exact: true });
      await taken.waitFor({ state: 'attached' });
      assert.ok(await taken.isDisabled());
      const cancelled = await call(
        'POST',
        `/appointments/${reference}:cancel`,
        {},
        { 'X-Appointment-Secret': secret, 'If-Match': '"1"' },
      );
      assert.equal(cancelled.status, 200);
      const started = Date.now();
      await page.goto(address);
      await page.getByRole('radio', { name: time, exact: true }).waitFor({ state: 'attached' });
      assert.ok(Date.now() - started < 15_000);
      assert.deepEqual(problems, []);
      await context.close();
    });

    test('patient data is in no log, trace, metric or plain-text file, and is erased on demand', async () => {
      const who = person();
      const { reference, secret } = await booked(8, who);
      const key = { 'X-Appointment-Secret': secret, 'If-Match': '"1"' };
      const other = await freeSlot(system, { department: doctor.department, doctor: doctor.id, index: 12 });
      const moved = await call(
        'POST',
        `/appointments/${reference}:move`,
        { date: other.date, time: other.time, doctorId: doctor.id },
        key,
      );
      assert.equal(moved.status, 200, JSON.stringify(moved.body));
      const consultation = await call('POST', '/consultations', {
        patientName: `${who.firstName} ${who.lastName}`,
        patientEmail: who.email,
        phone: who.phone,
        description: who.message,
        date: other.date,
      });
      assert.equal(consultation.status, 201, JSON.stringify(consultation.body));
      for (const [method, path, body] of [
        ['GET', `/appointments?email=${encodeURIComponent(who.email)}`],
        ['POST', '/patients:export', { email: who.email }],
      ])
        assert.equal((await staff(method, path, body)).status, 200, path);
      const open = await staff('POST', '/patients:erase', { phone: who.phone });
      assert.equal(open.body.reason, 'OPEN_APPOINTMENTS');
      const cancel = await staff('POST', `/appointments/${reference}:cancel`, {}, { 'If-Match': '"2"' });
      assert.equal(cancel.status, 200);

      const canaries = { ...who, secret, newSecret: moved.body.secret };
      const searched = async (places) => {
        for (const [place, bytes] of Object.entries(places)) {
          for (const [field, value] of Object.entries(canaries)) {
            assert.ok(!bytes.includes(value), `${field} stands in ${place}`);
          }
        }
      };
      await searched({
        files: system.stored(),
        logs: system.logs(),
        metrics: await allMetrics(),
        traces: await allTraces(),
      });

      const erased = await staff('POST', '/patients:erase', { phone: who.phone });
      assert.equal(erased.status, 200, JSON.stringify(erased.body));
      assert.deepEqual([erased.body.appointments, erased.body.consultations], [1, 1]);
      const left = await staff('GET', `/appointments?email=${encodeURIComponent(who.email)}`);
      assert.deepEqual(left.body.appointments, []);
      const gone = await call('GET', `/appointments/${reference}`, null, { 'X-Appointment-Secret': moved.body.secret });
      assert.equal(gone.status, 404);
    });

    async function allMetrics() {
      const answers = Object.values(system.programs).map(async ({ name, operatorsOrigin }) => {
        const origin = name === 'ops-traces' ? system.tracesOrigin : operatorsOrigin;
        return (await fetch(`${origin}/metrics`)).text();
      });
      return (await Promise.all(answers)).join('\n');
    }

    async function allTraces() {
      const read = async (service) => {
        const answer = await fetch(`${system.tracesOrigin}/api/traces?service=${service}&limit=1500`);
        return answer.text();
      };
      const spans = await until('the traces have arrived', async () => {
        const text = (await Promise.all(['gateway', 'svc-booking', 'browser'].map(read))).join('\n');
        return text.includes('ErasePatient') && text;
      });
      return spans;
    }
  });
}
