/** A real Alertmanager with the folder's configuration: what is silenced by what. Nothing is sent; addresses of receivers answer nobody. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { FOLDER, find } from './check.mjs';

const READY_MS_MAX = 15_000;
/** Debian's program reads its template from here and does not start without: the package must be installed, not only unpacked. */
const TEMPLATE = '/usr/share/prometheus/alertmanager/email.tmpl';
const PROGRAM = find('alertmanager') ?? (existsSync(TEMPLATE) ? find('prometheus-alertmanager') : undefined);

async function until(what, ask) {
  const end = Date.now() + READY_MS_MAX;
  for (;;) {
    const answer = await ask().catch(() => undefined);
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`not within ${READY_MS_MAX} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Of each test, so that each is counted. */
const skip = PROGRAM ? false : 'prometheus-alertmanager is not installed';

describe('Alertmanager', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hospital-alertmanager-'));
  let origin;
  let child;
  let ended;

  before(async () => {
    if (skip) return;
    const config = join(folder, 'alertmanager.yml');
    // Port 9 (discard) of loopback: nobody answers there.
    const text = readFileSync(join(FOLDER, 'alertmanager/alertmanager.yml'), 'utf8');
    writeFileSync(
      config,
      text
        .replaceAll(/https:\/\/[\w-]+\.example\.org/g, 'http://127.0.0.1:9')
        .replace('mail.example.org:587', '127.0.0.1:9'),
    );
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    const line = [
      `--config.file=${config}`,
      `--storage.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ];
    child = spawn(PROGRAM, [...line, '--cluster.listen-address='], { stdio: 'ignore' });
    ended = new Promise((resolve) => child.once('exit', resolve));
    await until('Alertmanager is ready', async () => (await fetch(`${origin}/-/ready`)).ok);
  });
  after(async () => {
    child?.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });

  /** Sends alerts, each `[name, labels]`, and says by name whether it is silenced; ends them again. */
  async function silenced(alerts) {
    const send = (times) =>
      fetch(`${origin}/api/v2/alerts`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(alerts.map(([alertname, labels]) => ({ labels: { alertname, ...labels }, ...times }))),
      });
    assert.equal((await send({})).status, 200);
    const shown = await until('all are there and looked at', async () => {
      const found = await (await fetch(`${origin}/api/v2/alerts`)).json();
      const active = found.filter(({ status }) => status.state !== 'unprocessed');
      return active.length === alerts.length && active;
    });
    const result = Object.fromEntries(
      shown.map(({ labels, status }) => [labels.alertname, status.inhibitedBy.length > 0]),
    );
    await send({ endsAt: new Date(Date.now() - 1000).toISOString() });
    await until('they are over', async () => (await (await fetch(`${origin}/api/v2/alerts`)).json()).length === 0);
    return result;
  }

  test('the site down silences its parts, and not what is apart from it', { skip }, async () => {
    const page = { severity: 'page', team: 'platform' };
    const seen = await silenced([
      ['SiteDown', page],
      ['PageDown', { ...page, instance: 'https://www.example.org/' }],
      ['ServiceDown', { ...page, service: 'gateway' }],
      ['BookingBudgetBurnsFast', { severity: 'page', team: 'booking', slo: 'booking' }],
      ['OutboxStuck', { severity: 'page', team: 'booking', service: 'svc-booking' }],
    ]);
    assert.deepEqual(seen, {
      SiteDown: false,
      PageDown: true,
      ServiceDown: true,
      BookingBudgetBurnsFast: true,
      OutboxStuck: false,
    });
  });

  test('a service down silences what follows for itself, not for others', { skip }, async () => {
    const of = (service, team) => ({ severity: 'page', team, service });
    const seen = await silenced([
      ['ServiceDown', of('svc-booking', 'booking')],
      ['OutboxLate', of('svc-booking', 'booking')],
      ['ServiceFailing', of('svc-content', 'content')],
      ['BreakerOpen', { severity: 'page', team: 'platform', upstream: 'hospital.booking.v1' }],
    ]);
    assert.deepEqual(seen, { ServiceDown: false, OutboxLate: true, ServiceFailing: false, BreakerOpen: true });
  });

  test('counts what it could not send, by the name that an alert asks for', { skip }, async () => {
    const text = await (await fetch(`${origin}/metrics`)).text();
    assert.match(text, /^alertmanager_notifications_failed_total\{/m);
  });
});
