/** Server cost of one document: CPU time of the server process per request, under a bounded load. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

const CONNECTIONS = 32;
const WARM_UP_MS = 2000;
const MEASURED_MS = 5000;
/** Microseconds per tick of /proc/<pid>/stat: a tick is 1/100 s on every Linux that the project runs on. */
const TICK_US = 10_000;

export async function load(url, pid) {
  await run(url, WARM_UP_MS);
  const before = cpuMicroseconds(pid);
  const started = performance.now();
  const { answers, failures } = await run(url, MEASURED_MS);
  const seconds = (performance.now() - started) / 1000;
  return { requestsPerSecond: answers / seconds, cpuUsPerRequest: (cpuMicroseconds(pid) - before) / answers, failures };
}

/** Returns the user and system time of a process so far, in microseconds. */
function cpuMicroseconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

async function run(url, milliseconds) {
  const { hostname, port, pathname } = new URL(url);
  const request = `GET ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAccept-Encoding: br, gzip\r\n\r\n`;
  const end = performance.now() + milliseconds;
  const counts = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => one(hostname, Number(port), request, end)),
  );
  return {
    answers: counts.reduce((sum, count) => sum + count.answers, 0),
    failures: counts.reduce((sum, count) => sum + count.failures, 0),
  };
}

/** Opens one keep-alive connection with one request at a time. The next request follows the complete response. */
function one(host, port, request, end) {
  return new Promise((resolve, reject) => {
    const counts = { answers: 0, failures: 0 };
    const socket = connect({ host, port, noDelay: true });
    let missing = 0;
    let head = '';
    socket.on('connect', () => socket.write(request));
    socket.on('error', reject);
    socket.on('close', () => resolve(counts));
    socket.on('data', (chunk) => {
      if (missing > 0) missing -= chunk.length;
      else {
        head += chunk.toString('latin1');
        const bodyAt = head.indexOf('\r\n\r\n') + 4;
        if (bodyAt < 4) return;
        const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1]);
        if (!Number.isFinite(length)) return socket.destroy(new Error(`no Content-Length in\n${head.slice(0, 400)}`));
        missing = length - (head.length - bodyAt);
        if (!head.startsWith('HTTP/1.1 200')) counts.failures += 1;
        head = '';
      }
      if (missing > 0) return;
      counts.answers += 1;
      if (performance.now() < end) socket.write(request);
      else socket.end();
    });
  });
}
