// Formats a trace of Jaeger's query API (v1) as lines for a terminal.

/** Maximum number of lines per trace; further spans are only counted. */
const SPANS_MAX = 300;
const CHARACTERS_MAX = 120;
/** Maximum indentation level; deeper spans are not indented further. */
const INDENT_MAX = 24;

/** Returns one line per span, children below their parent in the order in which they began. */
export function tree(trace) {
  const byId = new Map(trace.spans.map((span) => [span.spanID, span]));
  const children = new Map();
  const roots = [];
  for (const span of trace.spans) {
    const parent = parentOf(span);
    // A span whose parent was not kept, or has not arrived yet, is shown as a root.
    if (!byId.has(parent) || parent === span.spanID) roots.push(span);
    else if (children.has(parent)) children.get(parent).push(span);
    else children.set(parent, [span]);
  }
  const lines = [];
  const seen = new Set();
  const waiting = latestFirst(roots).map((span) => [span, 0]);
  while (waiting.length && lines.length < SPANS_MAX) {
    const [span, depth] = waiting.pop();
    if (seen.has(span)) continue;
    seen.add(span);
    lines.push(`${'  '.repeat(Math.min(depth, INDENT_MAX) + 1)}${line(span, trace.processes[span.processID])}`);
    waiting.push(...latestFirst(children.get(span.spanID) ?? []).map((child) => [child, depth + 1]));
  }
  // Includes spans that are each other's ancestors, which no root reaches.
  const left = trace.spans.length - lines.length;
  return left > 0 ? [...lines, `  and ${left} more spans: see the link`] : lines;
}

/** Returns the values of an attribute on the spans of a trace and on their events, sorted and without duplicates. */
export function referencesOf(trace, attribute) {
  const fields = trace.spans.flatMap(({ tags, logs }) => [
    ...(tags ?? []),
    ...(logs ?? []).flatMap((log) => log.fields ?? []),
  ]);
  const values = fields.filter(({ key }) => key === attribute).map(({ value }) => plain(value));
  return [...new Set(values)].sort();
}

function line(span, process) {
  const version = valueOf(process?.tags, 'service.version');
  const service = [process?.serviceName ?? 'unknown', version].filter((part) => part !== undefined);
  const ms = (span.duration / 1000).toFixed(1);
  return `${plain(service.join(' '))}: ${plain(span.operationName)}  ${ms} ms  ${status(span.tags)}`.trimEnd();
}

/** Returns the status of a span in terms of its protocol. */
function status(tags) {
  const http = valueOf(tags, 'http.response.status_code');
  const rpc = valueOf(tags, 'rpc.response.status_code');
  const failed = `${valueOf(tags, 'error')}` === 'true' ? 'ERROR' : undefined;
  const codes = [http === undefined ? http : `HTTP ${http}`, rpc === undefined ? rpc : `gRPC ${rpc}`];
  return plain([...codes, failed].filter((part) => part !== undefined).join(' ')) || (failed ?? 'ok');
}

function valueOf(tags, name) {
  return tags?.find(({ key }) => key === name)?.value;
}

function parentOf(span) {
  return (span.references ?? []).find(({ refType }) => refType === 'CHILD_OF')?.spanID;
}

/** Sorts spans latest first: popped from a stack, the earliest comes first. */
function latestFirst(spans) {
  return spans.toSorted((one, other) => other.startTime - one.startTime);
}

/** Sanitises untrusted text: replaces characters that could control the terminal, and limits the length. */
function plain(value) {
  return `${value}`.replaceAll(/\p{C}/gu, '�').slice(0, CHARACTERS_MAX);
}
