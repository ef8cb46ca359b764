/**
 * Proxy between a gateway and a service that records each unary call: method, metadata, bytes of both messages, status.
 */
import http2 from 'node:http2';

/**
 * Metadata that belongs to a call: secrets of resources. The rest (deadlines, traces, networks) depends on the
 * connection.
 */
const KEPT = /^x-[\w-]+-secret$/;
/** Length of a gRPC message prefix: one byte for the compression flag, four for the length. */
const PREFIX_BYTES = 5;
const STREAMING = /\/Watch\w+$/;

export class Recorder {
  calls = [];

  static async to(origin) {
    const recorder = new Recorder();
    recorder.server = http2.createServer();
    recorder.server.on('stream', (stream, headers) => recorder.#pass(origin, stream, headers));
    await new Promise((done) => recorder.server.listen(0, '127.0.0.1', done));
    recorder.upstream = http2.connect(origin);
    recorder.upstream.on('error', () => {}); // the calls report the error
    return recorder;
  }

  get origin() {
    return `http://127.0.0.1:${this.server.address().port}`;
  }

  #pass(origin, stream, received) {
    // Removed, so that responses are uncompressed.
    const { 'grpc-accept-encoding': _coding, ...headers } = received;
    const at = new Date().toISOString();
    const onward = this.upstream.request({ ...headers, ':authority': new URL(origin).host });
    const [asked, answered] = [[], []];
    let trailers = {};
    stream.on('data', (bytes) => {
      asked.push(bytes);
      onward.write(bytes);
    });
    stream.on('end', () => onward.end());
    stream.on('close', () => onward.close());
    stream.on('error', () => onward.close());
    onward.on('response', (answer) => {
      const sent = Object.entries(answer).filter(([name]) => !name.startsWith(':'));
      // A trailers-only response: a refusal without a message.
      if ('grpc-status' in answer) trailers = answer;
      stream.respond(
        { ':status': answer[':status'], ...Object.fromEntries(sent) },
        { endStream: trailers === answer, waitForTrailers: trailers !== answer },
      );
    });
    onward.on('data', (bytes) => {
      answered.push(bytes);
      stream.write(bytes);
    });
    onward.on('trailers', (found) => (trailers = found));
    stream.on('wantTrailers', () => stream.sendTrailers({ ...trailers }));
    onward.on('end', () => {
      if (stream.destroyed) return;
      stream.end();
      this.#note(headers, at, asked, answered, trailers);
    });
    onward.on('error', () => stream.destroy());
  }

  #note(headers, at, asked, answered, trailers) {
    const method = headers[':path'];
    if (STREAMING.test(method) || method.startsWith('/grpc.')) return;
    const metadata = Object.fromEntries(Object.entries(headers).filter(([name]) => KEPT.test(name)));
    const status = Number(trailers['grpc-status']);
    const refusal = status === 0 ? {} : { details: trailers['grpc-status-details-bin'] ?? '' };
    this.calls.push({ method, at, metadata, request: message(asked), status, ...refusal, answer: message(answered) });
  }

  stop() {
    this.upstream.destroy();
    this.server.close();
  }
}

/** Returns the single message of a body as base64. */
function message(chunks) {
  const bytes = Buffer.concat(chunks);
  if (bytes.length === 0) return '';
  if (bytes[0] !== 0) throw new Error('unexpected compressed message');
  if (bytes.readUInt32BE(1) !== bytes.length - PREFIX_BYTES) throw new Error('not exactly one message');
  return bytes.subarray(PREFIX_BYTES).toString('base64');
}
