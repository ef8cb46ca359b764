/** Mails to visitors and to the hospital: through every process, with each process down for a while. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { freeSlot, payload, person } from '../booking.mjs';
import { eventOf, linksOf, mailTo, mailsTo, sentMails } from '../mail.mjs';
import { until } from '../processes.mjs';
import { DATABASES, System, UNLIMITED } from '../system.mjs';

const SCOPES = 'appointments:read appointments:write messages:read messages:write newsletters:write';

for (const { database, skip } of DATABASES) {
  describe(`mail on ${database}`, { skip }, () => {
    let system;
    let token;
    let slotIndex = 0;
    before(async () => {
      const gateway = [...UNLIMITED];
      system = await System.start({ database, gateway });
      token = system.token(SCOPES);
    });
    after(() => system?.stop());

    const call = (...request) => system.call(...request);
    const staff = (method, path, body, headers) =>
      call(method, path, body, { Authorization: `Bearer ${token}`, ...headers });

    async function booked(who) {
      const slot = await freeSlot(system, { department: 'Gynecology', index: (slotIndex += 3) });
      const { status, body } = await call('POST', '/appointments', payload(who, slot));
      assert.equal(status, 201, JSON.stringify(body));
      return { ...body, slot };
    }

    /** Returns a person's message with a unique text. */
    function letter(who, { subject = 'Visiting hours for my mother', ...more } = {}) {
      return {
        name: `${who.firstName} ${who.lastName}`,
        email: who.email,
        phone: who.phone,
        subject,
        message: `Dear team, ${who.message}. May two of us visit her after work, around six? Thank you.`,
        ...more,
      };
    }

    test('mails a booking with a calendar file and a working link; a cancellation removes the event', async () => {
      const who = person();
      const appointment = await booked(who);
      const mail = await mailTo(system, who.email);
      const { reference, date, time } = appointment;
      assert.ok(mail.text.includes(reference) && mail.html.includes(reference));
      assert.ok(mail.text.includes(`${time} IST`), mail.text);
      for (const secret of ['Gynecology', who.lastName]) assert.ok(!mail.subject.includes(secret), mail.subject);
      assert.ok(!mail.text.includes(who.message), 'the reason stays with the hospital');
      assert.ok(!/src="https?:/.test(mail.html), 'nothing is loaded from anywhere');
      // Mails repeat the hospital's details from another team's service.
      const site = await (await system.api('/site')).json();
      const phones = site.phones.filter(({ purpose }) => ['emergency', 'reception'].includes(purpose));
      for (const fact of [site.name, site.address.street, ...phones.map(({ display }) => display)]) {
        assert.ok(mail.text.includes(fact), fact);
      }
      const { method, event } = eventOf(mail);
      assert.equal(method, 'PUBLISH');
      const [clock, half] = time.split(' ');
      const [hour, minute] = clock.split(':').map(Number);
      const local = `${String((hour % 12) + (half === 'PM' ? 12 : 0)).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
      assert.equal(event.startDate.toJSDate().toISOString(), new Date(`${date}T${local}:00+05:30`).toISOString());

      const link = linksOf(system, mail).find((one) => one.includes('/appointment/manage'));
      const [, found, secret] = /#(SH-[^.]+)\.([\w-]{43})/.exec(link) ?? [];
      assert.equal(found, reference, link);
      const own = { 'X-Appointment-Secret': secret };
      const read = await call('GET', `/appointments/${reference}`, undefined, own);
      assert.equal(read.status, 200);
      const cancelled = await call(
        'POST',
        `/appointments/${reference}:cancel`,
        {},
        { ...own, 'If-Match': read.headers.get('etag') },
      );
      assert.equal(cancelled.status, 200, JSON.stringify(cancelled.body));
      const told = await mailTo(system, who.email, (one) => eventOf(one)?.method === 'CANCEL');
      const over = eventOf(told);
      assert.equal(over.event.uid, event.uid);
      assert.ok(over.event.sequence > event.sequence);
      assert.equal((await mailsTo(system, who.email)).length, 2);
    });

    test('takes bookings while messaging is down, and sends one mail for each once it is back', async () => {
      const messaging = system.programs['svc-messaging'];
      await messaging.kill();
      const people = [person(), person(), person()];
      for (const who of people) await booked(who);
      const refused = await call('POST', '/messages', letter(people[0]));
      assert.equal(refused.status, 503, JSON.stringify(refused.body));
      await messaging.start();
      for (const who of people) await mailTo(system, who.email, undefined, 60_000);
      const again = await call('POST', '/messages', letter(people[0]));
      assert.equal(again.status, 201, JSON.stringify(again.body));
      await mailTo(system, people[0].email, (mail) => mail.text.includes(again.body.reference));
      const counts = await Promise.all(people.map(async ({ email }) => (await mailsTo(system, email)).length));
      assert.deepEqual(counts, [2, 1, 1]);
    });

    test('B1: mails a move by staff although the phone number changes before delivery', async () => {
      const who = person();
      const appointment = await booked(who);
      const { id, reference, etag } = appointment;
      await mailTo(system, who.email);
      const messaging = system.programs['svc-messaging'];
      await messaging.kill();
      const { date, time } = await freeSlot(system, { department: 'Gynecology', index: 40 });
      const moved = await staff('POST', `/appointments/${id}:move`, { date, time }, { 'If-Match': `"${etag}"` });
      assert.equal(moved.status, 200, JSON.stringify(moved.body));
      const { etag: next, ...present } = moved.body;
      const fixed = { ...payload(who, present), phone: person().phone };
      const updated = await staff('PUT', `/appointments/${id}`, fixed, { 'If-Match': `"${next}"` });
      assert.equal(updated.status, 200, JSON.stringify(updated.body));
      await messaging.start();
      const announced = await mailTo(system, who.email, ({ subject }) => /moved|new time/i.test(subject), 60_000);
      assert.ok(announced.text.includes(`${time} IST`), announced.text);
      const link = linksOf(system, announced).find((one) => one.includes('/appointment/manage'));
      const [, secret] = new RegExp(`#${reference}\\.([\\w-]{43})`).exec(link) ?? [];
      const read = await call('GET', `/appointments/${reference}`, undefined, { 'X-Appointment-Secret': secret });
      assert.deepEqual([read.status, read.body.date, read.body.time], [200, date, time]);
    });

    test('U7: a mailed code opens an appointment, and every wrong claim gets the same refusal', async () => {
      const who = person();
      const { reference } = await booked(who);
      const claim = { reference, phone: who.phone };
      const unknown = { reference: 'SH-2222-2222', phone: who.phone };
      const answers = [];
      for (const body of [claim, unknown]) answers.push(await call('POST', '/appointments:requestCode', body));
      assert.deepEqual(
        answers.map(({ status, body }) => [status, body]),
        [
          [200, {}],
          [200, {}],
        ],
      );
      const ofCode = /^Code: (\d{6})$/m;
      const mail = await mailTo(system, who.email, ({ text }) => ofCode.test(text));
      const [, code] = ofCode.exec(mail.text);
      assert.ok(!mail.subject.includes(code), mail.subject);
      const wrong = code === '000000' ? '000001' : '000000';
      const refusals = [];
      for (const body of [
        { ...claim, code: wrong },
        { ...claim, phone: '+91 80 2222 2222', code },
        { ...unknown, code },
      ]) {
        const refused = await call('POST', '/appointments:openWithCode', body);
        refusals.push([refused.status, { ...refused.body, traceId: undefined }]);
      }
      assert.equal(refusals[0][1].reason, 'CODE_WRONG', JSON.stringify(refusals[0]));
      for (const refusal of refusals) assert.deepEqual(refusal, refusals[0]);
      const opened = await call('POST', '/appointments:openWithCode', { ...claim, code });
      assert.equal(opened.status, 200, JSON.stringify(opened.body));
      assert.deepEqual([opened.body.reference, opened.body.proof], [reference, 'PROOF_CODE']);
      const own = { 'X-Appointment-Secret': opened.body.secret };
      assert.equal((await call('GET', `/appointments/${reference}`, undefined, own)).status, 200);
      const again = await call('POST', '/appointments:openWithCode', { ...claim, code });
      assert.equal(again.status, refusals[0][0], 'a code is used once');
    });

    test('delivers notices that were queued before messaging was configured', async () => {
      const booking = system.programs['svc-booking'];
      const { MESSAGING_URL, ...without } = booking.env;
      await booking.kill();
      booking.env = without;
      await booking.start();
      await booking.ready();
      const [kept, cancelled] = [person(), person()];
      await booked(kept);
      const { reference, secret, etag } = await booked(cancelled);
      const own = { 'X-Appointment-Secret': secret, 'If-Match': `"${etag}"` };
      const gone = await call('POST', `/appointments/${reference}:cancel`, {}, own);
      assert.equal(gone.status, 200, JSON.stringify(gone.body));
      await booking.kill();
      booking.env = { ...without, MESSAGING_URL };
      await booking.start();
      await mailTo(system, kept.email, undefined, 60_000);
      const told = await mailTo(system, cancelled.email, undefined, 60_000);
      assert.equal(eventOf(told).method, 'CANCEL', 'not the confirmation that was overtaken');
      const counts = await Promise.all(
        [kept, cancelled].map(async ({ email }) => (await mailsTo(system, email)).length),
      );
      assert.deepEqual(counts, [1, 1]);
    });

    test('sends a reminder once although booking was down', { skip: database !== 'postgres' }, async () => {
      const who = person();
      const { id } = await booked(who);
      await mailTo(system, who.email);
      const booking = system.programs['svc-booking'];
      await booking.kill();
      // The reminder becomes due while the service is down.
      const due = `UPDATE outbox_messages SET not_before = now(), due_time = now() WHERE kind = 'appointment.reminder_24h' AND subject = '${id}'`;
      const url = booking.env.DATABASE_URL;
      const said = execFileSync('psql', ['--no-psqlrc', '-d', url, '-c', due], { encoding: 'utf8' });
      assert.match(said, /UPDATE 1/);
      await booking.start();
      const isReminder = (mail) => mail.subject.startsWith('Reminder of your appointment');
      await mailTo(system, who.email, isReminder);
      await booking.kill();
      await booking.start();
      await booking.ready();
      const other = person();
      await booked(other);
      await mailTo(system, other.email);
      const reminders = (await mailsTo(system, who.email)).filter(isReminder);
      assert.equal(reminders.length, 1);
    });

    test('delivers a message to its mailbox, acknowledges it, and lets staff take and close it', async () => {
      const who = person();
      const sent = await call('POST', '/messages', letter(who, { subject: 'Bill of last week and my insurance' }));
      assert.equal(sent.status, 201, JSON.stringify(sent.body));
      const { id, reference } = sent.body;
      const answer = await mailTo(system, who.email);
      assert.ok(answer.text.includes(reference));
      const forwarded = await until('the mailbox has it', async () =>
        (await sentMails(system)).find((mail) => mail.text.includes(who.message)),
      );
      assert.equal(forwarded.replyTo?.value[0].address, who.email);
      const read = await staff('GET', `/messages/${id}`);
      assert.equal(read.status, 200, JSON.stringify(read.body));
      assert.equal(read.body.mailbox, forwarded.to.value[0].address);
      const taken = await staff(
        'POST',
        `/messages/${id}:setStatus`,
        { status: 'MESSAGE_STATUS_TAKEN' },
        { 'If-Match': `"${read.body.etag}"` },
      );
      assert.equal(taken.status, 200, JSON.stringify(taken.body));
      const stale = await staff(
        'POST',
        `/messages/${id}:setStatus`,
        { status: 'MESSAGE_STATUS_DONE' },
        { 'If-Match': `"${read.body.etag}"` },
      );
      assert.equal(stale.status, 412, JSON.stringify(stale.body));
      for (const [path, headers] of [
        [`/messages/${id}`, {}],
        ['/messages', { Authorization: `Bearer ${system.token('appointments:read')}` }],
      ]) {
        const refused = await call('GET', path, undefined, headers);
        assert.ok([401, 403].includes(refused.status), `${path}: ${refused.status}`);
      }
    });

    test('quarantines a message of a robot, and sends nothing until staff release it', async () => {
      const who = person();
      const sent = await call('POST', '/messages', letter(who, { check: { website: 'https://spam.example' } }));
      assert.equal(sent.status, 201, 'answered like any other');
      const { id } = sent.body;
      const read = await staff('GET', `/messages/${id}`);
      assert.equal(read.body.status, 'MESSAGE_STATUS_QUARANTINED');
      const listed = await staff('GET', '/messages?status=quarantined');
      assert.ok(listed.body.messages.some(({ message }) => message.id === id));
      const plain = await staff('GET', '/messages?pageSize=100');
      assert.ok(plain.body.messages.every(({ message }) => message.id !== id));
      assert.deepEqual(await mailsTo(system, who.email), []);
      const released = await staff(
        'POST',
        `/messages/${id}:setStatus`,
        { status: 'MESSAGE_STATUS_NEW' },
        { 'If-Match': `"${read.body.etag}"` },
      );
      assert.equal(released.status, 200, JSON.stringify(released.body));
      await mailTo(system, who.email);
    });

    test('sends the newsletter to confirmed addresses only, and unsubscribes with one click', async () => {
      const [keen, silent] = [person(), person()];
      for (const { email } of [keen, silent, keen]) {
        const asked = await call('POST', '/newsletter:subscribe', { email });
        assert.equal(asked.status, 200, JSON.stringify(asked.body));
        assert.deepEqual(asked.body, {});
      }
      const asked = await mailTo(system, keen.email);
      const confirm = linksOf(system, asked).find((link) => link.includes('/newsletter/confirm'));
      // A link scanner that only sends GET requests confirms nothing.
      assert.equal((await fetch(confirm)).status, 200);
      const issue = async () => {
        const subject = `News of the month ${randomUUID()}`;
        const made = await staff('POST', '/newsletters', { subject, text: 'A first paragraph.\n\nA second one.' });
        assert.equal(made.status, 201, JSON.stringify(made.body));
        return until('the issue is complete', async () => {
          const { body } = await staff('GET', `/newsletters/${made.body.id}`);
          return body.complete && body;
        });
      };
      assert.equal((await issue()).mails, 0);
      const form = {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: system.origin },
      };
      const confirmed = await fetch(confirm, { ...form, body: '' });
      assert.equal(confirmed.status, 200, await confirmed.text());
      const first = await issue();
      assert.equal(first.mails, 1);
      const mail = await mailTo(system, keen.email, ({ subject }) => subject === first.subject);
      const headers = new Map(mail.headerLines.map(({ key, line }) => [key, line]));
      assert.match(headers.get('list-unsubscribe-post'), /List-Unsubscribe=One-Click/);
      const [, leave] = /<(http[^>]+)>/.exec(headers.get('list-unsubscribe').replace(/\s+/g, '')) ?? [];
      // As a mail provider does: no origin, no script, one fixed body (RFC 8058).
      const click = new globalThis.FormData();
      click.set('List-Unsubscribe', 'One-Click');
      const left = await fetch(leave.replace(/^http:\/\/127\.0\.0\.1:8080/, system.origin), {
        method: 'POST',
        body: click,
      });
      assert.equal(left.status, 200, await left.text());
      assert.equal((await issue()).mails, 0);
      assert.ok((await mailsTo(system, silent.email)).length === 1, 'only the question whether it was them');
    });

    test('no log line, metric or stored byte contains personal data', async () => {
      const who = person();
      await booked(who);
      const sent = await call('POST', '/messages', letter(who));
      await mailTo(system, who.email, (mail) => mail.text.includes(sent.body.reference));
      const metrics = await Promise.all(
        ['svc-booking', 'svc-messaging'].map(async (name) =>
          (await fetch(`${system.programs[name].operatorsOrigin}/metrics`)).text(),
        ),
      );
      const places = { logs: system.logs(), metrics: metrics.join('\n'), stored: system.stored().toString('latin1') };
      for (const secret of [who.firstName, who.lastName, who.email, who.message, who.phone.slice(-9)]) {
        for (const [place, text] of Object.entries(places)) assert.ok(!text.includes(secret), `${secret} in ${place}`);
      }
    });
  });
}
