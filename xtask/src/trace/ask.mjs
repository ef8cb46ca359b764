// `ask.mjs -- NAME TRACES_URL DAYS`: queries Jaeger's query API (v1) for the traces of a reference, or for a trace, and
// prints them.
import { referencesOf, tree } from './tree.mjs';

/** Service and span attribute that hold references. */
const SERVICE = 'svc-booking';
const ATTRIBUTE = 'hospital.appointment.reference';
const REFERENCE = /^(?:SH|WL)-[0-9A-Z]{4}-[0-9A-Z]{4}$/;
/** Jaeger omits leading zeros. */
const TRACE_ID = /^[0-9a-f]{16,32}$/;

/** Time limit for one response, including connecting. */
const ANSWER_MS_MAX = 10_000;
/** Maximum size of one response: 20 traces of 1,000 spans take about 20 MB. */
const ANSWER_BYTES_MAX = 64 << 20;
const TRACES_MAX = 20;

/** An error that is shown to the user as one line. */
class Told extends Error {}

const [name = '', url = '', days = ''] = process.argv.slice(3);
try {
  process.stdout.write(await answer(name.trim(), base(url), Number(days)));
} catch (error) {
  if (!(error instanceof Told)) throw error;
  process.stderr.write(`error: ${error.message}\n`);
  process.exitCode = 1;
}

async function answer(asked, traces, days) {
  const reference = asked.toUpperCase();
  if (REFERENCE.test(reference)) return ofReference(reference, traces, days);
  const id = asked.toLowerCase();
  if (TRACE_ID.test(id)) return ofTrace(id, traces);
  throw new Told(
    `${JSON.stringify(asked.slice(0, 64))} is neither a reference (SH-XXXX-XXXX or WL-XXXX-XXXX, letters and digits) ` +
      `nor the id of a trace (16 to 32 hex digits)`,
  );
}

async function ofReference(reference, traces, days) {
  const now = Date.now();
  const query = new URLSearchParams({
    service: SERVICE,
    tags: JSON.stringify({ [ATTRIBUTE]: reference }),
    // Microseconds. One minute of margin, because another machine's clock may be slightly ahead.
    start: `${(now - days * 86_400_000) * 1000}`,
    end: `${(now + 60_000) * 1000}`,
    limit: `${TRACES_MAX}`,
  });
  const found = await ask(traces, `/api/traces?${query}`);
  if (!found?.length) {
    throw new Told(
      `no trace of ${SERVICE} has ${ATTRIBUTE}=${reference} in the last ${days} days at ${traces}: ` +
        `nothing made or changed it then, or its traces are no longer kept there`,
    );
  }
  const shown = found.toSorted((one, other) => begins(one) - begins(other)).map((trace) => text(trace, traces));
  const more = found.length >= TRACES_MAX ? [`Only ${TRACES_MAX} traces are shown; ask for fewer --days.\n`] : [];
  return [...more, ...shown].join('\n');
}

async function ofTrace(id, traces) {
  const [trace] = (await ask(traces, `/api/traces/${id}`)) ?? [];
  if (!trace)
    throw new Told(`there is no trace ${id} at ${traces}: it never arrived, was not sampled, or is no longer kept`);
  const references = referencesOf(trace, ATTRIBUTE);
  const named = references.length ? references.join(', ') : 'none: nothing of an appointment was made or changed in it';
  return `${text(trace, traces)}\nreferences: ${named}\n`;
}

function text(trace, traces) {
  const references = referencesOf(trace, ATTRIBUTE);
  const link = `${traces}/trace/${encodeURIComponent(trace.traceID)}`;
  const when = new Date(begins(trace) / 1000).toISOString();
  return [`${when} ${references.join(', ')}`.trim(), link, ...tree(trace), ''].join('\n');
}

/** Returns the start of a trace, in microseconds since 1970. */
function begins({ spans }) {
  return spans.reduce((least, { startTime }) => Math.min(least, startTime), Infinity);
}

/** Returns the traces in a response, or `null` for a 404. */
async function ask(traces, path) {
  let response;
  let body;
  try {
    response = await fetch(traces + path, {
      headers: { Accept: 'application/json' },
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    body = await limited(response);
  } catch (error) {
    if (error instanceof Told) throw error;
    const late = error.name === 'TimeoutError' && `no answer within ${ANSWER_MS_MAX / 1000} s`;
    const cause = error.cause?.code ?? error.cause?.message ?? error.message;
    throw new Told(`${traces} cannot be asked for traces (${late || cause}); name another one with --traces-url`);
  }
  if (response.status === 404) return null;
  if (!response.ok) throw new Told(`${traces} answers ${response.status} to a query of traces`);
  try {
    const { data } = JSON.parse(body);
    if (!data.every((trace) => isTrace(trace))) throw new TypeError('no trace');
    return data;
  } catch {
    throw new Told(`${traces} answers something else than Jaeger's query API (v1); name another one with --traces-url`);
  }
}

function isTrace(trace) {
  return typeof trace?.traceID === 'string' && trace.spans?.length > 0 && typeof (trace.processes ?? 0) === 'object';
}

async function limited(response) {
  const parts = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > ANSWER_BYTES_MAX) throw new Told(`an answer of more than ${ANSWER_BYTES_MAX >> 20} MiB is not read`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function base(text) {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash)
    throw new Told(`--traces-url ${JSON.stringify(text)} is no address: http(s)://HOST:PORT is wanted`);
  return url.href.replace(/\/+$/, '');
}
