/** A real Prometheus that monitors the programs of a test, and a receiver of its alerts. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { find, FOLDER } from '../deploy/observability/check.mjs';
import { freePort } from '../deploy/observability/free-port.mjs';
import { until } from './processes.mjs';

const PROGRAM = find('prometheus');
/** Reason to skip a test that needs Prometheus, or false. */
export const NO_PROMETHEUS = PROGRAM ? false : 'no Prometheus here (cargo xtask test --only observability)';

/** Receives alerts as an Alertmanager does. */
class Alerts {
  names = new Set();

  static async listen() {
    const self = new Alerts();
    self.server = createServer((request, response) => {
      const parts = [];
      request.on('data', (part) => parts.push(part));
      request.on('end', () => {
        for (const { labels } of JSON.parse(Buffer.concat(parts))) self.names.add(labels.alertname);
        response.end();
      });
    });
    await new Promise((resolve) => self.server.listen(0, '127.0.0.1', resolve));
    self.port = self.server.address().port;
    return self;
  }

  async stop() {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/**
 * Starts on a free port with the rules and the configuration of `deploy/observability`. Only the targets differ, and
 * the intervals are one second instead of fifteen. Call `stop()` in any case.
 */
export class Prometheus {
  static async start(system) {
    const folder = mkdtempSync(join(tmpdir(), 'hospital-prometheus-'));
    cpSync(join(FOLDER, 'prometheus'), folder, { recursive: true });
    const port = await freePort();
    const received = await Alerts.listen();
    const replace = (name, change) => {
      const file = join(folder, name);
      writeFileSync(file, change(readFileSync(file, 'utf8')));
    };
    const everySecond = (text) => text.replaceAll(/((?:_interval|_timeout| interval)): \d+[sm]$/gm, '$1: 1s');
    replace('rules/recording.yml', everySecond);
    replace('prometheus.yml', (text) =>
      everySecond(text)
        .replace('localhost:9090', `127.0.0.1:${port}`)
        .replace('targets: [alertmanager:9093]', `targets: ['127.0.0.1:${received.port}']`),
    );
    const targets = Object.values(system.programs)
      .filter(({ operatorsAddress }) => operatorsAddress)
      .map(({ name, operatorsAddress }) => {
        const team = name === 'gateway' ? 'platform' : name.replace('svc-', '');
        return { targets: [operatorsAddress], labels: { service: name, team } };
      });
    // JSON is YAML.
    writeFileSync(join(folder, 'targets/site.yml'), JSON.stringify(targets));
    const self = new Prometheus(folder, port, received);
    await until('Prometheus is ready', async () => (await fetch(`${self.origin}/-/ready`)).ok, 30_000);
    return self;
  }

  constructor(folder, port, received) {
    this.received = received;
    this.folder = folder;
    this.origin = `http://127.0.0.1:${port}`;
    const line = [`--config.file=${join(folder, 'prometheus.yml')}`, `--storage.tsdb.path=${join(folder, 'data')}`];
    const flags = [`--web.listen-address=127.0.0.1:${port}`, '--enable-feature=exemplar-storage', '--log.level=error'];
    this.child = spawn(PROGRAM, [...line, ...flags], { stdio: ['ignore', 'ignore', 'inherit'] });
    this.ended = new Promise((resolve) => this.child.once('exit', resolve));
  }

  /** Returns a response of the HTTP API, such as `get('query', { query: 'up' })`. */
  async get(what, parameters = {}) {
    return (await fetch(`${this.origin}/api/v1/${what}?${new URLSearchParams(parameters)}`)).json();
  }

  /** Returns the value of an expression with one series; `undefined` without a series. */
  async value(expression) {
    const { data, error } = await this.get('query', { query: expression });
    assert.ok(data, error);
    const sample = data.result[0]?.value[1];
    return sample === undefined ? undefined : Number(sample);
  }

  async stop() {
    this.child.kill('SIGTERM');
    await this.ended;
    await this.received.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
