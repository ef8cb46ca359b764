/**
 * Checks of Prometheus rules. Each alert needs an owner, descriptions, a runbook, a test in which it fires and one in
 * which it does not.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { load } from 'js-yaml';
import { labelsOf, selectors, selects } from './promql.mjs';

const SEVERITIES = ['page', 'ticket', 'heartbeat'];
/**
 * Metrics that any visitor can raise by refused or harmless requests. Alerts that page must not read them. With
 * `values`, only those of the label are meant.
 */
const RAISED_BY_STRANGERS = [
  { name: /^rate_limit_(?:exhausted_keys|uncounted_total)$/ },
  { name: /^http_server_(?:rate_limited|malformed|slow_bodies)_total$/ },
  { name: /^http_server_shed_total$/, label: 'limit', values: ['network', 'network_bodies', 'person_streams'] },
  { name: /^http_server_requests_total$/, label: 'status', values: ['400', '404', '409', '422', '429'] },
  { name: /^(?:booking_bursts|holds_refused_total|access_codes_total)$/ },
  { name: /^(?:mails_postponed|messages_total|quarantine_.*)$/ },
  { name: /^mail_refused_total$/, label: 'reason', values: ['recipient', 'mailbox', 'content', 'policy'] },
  { name: /^browser_(?:module_failures|spans|web_vital|cumulative).*$/ },
];

export function yaml(file) {
  return load(readFileSync(file, 'utf8'), { filename: file });
}

function ymlFiles(folder) {
  return readdirSync(folder)
    .filter((name) => /\.ya?ml$/.test(name))
    .sort()
    .map((name) => join(folder, name));
}

/** Returns all rules of the folder: `{alerts, records}`, each as written in its file. */
export function readRules(folder) {
  const files = ymlFiles(join(folder, 'prometheus/rules'));
  const rules = files.flatMap((file) => (yaml(file).groups ?? []).flatMap((group) => group.rules ?? []));
  return { alerts: rules.filter((rule) => rule.alert), records: rules.filter((rule) => rule.record) };
}

/** Returns the files for `promtool`. */
export function ruleFiles(folder) {
  return { rules: ymlFiles(join(folder, 'prometheus/rules')), tests: ymlFiles(join(folder, 'prometheus/tests')) };
}

/** Checks that alerts and runbooks refer to each other. */
export function runbookProblems(folder, alerts) {
  const pages = readdirSync(join(folder, 'runbooks'))
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map((name) => name.slice(0, -'.md'.length));
  const named = new Set();
  const problems = [];
  for (const { alert, annotations = {} } of alerts) {
    const page = annotations.runbook_url?.split('/').at(-1);
    if (!page) problems.push(`${alert}: no runbook_url`);
    else if (!pages.includes(page))
      problems.push(`${alert}: its runbook_url ends in ${page}, but runbooks/${page}.md is missing`);
    named.add(page);
  }
  const orphans = pages.filter((page) => !named.has(page));
  return [...problems, ...orphans.map((page) => `runbooks/${page}.md belongs to no alert`)];
}

/** Checks each alert's severity, summary and description. */
export function alertProblems(alerts) {
  return alerts.flatMap(({ alert, labels = {}, annotations = {} }) => {
    const problems = [];
    if (!SEVERITIES.includes(labels.severity))
      problems.push(`${alert}: severity is not one of ${SEVERITIES.join(', ')}`);
    for (const name of ['summary', 'description']) {
      if (!annotations[name]) problems.push(`${alert}: no ${name}`);
    }
    return problems;
  });
}

/** Returns the selectors of an expression, and those of the recording rules that it reads. */
function deepSelectors(expression, records) {
  return selectors(expression).flatMap((found) => {
    const own = records.filter(({ record }) => record === found.name);
    return own.length ? own.flatMap(({ expr }) => deepSelectors(expr, records)) : [found];
  });
}

/**
 * Checks that each paging alert has a reason, and reads no metric that a visitor alone can raise. A selector over all
 * statuses is allowed; one that matches a forbidden value is not.
 */
export function pagingProblems({ alerts, records }) {
  return alerts.flatMap(({ alert, expr, labels = {}, annotations = {} }) => {
    if (labels.severity !== 'page')
      return annotations.page_reason ? [`${alert}: has a page_reason, but does not page`] : [];
    const raised = deepSelectors(expr, records).flatMap(({ name, matchers }) => {
      const known = RAISED_BY_STRANGERS.find((one) => one.name.test(name));
      if (!known) return [];
      const own = matchers.filter(({ label }) => label === known.label);
      const isSafe = known.label && !known.values.some((value) => own.every((matcher) => selects(matcher, [value])));
      // Requests of every status are the denominator of a ratio.
      const isTotal = name === 'http_server_requests_total' && !own.length;
      return isSafe || isTotal ? [] : [`${alert}: pages, but anybody can raise ${name}`];
    });
    return [...(annotations.page_reason ? [] : [`${alert}: pages without a page_reason`]), ...new Set(raised)];
  });
}

/** Checks that each alert has a test case in which it fires and one in which it does not. */
export function coverageProblems(folder, alerts) {
  const cases = ruleFiles(folder)
    .tests.flatMap((file) => yaml(file).tests ?? [])
    .flatMap((test) => test.alert_rule_test ?? []);
  return alerts.flatMap(({ alert }) => {
    const own = cases.filter((found) => found.alertname === alert);
    const fires = own.some(({ exp_alerts: expected }) => expected?.length);
    const isSilent = own.some(({ exp_alerts: expected }) => !expected?.length);
    return [
      ...(fires ? [] : [`${alert}: no test in which it fires`]),
      ...(isSilent ? [] : [`${alert}: no test in which it is silent`]),
    ];
  });
}

/** Returns every series that the rule tests feed, with its file. */
export function fixtures(folder) {
  return ruleFiles(folder).tests.flatMap((file) =>
    (yaml(file).tests ?? []).flatMap(({ name, input_series: series = [] }) =>
      series.map((one) => ({ where: `${basename(file)}: ${name}`, series: one.series })),
    ),
  );
}

/**
 * Checks the probes. Visitors' addresses must be probed over HTTPS; otherwise no certificate is seen. Probe results in
 * rule tests must belong to a target, because an alert about another address never fires.
 */
export function probeProblems(folder) {
  const targetsOf = (job, name) =>
    yaml(join(folder, 'prometheus/targets', name)).flatMap(({ targets: instances, labels }) =>
      instances.map((instance) => ({ job, instance, ...labels })),
    );
  const targets = targetsOf('page', 'pages.yml');
  const publicOnes = targets.filter(({ way }) => way === 'public');
  const clear = publicOnes.filter(({ instance }) => !instance.startsWith('https://'));
  const fed = fixtures(folder).filter(({ series }) => series.startsWith('probe_'));
  const isTarget = (labels) =>
    targets.some((target) => JSON.stringify(Object.entries(target).sort()) === JSON.stringify([...labels].sort()));
  return [
    ...(publicOnes.length ? [] : ['targets/pages.yml: no target has the label way: public']),
    ...clear.map(({ instance }) => `targets/pages.yml: ${instance} is public but not https`),
    ...fed
      .filter(({ series }) => !isTarget(labelsOf(series)))
      .map(({ where, series }) => `${where}: ${series} is not a target in targets/`),
  ];
}

/** Checks the alert names in Alertmanager's inhibitions, and that each team has a route. */
export function routeProblems(folder, alerts) {
  const { route, inhibit_rules: inhibitions = [] } = yaml(join(folder, 'alertmanager/alertmanager.yml'));
  const names = alerts.map(({ alert }) => alert);
  const matchers = inhibitions.flatMap((rule) => [...rule.source_matchers, ...rule.target_matchers]);
  const problems = matchers.flatMap((matcher) => {
    const [, pattern] = /^alertname\s*=~?\s*"?([^"]*)"?$/.exec(matcher) ?? [];
    return (pattern ?? '')
      .split('|')
      .filter((part) => part && !names.some((name) => new RegExp(`^(?:${part})$`).test(name)))
      .map((part) => `alertmanager.yml: an inhibition names ${part}, which is not an alert`);
  });
  const routed = JSON.stringify(route.routes);
  const teams = new Set(yaml(join(folder, 'prometheus/targets/site.yml')).map(({ labels }) => labels.team));
  teams.delete('platform'); // root route
  for (const team of teams) {
    if (!routed.includes(`team = ${team}`)) problems.push(`alertmanager.yml: no route for team ${team}`);
  }
  return problems;
}
