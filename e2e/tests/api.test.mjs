/**
 * Interfaces that others rely on by name: health, metrics, contract and errors. Also checks that the teams' data are
 * consistent.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { freeSlot, payload, person } from '../booking.mjs';
import { ROOT, until } from '../processes.mjs';
import { System } from '../system.mjs';

describe('the API and its processes', () => {
  let system;
  before(async () => {
    system = await System.start();
  });
  after(() => system?.stop());

  test('serves the contract, which describes the existing operations', async () => {
    const openapi = await (await system.api('/openapi.json')).json();
    assert.match(openapi.openapi, /^3\.1/);
    for (const path of [
      '/departments',
      '/availability',
      '/appointments',
      '/doctors',
      '/site',
      '/assessments',
      '/messages',
    ]) {
      assert.ok(openapi.paths[path] ?? openapi.paths[`/api${path}`], `${path} in ${Object.keys(openapi.paths)}`);
    }
  });

  test('the checked-in client is generated from this contract (cargo xtask gen)', async () => {
    const served = await (await system.api('/openapi.json')).json();
    assert.deepEqual(JSON.parse(readFileSync(join(ROOT, 'web-kit/api/openapi.json'), 'utf8')), served);
  });

  test('every bookable doctor has a profile', async () => {
    const { departments } = await (await system.api('/departments')).json();
    // The file, not the API's list: one doctor is bookable and has a profile, but is not listed.
    const records = readFileSync(join(ROOT, 'svc-content/content/doctors.toml'), 'utf8');
    const profiles = new Set([...records.matchAll(/^id = "(.+)"$/gm)].map(([, id]) => id));
    const bookable = departments.flatMap(({ doctorIds }) => doctorIds);
    assert.ok(bookable.length > 0);
    assert.deepEqual(
      bookable.filter((id) => !profiles.has(id)),
      [],
    );
    assert.equal(departments.length, 12);
  });

  // U2, S6: a booking names the doctor of the profile that led to it, at the profile's fee.
  test('doctors of departments have the names and fees of their profiles', async () => {
    const { departments } = await (await system.api('/departments')).json();
    const records = readFileSync(join(ROOT, 'svc-content/content/doctors.toml'), 'utf8').split('[[doctor]]').slice(1);
    const profiles = new Map(
      records.map((record) => {
        const value = (name) => new RegExp(`^${name} = "?(.+?)"?$`, 'm').exec(record)?.[1];
        return [value('id'), { name: value('name'), feeRupees: Number(value('consultation_fee_rupees')) }];
      }),
    );
    const doctors = departments.flatMap(({ attendants }) => attendants).filter(({ doctorId }) => doctorId);
    assert.equal(new Set(doctors.map(({ doctorId }) => doctorId)).size, 15, 'one of the 16 takes no bookings');
    for (const { doctorId, name, feeRupees } of doctors)
      assert.deepEqual({ name, feeRupees }, profiles.get(doctorId), doctorId);
  });

  // U2: every bookable department has at least one attendant.
  test('every bookable department lists its attendants with place, fee and hours', async () => {
    const { departments } = await (await system.api('/departments')).json();
    for (const { id, bookable, attendants } of departments) {
      assert.equal(attendants.length > 0, bookable, id);
      for (const { name, feeRupees, place, sittings } of attendants) {
        assert.ok(name && place && sittings.length, `${id}: ${name}`);
        assert.ok(feeRupees >= 400 && feeRupees <= 1200, `${id}: ${feeRupees}`);
      }
    }
  });

  test('calendar files name the hospital as the site does', async () => {
    const site = await (await system.api('/site')).json();
    const slot = await freeSlot(system, { index: 9 });
    const answer = await system.api('/appointments', {
      method: 'POST',
      headers: { 'Idempotency-Key': crypto.randomUUID() },
      body: JSON.stringify(payload(person(), slot)),
    });
    const { calendar } = await answer.json();
    const unfolded = calendar.replaceAll('\r\n ', '').replaceAll('\\,', ',');
    assert.ok(unfolded.includes(site.name), site.name);
    for (const line of Object.values(site.address ?? {}).flat())
      if (typeof line === 'string' && /\d/.test(line)) assert.ok(unfolded.includes(line), `${line} in ${unfolded}`);
  });

  test('reports all violations at once, by field', async () => {
    const body = JSON.stringify({
      ...payload(person(), { department: 'ENT', date: '2020-01-01', time: '9:07 AM' }),
      email: 'x',
      phone: '',
    });
    const answer = await system.api('/appointments', {
      method: 'POST',
      body,
      headers: { 'Idempotency-Key': `e2e-${crypto.randomUUID()}` },
    });
    assert.equal(answer.status, 400);
    assert.match(answer.headers.get('content-type'), /^application\/problem\+json/);
    const problem = await answer.json();
    const fields = problem.fields.map(({ field }) => field);
    for (const field of ['email', 'phone', 'date', 'time']) assert.ok(fields.includes(field), `${field} in ${fields}`);
    assert.match(problem.traceId, /^[0-9a-f]{32}$/);
  });

  test('refuses a write from another site or without the header', async () => {
    const body = JSON.stringify(payload(person(), await freeSlot(system)));
    const send = (headers) =>
      fetch(`${system.origin}/api/appointments`, {
        method: 'POST',
        body,
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': `e2e-${crypto.randomUUID()}`, ...headers },
      });
    assert.equal((await send({})).status, 403);
    assert.equal(
      (await send({ 'X-Requested-With': 'XMLHttpRequest', Origin: 'https://elsewhere.example' })).status,
      403,
    );
    const native = await fetch(`${system.origin}/appointment`, {
      method: 'POST',
      body: 'firstName=A',
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        Origin: 'https://elsewhere.example',
        'Sec-Fetch-Site': 'cross-site',
      },
    });
    assert.equal(native.status, 403);
  });

  test('answers the eleventh call of a visitor within a minute with 429', async () => {
    const headers = { 'X-Client-Id': crypto.randomUUID() };
    const statuses = [];
    for (let call = 0; call < 10; call += 1) statuses.push((await system.api('/departments', { headers })).status);
    assert.deepEqual(new Set(statuses), new Set([200]));
    const refused = await system.api('/departments', { headers });
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.equal((await refused.json()).detail, 'Rate limit exceeded. Please try again later.');
    assert.equal((await system.api('/departments')).status, 200, 'another visitor is not concerned');
  });

  test('stores an assessment and a message', async () => {
    const assessment = {
      personalInfo: { age: 40, gender: 'female', height: 165, weight: 60 },
      diabetesRisk: { familyHistory: 'no', bloodPressure: 'normal', activityLevel: 'moderate' },
      stressEvaluation: { sleepHours: 7, sleepQuality: 'good', workStress: 'low' },
      copingStrategies: { strategies: ['Regular exercise'] },
      consent: true,
    };
    const message = {
      name: 'Kaveri Test',
      email: 'kaveri@patients.example',
      phone: '+91 80 0000 0000',
      subject: 'Visiting hours',
      message: 'When may I visit?',
    };
    for (const [path, body] of [
      ['/assessments', assessment],
      ['/messages', message],
    ]) {
      const headers = { 'Idempotency-Key': `e2e-${crypto.randomUUID()}` };
      const answer = await system.api(path, { method: 'POST', headers, body: JSON.stringify(body) });
      assert.equal(answer.status, 201, await answer.clone().text());
      const { id } = await answer.json();
      assert.equal(answer.headers.get('location'), `/api${path}/${id}`);
    }
  });

  test('answers a cached read with 304 to its own ETag', async () => {
    const first = await system.api('/doctors');
    const etag = first.headers.get('etag');
    assert.match(etag, /^(W\/)?"/);
    const again = await system.api('/doctors', { headers: { 'If-None-Match': etag } });
    assert.equal(again.status, 304);
    const page = await fetch(`${system.origin}/doctors`);
    const pageAgain = await fetch(`${system.origin}/doctors`, {
      headers: { 'If-None-Match': page.headers.get('etag') },
    });
    assert.equal(pageAgain.status, 304);
  });

  test('an acknowledged booking survives a kill of its service', async () => {
    const [slot, who] = [await freeSlot(system, { department: 'Urology' }), person()];
    const headers = { 'Idempotency-Key': `e2e-${crypto.randomUUID()}` };
    const book = () =>
      system.api('/appointments', { method: 'POST', headers, body: JSON.stringify(payload(who, slot)) });
    const before = await (await book()).json();
    await system.programs['svc-booking'].kill();
    await system.programs['svc-booking'].start();
    const after = await until('the booking is repeated', async () => {
      const answer = await book();
      return answer.status === 201 && answer.json();
    });
    assert.equal(after.reference, before.reference);
    await system.programs['svc-booking'].ready();
  });

  test('every process is healthy and ready, and has counted the calls above', async () => {
    for (const program of Object.values(system.programs).filter(({ name }) => name !== 'ops-traces')) {
      for (const path of ['/healthz', '/readyz', '/metrics']) {
        const answer = await fetch(program.operatorsOrigin + path);
        assert.equal(answer.status, 200, `${program.name} ${path}`);
      }
      const metrics = await (await fetch(`${program.operatorsOrigin}/metrics`)).text();
      assert.match(metrics, /^# TYPE .+ histogram$/m, program.name);
    }
  });
});
