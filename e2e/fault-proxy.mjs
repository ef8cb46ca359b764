/**
 * A broken network between the gateway and a service, as a TCP proxy on loopback. It reads the heads of HTTP/2's frames (RFC 9113,
 * section 4.1) that pass, so that a fault strikes an answer and not the settings of a connection.
 */
import { createServer, connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const PREFACE_BYTES = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'.length;
const FRAME_HEAD_BYTES = 9;
const [DATA, HEADERS] = [0, 1];
/** Bytes of an answer's DATA frame that still come through before the connection is cut: the head of gRPC's message, and one more. */
const CUT_AFTER_BYTES = FRAME_HEAD_BYTES + 6;

/**
 * What can go wrong:
 * - `blackhole`: connections are taken, and nothing ever comes back, nor goes on;
 * - `reset`: every connection is reset;
 * - `latency`: whatever comes back is late by `latencyMs`;
 * - `slow`: what comes back trickles, `SLOW_BYTES` every `SLOW_EVERY_MS`;
 * - `truncate`: the next answer is cut in the middle of its message;
 * - `reset-answer`: the next answer is lost, as its connection is reset when it comes: by then the service has done its work.
 * The last two strike once each time they are asked for.
 * @typedef {'none' | 'blackhole' | 'reset' | 'latency' | 'slow' | 'truncate' | 'reset-answer'} Fault
 */
const ONCE = ['truncate', 'reset-answer'];
const SLOW_BYTES = 64;
const SLOW_EVERY_MS = 500;

export class FaultProxy {
  /** @type {Fault} */
  #fault = 'none';
  #latencyMs = 0;
  #pairs = new Set();
  /** How often a fault that strikes once has struck. */
  struck = 0;

  /** @param {() => string} origin asked for each connection, as a service may come back elsewhere */
  static async to(origin) {
    const proxy = new FaultProxy();
    proxy.server = createServer((near) => proxy.#serve(near, new URL(origin())));
    await new Promise((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    proxy.origin = `http://127.0.0.1:${proxy.server.address().port}`;
    return proxy;
  }

  /** Breaks the network from now on, open connections included. */
  break(fault, { latencyMs = 0 } = {}) {
    this.#fault = fault;
    this.#latencyMs = latencyMs;
    for (const pair of this.#pairs) {
      pair.calls.clear();
      if (fault === 'reset') pair.reset();
    }
  }

  /** New connections are sound. A hole does not give back what it took, so those that fell into it are reset. */
  heal() {
    if (this.#fault === 'blackhole') for (const pair of this.#pairs) pair.reset();
    this.#fault = 'none';
  }

  #serve(near, { hostname, port }) {
    if (this.#fault === 'reset') return near.resetAndDestroy();
    const far = connect(Number(port), hostname);
    const pair = {
      /** Calls that began since the fault was asked for, by the number of their stream. */
      calls: new Set(),
      reset: () => {
        near.resetAndDestroy();
        far.destroy();
      },
    };
    this.#pairs.add(pair);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ]) {
      socket.setNoDelay(true);
      // A reset is what this program is about.
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.#pairs.delete(pair);
        other.destroy();
      });
    }
    const requests = frames(PREFACE_BYTES, ({ type, stream }) => type === HEADERS && pair.calls.add(stream));
    near.on('data', (bytes) => {
      requests(bytes);
      if (this.#fault !== 'blackhole') far.write(bytes);
    });
    this.#passBack(pair, near, far);
    return undefined;
  }

  #passBack(pair, near, far) {
    let answer = null;
    const answers = frames(0, (frame) => {
      const isFirst = this.#fault === 'truncate' ? frame.type === DATA : frame.type === HEADERS;
      if (isFirst && pair.calls.has(frame.stream)) answer ??= frame;
    });
    let passed = 0;
    const write = (bytes) => near.writable && near.write(bytes);
    /** What is late, in order: what comes after it must not overtake it, healed or not. */
    let late = null;
    const writeLate = (bytes, latencyMs) => {
      const due = wait(latencyMs);
      const turn = Promise.all([late, due]).then(() => write(bytes));
      late = turn;
      turn.then(() => {
        if (late === turn) late = null;
      });
    };
    far.on('data', (bytes) => {
      answer = null;
      const fault = this.#fault;
      answers(bytes);
      const before = passed;
      passed += bytes.length;
      if (fault === 'blackhole') return;
      if (fault === 'latency') return void writeLate(bytes, this.#latencyMs);
      if (late) return void writeLate(bytes, 0);
      if (fault === 'slow') return void trickle(bytes, write, far);
      if (!ONCE.includes(fault) || !answer) return void write(bytes);
      this.#fault = 'none';
      this.struck += 1;
      if (fault === 'reset-answer') return pair.reset();
      write(bytes.subarray(0, Math.max(0, answer.at + CUT_AFTER_BYTES - before)));
      // Enough for the gateway to have read what came.
      setTimeout(() => near.destroy(), 20);
    });
  }

  async stop() {
    for (const pair of this.#pairs) pair.reset();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Sends a little at a time, and reads no more until all of it has gone. */
function trickle(bytes, write, far) {
  far.pause();
  let at = 0;
  const timer = setInterval(() => {
    write(bytes.subarray(at, at + SLOW_BYTES));
    at += SLOW_BYTES;
    if (at < bytes.length) return;
    clearInterval(timer);
    far.resume();
  }, SLOW_EVERY_MS);
  far.once('close', () => clearInterval(timer));
}

/** Reads the heads of frames from a stream of bytes, after `skipped` bytes that are none. `at` counts from the stream's begin. */
function frames(skipped, found) {
  let next = skipped;
  let end = 0;
  let head = Buffer.alloc(0);
  return (bytes) => {
    const start = end;
    end += bytes.length;
    while (next + head.length < end) {
      const from = next + head.length - start;
      head = Buffer.concat([head, bytes.subarray(from, next + FRAME_HEAD_BYTES - start)]);
      if (head.length < FRAME_HEAD_BYTES) return;
      found({ type: head[3], flags: head[4], stream: head.readUInt32BE(5) & 0x7fffffff, at: next });
      next += FRAME_HEAD_BYTES + head.readUIntBE(0, 3);
      head = Buffer.alloc(0);
    }
  };
}
