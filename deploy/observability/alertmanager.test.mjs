/**
 * A real Alertmanager with this folder's configuration: which alerts inhibit which. Nothing is sent; the receivers'
 * addresses have no listener.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { FOLDER, find } from './check.mjs';
import { freePort } from './free-port.mjs';

const READY_MS_MAX = 15_000;
/** Template of Debian's program, which does not start without it. */
const TEMPLATE = '/usr/share/prometheus/alertmanager/email.tmpl';

/** Returns the command line that starts Alertmanager; `undefined` if this machine has none. */
function startLine() {
  const built = find('alertmanager');
  if (built) return [built];
  const program = find('prometheus-alertmanager');
  if (!program || existsSync(TEMPLATE)) return program && [program];
  // Only unpacked: run it with its own /usr/share, an overlay of the package's files on the machine's.
  const own = ['unshare', '--user', '--map-root-user', '--mount'];
  const layers = `lowerdir=${join(dirname(program), '../share')}:/usr/share`;
  const mount = ['sh', '-c', 'mount -t overlay overlay -o "$0" /usr/share && exec "$@"', layers];
  const line = [...own, ...mount];
  const [command, ...rest] = [...line, 'test', '-f', TEMPLATE];
  return spawnSync(command, rest).status === 0 ? [...line, program] : undefined;
}

const LINE = startLine();

async function until(what, ask) {
  const end = Date.now() + READY_MS_MAX;
  for (;;) {
    const answer = await ask().catch(() => undefined);
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`not within ${READY_MS_MAX} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Set on each test, so that each counts as skipped. */
const skip = LINE ? false : 'prometheus-alertmanager is not installed, and what is unpacked may not be mounted';

describe('Alertmanager', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hospital-alertmanager-'));
  let origin;
  let child;
  let ended;

  before(async () => {
    if (skip) return;
    const config = join(folder, 'alertmanager.yml');
    // Port 9 (discard) of loopback: nothing listens there.
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
    const [program, ...before] = LINE;
    child = spawn(program, [...before, ...line, '--cluster.listen-address='], { stdio: 'ignore' });
    ended = new Promise((resolve) => child.once('exit', resolve));
    await until('Alertmanager is ready', async () => (await fetch(`${origin}/-/ready`)).ok);
  });
  after(async () => {
    child?.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });

  /**
   * Sends alerts, each `[name, labels]`, and returns by name whether each is inhibited. Resolves the alerts afterwards.
   */
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

  test('SiteDown inhibits alerts of its parts only', { skip }, async () => {
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

  test('ServiceDown inhibits alerts that follow from it, not those of other services', { skip }, async () => {
    const of = (service, team) => ({ severity: 'page', team, service });
    const seen = await silenced([
      ['ServiceDown', of('svc-booking', 'booking')],
      ['OutboxLate', of('svc-booking', 'booking')],
      ['ServiceFailing', of('svc-content', 'content')],
      ['BreakerOpen', { severity: 'page', team: 'platform', upstream: 'hospital.booking.v1' }],
    ]);
    assert.deepEqual(seen, { ServiceDown: false, OutboxLate: true, ServiceFailing: false, BreakerOpen: true });
  });

  test('counts failed notifications under the name that an alert queries', { skip }, async () => {
    const text = await (await fetch(`${origin}/metrics`)).text();
    assert.match(text, /^alertmanager_notifications_failed_total\{/m);
  });
});
