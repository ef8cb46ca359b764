/**
 * Mutual TLS on every connection between processes: from the gateway to each service, and from svc-booking to
 * svc-messaging.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { after, before, describe, test } from 'node:test';
import { freeSlot, person } from '../booking.mjs';
import { certify, makeAuthority } from '../certificates.mjs';
import { book, roomy } from '../faults.mjs';
import { mailTo } from '../mail.mjs';
import { LISTED, System } from '../system.mjs';

const SERVICES = LISTED.map(({ name }) => name);
const REFUSED_MS_MAX = 10_000;

describe('mutual TLS between all processes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hospital-tls-'));
  const file = (name) => join(folder, name);
  let system;
  before(async () => {
    for (const authority of ['servers', 'callers']) makeAuthority(folder, authority);
    certify(folder, 'servers', 'server', 'serverAuth');
    certify(folder, 'callers', 'caller', 'clientAuth');
    const identity = (prefix) => ({
      [`${prefix}_CA`]: file('servers.pem'),
      [`${prefix}_CERTIFICATE`]: file('caller.pem'),
      [`${prefix}_KEY`]: file('caller.key'),
    });
    const server = {
      TLS_CERTIFICATE: file('server.pem'),
      TLS_KEY: file('server.key'),
      TLS_CLIENT_CA: file('callers.pem'),
    };
    const special = Object.fromEntries(SERVICES.map((name) => [name, { env: server }]));
    special['svc-booking'] = { env: { ...server, ...identity('MESSAGING') } };
    special['svc-messaging'] = { env: { ...server, ...identity('CONTENT') } };
    special.gateway = roomy(identity('UPSTREAM'));
    system = await System.start({ special });
  });
  after(async () => {
    await system?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('a booking becomes a mail', async () => {
    const who = person();
    const booked = await book(system, who, await freeSlot(system, {}));
    assert.equal(booked.status, 201, JSON.stringify(booked.body));
    const mail = await mailTo(system, who.email);
    assert.ok(mail.text.includes(booked.body.reference), mail.text);
  });

  test('renders pages with the data of every service', async () => {
    for (const path of ['/', '/doctors', '/appointment', '/blogs', '/contact']) {
      const answer = await fetch(`${system.origin}${path}`);
      assert.equal(answer.status, 200, path);
    }
  });

  for (const name of SERVICES) {
    test(`${name} refuses clients without a certificate`, async () => {
      const { port } = system.programs[name];
      const ca = readFileSync(file('servers.pem'));
      const ended = await new Promise((resolve) => {
        const socket = connect({ host: '127.0.0.1', port, ca, ALPNProtocols: ['h2'] });
        const end = (said) => {
          clearTimeout(timer);
          socket.destroy();
          resolve(said);
        };
        const timer = setTimeout(() => end('nothing'), REFUSED_MS_MAX);
        // With TLS 1.3 a client learns of the rejection only when it reads.
        socket.once('error', ({ code }) => end(code));
        socket.once('data', () => end('an answer'));
        socket.once('end', () => end('the end'));
      });
      assert.equal(ended, 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED');
    });
  }
});
