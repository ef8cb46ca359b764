/** Which metrics and labels an expression of PromQL asks for, and which a page of `/metrics` has. Enough of the grammar for that. */

const KEYWORDS = new Set(['and', 'or', 'unless', 'bool', 'offset', 'start', 'end', 'inf', 'nan']);
const GROUPINGS = new Set(['by', 'without', 'on', 'ignoring', 'group_left', 'group_right']);
const TOKEN =
  /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|#[^\n]*|\[[^\]]*\]|[A-Za-z_:][\w:]*|[0-9][\w.]*|\$\{?\w+(?::\w+)?\}?|=~|!~|!=|\S/g;

/** Labels with their values in one series, such as a fixture of `promtool test rules` names it. */
export function labelsOf(series) {
  const inBraces = /\{(.*)\}/s.exec(series)?.[1] ?? '';
  return new Map([...inBraces.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, value]) => [label, value]));
}

/** Label names of a selector, from the token after its brace on; and the token after it. */
function selector(tokens, start) {
  const labels = [];
  let at = start;
  while (at < tokens.length && tokens[at] !== '}') {
    if (/^(=|=~|!=|!~)$/.test(tokens[at + 1] ?? '')) labels.push(tokens[at]);
    at += 1;
  }
  return { labels, next: at + 1 };
}

/** The token after the parenthesis that closes the one at `start`. */
function afterList(tokens, start) {
  const end = tokens.indexOf(')', start);
  return end < 0 ? tokens.length : end + 1;
}

/** Every selector of an expression: name of the metric and the labels by which it chooses series. */
export function selectors(expression) {
  const tokens = expression.match(TOKEN) ?? [];
  const found = [];
  let at = 0;
  while (at < tokens.length) {
    const token = tokens[at];
    const next = tokens[at + 1];
    if (!/^[A-Za-z_:]/.test(token)) at += 1;
    else if (GROUPINGS.has(token)) at = next === '(' ? afterList(tokens, at + 1) : at + 1;
    else if (next === '(' || KEYWORDS.has(token.toLowerCase()) || isOperatorWithGrouping(next)) at += 1;
    else if (next === '{') {
      const { labels, next: after } = selector(tokens, at + 2);
      found.push({ name: token, labels });
      at = after;
    } else {
      found.push({ name: token, labels: [] });
      at += 1;
    }
  }
  return found;
}

/** `sum by (team) (…)`: what stands before `by` is an aggregation. */
function isOperatorWithGrouping(next) {
  return next === 'by' || next === 'without';
}

/** Metric name to its label names, from text in the format of Prometheus or OpenMetrics. */
export function seriesOf(text) {
  const found = new Map();
  for (const line of text.split('\n')) {
    const series = /^([A-Za-z_:][\w:]*)(?:\{(.*?)\})? \S/.exec(line);
    if (!series) continue;
    const labels = found.get(series[1]) ?? new Set();
    for (const label of labelsOf(`{${series[2] ?? ''}}`).keys()) labels.add(label);
    found.set(series[1], labels);
  }
  return found;
}
