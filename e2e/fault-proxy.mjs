/**
 * A broken network between the gateway and a service, as a TCP proxy on loopback. The proxy parses the HTTP/2 frame
 * headers that pass (RFC 9113, section 4.1), so that a fault hits a response and not the connection's settings.
 */
import { createServer, connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const PREFACE_BYTES = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'.length;
const FRAME_HEAD_BYTES = 9;
const [DATA, HEADERS] = [0, 1];
/** Bytes of a response's DATA frame passed before the cut: the gRPC message header and one more byte. */
const CUT_AFTER_BYTES = FRAME_HEAD_BYTES + 6;

/**
 * Kinds of faults:
 * - `blackhole`: connections are accepted, but nothing passes in either direction;
 * - `reset`: every connection is reset;
 * - `latency`: every response is delayed by `latencyMs`, but no ping: the service is slow, not the network;
 * - `slow`: responses trickle, `SLOW_BYTES` every `SLOW_EVERY_MS`;
 * - `truncate`: the next response is cut in the middle of its message;
 * - `reset-answer`: the connection is reset when the next response arrives, after the service has done its work.
 * The last two apply once per `break`.
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
  /** Number of times that a one-time fault has applied. */
  struck = 0;

  /**
   * @param {() => string} origin called for each connection, as a service may return at another address
   */
  static async to(origin) {
    const proxy = new FaultProxy();
    proxy.server = createServer((near) => proxy.#serve(near, new URL(origin())));
    await new Promise((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    proxy.origin = `http://127.0.0.1:${proxy.server.address().port}`;
    return proxy;
  }

  /** Applies a fault from now on, to open connections too. */
  break(fault, { latencyMs = 0 } = {}) {
    this.#fault = fault;
    this.#latencyMs = latencyMs;
    for (const pair of this.#pairs) {
      pair.calls.clear();
      if (fault === 'reset') pair.reset();
    }
  }

  /** Ends the fault. Connections from a blackhole are reset, because the bytes that it dropped are lost. */
  heal() {
    if (this.#fault === 'blackhole') for (const pair of this.#pairs) pair.reset();
    this.#fault = 'none';
  }

  #serve(near, { hostname, port }) {
    if (this.#fault === 'reset') return near.resetAndDestroy();
    const far = connect(Number(port), hostname);
    const pair = {
      /** Stream ids of the calls that started after the fault was set. */
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
      // Resets are expected here.
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
    let isOfCall = false;
    const answers = frames(0, (frame) => {
      isOfCall ||= frame.stream !== 0;
      const isFirst = this.#fault === 'truncate' ? frame.type === DATA : frame.type === HEADERS;
      if (isFirst && pair.calls.has(frame.stream)) answer ??= frame;
    });
    let passed = 0;
    const write = (bytes) => near.writable && near.write(bytes);
    /** Pending delayed writes. Later bytes must not overtake them, even after `heal`. */
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
      isOfCall = false;
      const fault = this.#fault;
      const isWhole = answers(bytes);
      const before = passed;
      passed += bytes.length;
      if (fault === 'blackhole') return;
      if (fault === 'latency' && isWhole && !isOfCall) return void write(bytes);
      if (fault === 'latency') return void writeLate(bytes, this.#latencyMs);
      if (late) return void writeLate(bytes, 0);
      if (fault === 'slow') return void trickle(bytes, write, far);
      if (!ONCE.includes(fault) || !answer) return void write(bytes);
      this.#fault = 'none';
      this.struck += 1;
      if (fault === 'reset-answer') return pair.reset();
      write(bytes.subarray(0, Math.max(0, answer.at + CUT_AFTER_BYTES - before)));
      // Enough time for the gateway to read the received bytes.
      setTimeout(() => near.destroy(), 20);
    });
  }

  async stop() {
    for (const pair of this.#pairs) pair.reset();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Writes the bytes in small portions and reads no more until all are sent. */
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

/**
 * Returns a parser of frame headers in a byte stream. `skipped` is the length of the preface. `at` is the offset from
 * the start of the stream. The parser returns whether the bytes are whole frames.
 */
function frames(skipped, found) {
  let next = skipped;
  let end = 0;
  let head = Buffer.alloc(0);
  return (bytes) => {
    const start = end;
    const begins = next === start && head.length === 0;
    end += bytes.length;
    while (next + head.length < end) {
      const from = next + head.length - start;
      head = Buffer.concat([head, bytes.subarray(from, next + FRAME_HEAD_BYTES - start)]);
      if (head.length < FRAME_HEAD_BYTES) return false;
      found({ type: head[3], flags: head[4], stream: head.readUInt32BE(5) & 0x7fffffff, at: next });
      next += FRAME_HEAD_BYTES + head.readUIntBE(0, 3);
      head = Buffer.alloc(0);
    }
    return begins && next === end;
  };
}
