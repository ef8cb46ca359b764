// A trace of Jaeger's query API (v1) as lines for a terminal.

/** Lines of one trace; the rest is counted. */
const SPANS_MAX = 300;
const CHARACTERS_MAX = 120;
/** Deeper spans stand under each other. */
const INDENT_MAX = 24;

/** One line for each span, children below their parent in the order in which they began. */
export function tree(trace) {
  const byId = new Map(trace.spans.map((span) => [span.spanID, span]));
  const children = new Map();
  const roots = [];
  for (const span of trace.spans) {
    const parent = parentOf(span);
    // A parent that was not kept or is still to come hides nothing.
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
  // Also those whose parents are each other's.
  const left = trace.spans.length - lines.length;
  return left > 0 ? [...lines, `  and ${left} more spans: see the link`] : lines;
}

/** Values of the attribute on the spans of a trace, and of their events. */
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

/** What became of it, in the words of its protocol. */
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

/** For a stack. */
function latestFirst(spans) {
  return spans.toSorted((one, other) => other.startTime - one.startTime);
}

/** Others' words: nothing that a terminal obeys, and no more than a line. */
function plain(value) {
  return `${value}`.replaceAll(/\p{C}/gu, '�').slice(0, CHARACTERS_MAX);
}
