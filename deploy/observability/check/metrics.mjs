/**
 * Checks that all metrics, labels and closed label values in rules, their tests, dashboards and runbooks exist. A rule
 * about a missing metric never fires.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expressionsOf, readDashboards } from './dashboards.mjs';
import { labelsOf, selectors, selects } from './promql.mjs';
import { readKnown, TARGET_LABELS } from './recorded.mjs';
import { fixtures } from './rules.mjs';

/** Returns the expressions in a runbook's code blocks. */
function expressionsOfPage(folder, name) {
  const text = readFileSync(join(folder, 'runbooks', name), 'utf8');
  return [...text.matchAll(/^```promql\n([\s\S]*?)^```/gm)].flatMap(([, block]) =>
    // One expression in each line, unless a line begins with a space or a closing bracket.
    block
      .split(/\n(?![\s)])/)
      .filter((text) => text.trim())
      .map((expression) => ({ where: `runbooks/${name}`, expression })),
  );
}

/** Returns every expression with its location. */
export function allExpressions(folder, { alerts, records }) {
  const pages = readdirSync(join(folder, 'runbooks')).filter((name) => name.endsWith('.md'));
  return [
    ...alerts.map(({ alert, expr }) => ({ where: alert, expression: expr })),
    ...records.map(({ record, expr }) => ({ where: record, expression: expr })),
    ...readDashboards(folder).dashboards.flatMap(expressionsOf),
    ...pages.flatMap((name) => expressionsOfPage(folder, name)),
  ];
}

/**
 * Returns a rule file with every expression, so that `promtool check rules` parses those outside of rules too. Its
 * message names the record: the expression's location.
 */
export function expressionRules(folder) {
  const rules = allExpressions(folder, { alerts: [], records: [] }).map(({ where, expression }, index) => ({
    record: `${where.replaceAll(/\W+/g, '_')}_${index}`,
    expr: expression.replaceAll(/\$__(?:rate_)?interval|\$__range/g, '5m').replaceAll(/\$\{?\w+\}?(?=")/g, 'any'),
  }));
  return { groups: [{ name: 'expressions', rules }] };
}

/**
 * Returns the series of rule tests that no program exports in that form. With a missing or extra label, a rule might
 * fire only in its test.
 */
export function fixtureProblems(folder, rules) {
  const known = readKnown(folder);
  const recorded = new Set(rules.records.map(({ record }) => record));
  const problems = new Set();
  for (const { where, series } of fixtures(folder)) {
    const name = /^[\w:]+/.exec(series)[0];
    if (recorded.has(name)) continue;
    const own = known.get(name);
    if (!own) {
      problems.add(`${where}: no program has a metric ${name}`);
      continue;
    }
    const fed = labelsOf(series);
    const full = new Set([...own.labels, ...(own.isSite ? TARGET_LABELS : [])]);
    for (const label of full)
      if (!fed.has(label) && !own.optional.includes(label)) problems.add(`${where}: ${name} lacks the label ${label}`);
    for (const [label, value] of fed) {
      if (!full.has(label)) problems.add(`${where}: ${name} has no label ${label}`);
      else if (!(own.closed[label]?.includes(value) ?? true))
        problems.add(`${where}: ${name} is never exported with ${label}="${value}"`);
    }
  }
  return [...problems];
}

/** Returns the selectors that match no series. Dashboard variables such as `$service` match any value. */
export function metricProblems(folder, rules) {
  const known = readKnown(folder);
  const recorded = new Set(rules.records.map(({ record }) => record));
  const problems = new Set();
  for (const { where, expression } of allExpressions(folder, rules)) {
    for (const { name, matchers } of selectors(expression)) {
      if (recorded.has(name)) continue;
      const own = known.get(name);
      if (!own) problems.add(`${where}: no program has a metric ${name}`);
      for (const matcher of own ? matchers : []) {
        const { label, value } = matcher;
        const isOfTarget = TARGET_LABELS.includes(label);
        if (!own.labels.has(label) && !isOfTarget) problems.add(`${where}: ${name} has no label ${label}`);
        const values = own.closed[label];
        if (values && !value.includes('$') && !selects(matcher, values))
          problems.add(`${where}: ${name} is never exported with ${label}${matcher.operator}"${value}"`);
      }
    }
  }
  return [...problems];
}
