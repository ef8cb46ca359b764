/**
 * A poor connection between browser and gateway, as a TCP proxy on loopback. It passes everything on, except for
 * responses to matching requests. Those are lost, delayed, cut in their body, left hanging or replaced, as often as
 * requested.
 */
import { createServer, connect } from 'node:net';

/** Bytes of a response's body passed before a fault. */
const BODY_BYTES = 12;
const PORTAL = '<!doctype html><title>Sign in</title><p>Pay for this network</p>';

/** @typedef {'cut' | 'hang' | 'lose' | 'late' | 'portal'} Fault */

export class WeakLink {
  /** @type {{pattern: RegExp, fault: Fault, left: number}[]} */
  #faults = [];
  #sockets = new Set();
  /** First lines of all requests, including faulty ones. */
  requests = [];

  static async to(origin) {
    const link = new WeakLink();
    const { hostname, port } = new URL(origin);
    link.server = createServer((client) => link.#serve(client, connect(Number(port), hostname)));
    await new Promise((resolve) => link.server.listen(0, '127.0.0.1', resolve));
    link.origin = `http://127.0.0.1:${link.server.address().port}`;
    return link;
  }

  /** Applies the fault to the next `times` responses to requests whose first line matches. */
  break(pattern, fault, times = 1) {
    this.#faults.push({ pattern, fault, left: times });
  }

  heal() {
    this.#faults = [];
  }

  #serve(client, server) {
    let fault = null;
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ]) {
      this.#sockets.add(socket);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
      // Resets are expected here.
      socket.on('error', () => other.destroy());
    }
    client.on('data', (bytes) => {
      const line = /^(?:GET|HEAD|POST|PUT|DELETE) \S+/.exec(bytes.toString('latin1'))?.[0];
      if (line) {
        this.requests.push(line);
        fault = this.#faultOf(line);
      }
      server.write(bytes);
    });
    server.on('data', (bytes) => (fault ? answerBadly(fault, bytes, client) : client.write(bytes)));
  }

  #faultOf(line) {
    const found = this.#faults.find(({ pattern, left }) => left > 0 && pattern.test(line));
    if (!found) return null;
    found.left -= 1;
    return found.fault;
  }

  async stop() {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

function answerBadly(fault, bytes, client) {
  switch (fault) {
    case 'lose':
      return client.destroy();
    case 'late':
      return setTimeout(() => client.writable && client.write(bytes), 3000);
    case 'portal':
      return client.end(
        `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${PORTAL.length}\r\nConnection: close\r\n\r\n${PORTAL}`,
      );
    default: {
      if (client.hasFault) return undefined;
      client.hasFault = true;
      const body = bytes.indexOf('\r\n\r\n') + 4;
      client.write(bytes.subarray(0, body + BODY_BYTES));
      // Enough time for the browser to read the received bytes.
      if (fault === 'cut') setTimeout(() => client.destroy(), 50);
      return undefined;
    }
  }
}
