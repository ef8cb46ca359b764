/** Forms without script while the site is overloaded: stored bookings are confirmed, and only to their sender. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { REFERENCE, freeSlot, person } from '../booking.mjs';
import { System } from '../system.mjs';

const READERS = 260;
const BOOKINGS = 8;

describe('native posts', () => {
  let system;
  before(async () => {
    system = await System.start({ gateway: ['--trusted-hops', '1', '--address-documents-max', '100000'] });
  });
  after(() => system?.stop());

  function send(who, slot, address) {
    const body = new URLSearchParams({ ...who, doctor: '', ...slot });
    return fetch(`${system.origin}/appointment`, {
      method: 'POST',
      body,
      headers: { 'Sec-Fetch-Site': 'same-origin', 'X-Forwarded-For': address },
      redirect: 'manual',
    });
  }

  test('confirms every stored booking under heavy reads from elsewhere', async () => {
    const slots = [];
    for (let index = 0; index < BOOKINGS; index += 1)
      slots.push(await freeSlot(system, { department: 'Cardiology', index }));
    const readers = Array.from({ length: READERS }, (_, index) =>
      fetch(`${system.origin}/doctors?q=${crypto.randomUUID()}`, {
        headers: { 'X-Forwarded-For': `198.51.100.${index % 250}` },
      }).then((answer) => answer.text()),
    );
    const posts = slots.map((slot, index) => send(person(), slot, `203.0.113.${index + 1}`));
    for (const post of posts) {
      const answer = await post;
      assert.ok(answer.status < 300, `status ${answer.status}`);
      assert.match(await answer.text(), REFERENCE);
    }
    await Promise.all(readers);
  });

  test('the same form sent from elsewhere only gets a confirmation of receipt', async () => {
    const [who, slot] = [person(), await freeSlot(system, { department: 'ENT', index: 3 })];
    const first = await (await send(who, slot, '203.0.113.50')).text();
    const reference = first.match(REFERENCE)[0];
    assert.equal(
      (await (await send(who, slot, '203.0.113.50')).text()).match(REFERENCE)?.[0],
      reference,
      'a second tap',
    );
    const stranger = await send(who, slot, '198.51.100.77');
    const page = await stranger.text();
    assert.match(page, /already have this form/i);
    for (const secret of [reference, slot.time, who.lastName, who.email, slot.department]) {
      assert.ok(!page.includes(secret), `${secret} is said to a stranger`);
    }
  });
});
