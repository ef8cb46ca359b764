/**
 * MDN's HTTP Observatory scans the site as deployed: over the gateway's own TLS, with a redirect from clear text. The
 * scanner supports only one port for both, so a proxy here dispatches by the first byte.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { certify, makeAuthority } from '../certificates.mjs';
import { roomy } from '../faults.mjs';
import { ROOT } from '../processes.mjs';
import { System } from '../system.mjs';

const SCANNER = join(ROOT, 'target/observatory/node_modules/@mdn/mdn-http-observatory');
const SCORE_MIN = 120;
/** First byte of a TLS handshake (RFC 8446, section 5.1). */
const HANDSHAKE = 22;
const SCAN_MS_MAX = 60_000;

async function listening(server) {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server.address().port;
}

const skip = existsSync(SCANNER) ? false : 'target/observatory has no scanner (cargo xtask test --only observatory)';

describe('the HTTP Observatory', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'hospital-observatory-'));
  const ports = {};
  const sockets = new Set();
  let front;
  let system;

  before(async () => {
    makeAuthority(folder, 'ca');
    certify(folder, 'ca', 'site', 'serverAuth');
    // The preload list would be fetched from the network. This host is on no such list.
    writeFileSync(join(SCANNER, 'conf/hsts-preload.json'), '{}');
    front = createServer((client) => {
      sockets.add(client);
      client.on('error', () => client.destroy());
      client.once('data', (bytes) => {
        const server = connect(bytes[0] === HANDSHAKE ? ports.tls : ports.clear, '127.0.0.1');
        server.on('error', () => client.destroy());
        client.on('close', () => server.destroy());
        server.write(bytes);
        client.pipe(server).pipe(client);
      });
    });
    ports.front = await listening(front);
    const free = createServer();
    ports.clear = await listening(free);
    await new Promise((resolve) => free.close(resolve));
    const env = {
      TLS_CERTIFICATE: join(folder, 'site.pem'),
      TLS_KEY: join(folder, 'site.key'),
      HSTS_SECONDS: '63072000',
      REDIRECT_LISTEN: `127.0.0.1:${ports.clear}`,
      REDIRECT_TO: `https://localhost:${ports.front}`,
    };
    system = await System.start({ special: { gateway: roomy(env) } });
    ports.tls = system.programs.gateway.port;
  });
  after(async () => {
    for (const socket of sockets) socket.destroy();
    front?.close();
    await system?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function json(path) {
    const text = await new Promise((resolve, reject) => {
      const ask = get(`https://localhost:${ports.front}${path}`, { ca: readFileSync(join(folder, 'ca.pem')) });
      ask.on('error', reject).on('response', async (answer) => {
        let body = '';
        for await (const bytes of answer) body += bytes;
        resolve(body);
      });
    });
    return JSON.parse(text);
  }

  async function scan(path) {
    const line = [join(SCANNER, 'src/scan.js'), `localhost:${ports.front}${path}`];
    const env = { PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') };
    const { stdout } = await promisify(execFile)(process.execPath, line, { env, timeout: SCAN_MS_MAX });
    return JSON.parse(stdout);
  }

  const PATHS = ['/', '/appointment', '/contact', '/blogs/{slug}'];
  for (const template of PATHS) {
    test(`gives A+ with at least ${SCORE_MIN} to ${template}`, async (context) => {
      const slug = template.includes('{') ? (await json('/api/blogs')).blogs[0].slug : '';
      const found = await scan(template.replace('{slug}', slug));
      assert.equal(found.scan?.statusCode, 200, JSON.stringify(found));
      const failed = Object.entries(found.tests).filter(([, { pass }]) => !pass);
      context.diagnostic(`${template}: ${found.scan.grade} ${found.scan.score}`);
      assert.deepEqual(failed, []);
      assert.ok(found.scan.score >= SCORE_MIN, JSON.stringify(found, null, 1));
      assert.equal(found.scan.grade, 'A+');
      assert.equal(found.tests['strict-transport-security'].result, 'hsts-implemented-max-age-at-least-six-months');
    });
  }
});
