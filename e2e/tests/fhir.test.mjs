/** The diary for other hospital systems is FHIR R4, by its published definitions. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { bookableDoctor, freeSlot, payload, person } from '../booking.mjs';
import { problemsOf } from '../fhir.mjs';
import { System } from '../system.mjs';

describe('the FHIR diary', () => {
  let system;
  let read;
  const booked = [];
  before(async () => {
    system = await System.start();
    const headers = { Authorization: `Bearer ${system.token('appointments:read')}` };
    read = (path) => system.api(path, { headers });
    const doctor = await bookableDoctor(system);
    const slots = [
      [await freeSlot(system), ''],
      [await freeSlot(system, { index: 1 }), ''],
      [await freeSlot(system, { department: doctor.department, doctor: doctor.id }), doctor.id],
    ];
    for (const [slot, doctorId] of slots) {
      const created = await system.api('/appointments', {
        method: 'POST',
        headers: { 'Idempotency-Key': randomUUID() },
        body: JSON.stringify(payload(person(), slot, doctorId)),
      });
      assert.equal(created.status, 201, await created.clone().text());
      booked.push(await created.json());
    }
    const [{ id, secret, etag }] = booked;
    const cancelled = await system.api(`/appointments/${id}:cancel`, {
      method: 'POST',
      headers: { 'X-Appointment-Secret': secret, 'If-Match': `"${etag}"` },
      body: '{}',
    });
    assert.equal(cancelled.status, 200, await cancelled.text());
  });
  after(() => system?.stop());

  /** Returns a valid search set and the resources in it. */
  async function search(path) {
    const answer = await read(path);
    assert.equal(answer.status, 200, await answer.clone().text());
    assert.match(answer.headers.get('content-type'), /^application\/fhir\+json/);
    const bundle = await answer.json();
    assert.deepEqual(problemsOf(bundle), [], path);
    return { bundle, resources: (bundle.entry ?? []).map(({ resource }) => resource) };
  }

  test('lists every appointment of a day, without its reason', async () => {
    for (const { id, date } of booked) {
      const { bundle, resources } = await search(`/fhir/Appointment?from=${date}&to=${date}`);
      const found = resources.find((resource) => resource.id === id);
      assert.equal(found.status, id === booked[0].id ? 'cancelled' : 'booked');
      assert.ok(found.start.startsWith(date));
      assert.ok(!JSON.stringify(bundle).includes('Knee pain'));
    }
  });

  test('has links to its pages', async () => {
    const dates = booked.map(({ date }) => date).sort();
    let path = `/fhir/Appointment?from=${dates[0]}&to=${dates.at(-1)}&pageSize=1`;
    const seen = [];
    while (path) {
      const { bundle, resources } = await search(path);
      seen.push(...resources.map(({ id }) => id));
      const next = bundle.link.find(({ relation }) => relation === 'next');
      path = next && new URL(next.url).pathname.replace('/api', '') + new URL(next.url).search;
    }
    assert.deepEqual(seen.sort(), booked.map(({ id }) => id).sort());
  });

  test('lists every schedule and its slots', async () => {
    const { resources: schedules } = await search('/fhir/Schedule');
    const { resources: practitioners } = await search('/fhir/Practitioner');
    const known = new Set(practitioners.map(({ id }) => `Practitioner/${id}`));
    assert.ok(schedules.length > known.size, 'clinics too');
    const { date, doctorId } = booked.at(-1);
    const { resources: slots } = await search(`/fhir/Slot?schedule=doctor:${doctorId}&from=${date}&to=${date}`);
    assert.equal(slots.filter(({ status }) => status === 'busy').length, 1);
    const { reference } = slots[0].schedule;
    const schedule = schedules.find(({ id }) => `Schedule/${id}` === reference);
    assert.ok(known.has(schedule.actor[0].reference));
  });

  test('requires a token of staff', async () => {
    for (const kind of ['Appointment', 'Slot?schedule=doctor:doc-01', 'Schedule', 'Practitioner'])
      assert.equal((await system.api(`/fhir/${kind}`)).status, 401, kind);
  });

  test('a wrong resource fails the definitions', async () => {
    const { bundle } = await search(`/fhir/Appointment?from=${booked[2].date}&to=${booked[2].date}`);
    const wrong = {
      'another status': (resource) => (resource.status = 'lost'),
      'no status': (resource) => delete resource.status,
      'no participant': (resource) => delete resource.participant,
      'an unknown field': (resource) => (resource.colour = 'red'),
      'no instant': (resource) => (resource.start = '2026-11-23 09:00'),
      'no end': (resource) => delete resource.end,
      'a person whom nobody names': (resource) => (resource.participant = [{ status: 'accepted', type: [{}] }]),
    };
    for (const [what, spoil] of Object.entries(wrong)) {
      const copy = structuredClone(bundle);
      spoil(copy.entry[0].resource);
      assert.notDeepEqual(problemsOf(copy), [], what);
    }
  });
});
