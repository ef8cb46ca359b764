/** Metrics and labels in a PromQL expression and in a page of `/metrics`. Covers only the grammar that this needs. */

const KEYWORDS = new Set(['and', 'or', 'unless', 'bool', 'offset', 'start', 'end', 'inf', 'nan']);
const GROUPINGS = new Set(['by', 'without', 'on', 'ignoring', 'group_left', 'group_right']);
const TOKEN =
  /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|#[^\n]*|\[[^\]]*\]|[A-Za-z_:][\w:]*|[0-9][\w.]*|\$\{?\w+(?::\w+)?\}?|=~|!~|!=|\S/g;

/** Returns a series' labels with their values; the series is written as in a fixture of `promtool test rules`. */
export function labelsOf(series) {
  const inBraces = /\{(.*)\}/s.exec(series)?.[1] ?? '';
  return new Map([...inBraces.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, value]) => [label, value]));
}

/** Returns the matchers of a selector, starting after its brace, and the index of the token after it. */
function selector(tokens, start) {
  const matchers = [];
  let at = start;
  while (at < tokens.length && tokens[at] !== '}') {
    const operator = tokens[at + 1] ?? '';
    if (/^(=|=~|!=|!~)$/.test(operator)) {
      const value = (tokens[at + 2] ?? '').slice(1, -1).replaceAll('\\\\', '\\');
      matchers.push({ label: tokens[at], operator, value });
    }
    at += 1;
  }
  return { matchers, next: at + 1 };
}

/** Returns the index of the token after the list that opens at `start`. */
function afterList(tokens, start) {
  const end = tokens.indexOf(')', start);
  return end < 0 ? tokens.length : end + 1;
}

/** Returns every selector of an expression: the metric's name and its matchers. */
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
      const { matchers, next: after } = selector(tokens, at + 2);
      found.push({ name: token, matchers });
      at = after;
    } else {
      found.push({ name: token, matchers: [] });
      at += 1;
    }
  }
  return found;
}

/** In `sum by (team) (…)` the token before `by` is an aggregation. */
function isOperatorWithGrouping(next) {
  return next === 'by' || next === 'without';
}

/** Returns whether a matcher selects one of these values. PromQL's regular expressions are anchored. */
export function selects({ operator, value }, values) {
  const isRegex = operator.endsWith('~');
  const matches = (one) => (isRegex ? new RegExp(`^(?:${value})$`).test(one) : one === value);
  return values.some((one) => matches(one) !== operator.startsWith('!'));
}
