/** Checks of Grafana's dashboards: valid JSON and legible pages. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Width of Grafana's grid. */
const COLUMNS = 24;
const VARIABLE = /^\$\{(\w+)\}$/;

/** Returns `{file, dashboard}` of every JSON file; an invalid file is a problem. */
export function readDashboards(folder) {
  const place = join(folder, 'grafana/dashboards');
  const problems = [];
  const dashboards = [];
  for (const file of readdirSync(place).sort()) {
    if (!file.endsWith('.json')) continue;
    try {
      dashboards.push({ file, dashboard: JSON.parse(readFileSync(join(place, file), 'utf8')) });
    } catch (error) {
      problems.push(`${file}: ${error.message}`);
    }
  }
  return { dashboards, problems };
}

/** Returns every panel, including those of collapsed rows. */
export function panelsOf(dashboard) {
  return (dashboard.panels ?? []).flatMap((panel) => [panel, ...(panel.panels ?? [])]);
}

/** Returns the expressions of all panels and variables, with their locations. */
export function expressionsOf({ file, dashboard }) {
  const panels = panelsOf(dashboard).flatMap((panel) =>
    (panel.targets ?? [])
      .filter((target) => target.expr)
      .map((target) => ({ where: `${file}: ${panel.title}`, expression: target.expr })),
  );
  const variables = (dashboard.templating?.list ?? []).flatMap(({ name, query }) => {
    const text = typeof query === 'string' ? query : query?.query;
    const [, expression] = /^label_values\((.+),\s*\w+\)$/.exec(text ?? '') ?? [];
    return expression ? [{ where: `${file}: variable ${name}`, expression }] : [];
  });
  return [...panels, ...variables];
}

function panelProblems(file, panel, variables) {
  if (panel.type === 'row' || panel.type === 'text') return [];
  const where = `${file}: panel ${panel.title || panel.id}`;
  const problems = [];
  if (!panel.title) problems.push(`${where}: no title`);
  if (!panel.description) problems.push(`${where}: no description`);
  if (!panel.links?.length) problems.push(`${where}: no link to a runbook`);
  const isUnitFree = panel.type === 'alertlist';
  if (!isUnitFree && !panel.fieldConfig?.defaults?.unit) problems.push(`${where}: no unit`);
  if (!isUnitFree && !panel.targets?.length) problems.push(`${where}: no query`);
  for (const source of [panel.datasource, ...(panel.targets ?? []).map((target) => target.datasource)]) {
    const [, variable] = VARIABLE.exec(source?.uid ?? '') ?? [];
    if (!isUnitFree && !variables.has(variable))
      problems.push(`${where}: datasource ${source?.uid} is not a variable of the dashboard`);
  }
  for (const { expr, exemplar } of panel.targets ?? []) {
    const isLatency = /histogram_quantile|latency_seconds/.test(expr ?? '');
    if (panel.type === 'timeseries' && isLatency && !exemplar) problems.push(`${where}: a latency without exemplars`);
  }
  return problems;
}

function gridProblems(file, panels) {
  const taken = new Map();
  const problems = [];
  for (const { title, gridPos } of panels) {
    if (!gridPos || gridPos.x + gridPos.w > COLUMNS) {
      problems.push(`${file}: panel ${title} has no place in ${COLUMNS} columns`);
      continue;
    }
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        const cell = `${x}/${y}`;
        if (taken.has(cell)) return [...problems, `${file}: panels ${taken.get(cell)} and ${title} overlap`];
        taken.set(cell, title);
      }
    }
  }
  return problems;
}

/** Returns the problems of dashboards that can be found without knowing the metrics. */
export function dashboardProblems(folder, alerts) {
  const { dashboards, problems } = readDashboards(folder);
  const uids = new Map();
  const pages = alerts.map(({ annotations }) => annotations?.runbook_url);
  for (const { file, dashboard } of dashboards) {
    if (!dashboard.uid) problems.push(`${file}: no uid`);
    else if (uids.has(dashboard.uid))
      problems.push(`${file}: uid ${dashboard.uid} is that of ${uids.get(dashboard.uid)} too`);
    uids.set(dashboard.uid, file);
    if (!dashboard.title || !dashboard.description) problems.push(`${file}: no title or description`);
    const sources = (dashboard.templating?.list ?? []).filter(({ type }) => type === 'datasource');
    const variables = new Set(sources.map(({ name }) => name));
    if (!sources.some(({ label }) => label === 'Environment')) problems.push(`${file}: no variable Environment`);
    const panels = panelsOf(dashboard);
    const ids = panels.map(({ id }) => id);
    if (new Set(ids).size !== ids.length) problems.push(`${file}: two panels have the same id`);
    problems.push(...panels.flatMap((panel) => panelProblems(file, panel, variables)));
    problems.push(...gridProblems(file, dashboard.panels ?? []));
    for (const { title, url } of panels.flatMap((panel) => panel.links ?? [])) {
      if (!pages.includes(url))
        problems.push(`${file}: the link ${title} leads to ${url}, which is not the runbook of an alert`);
    }
  }
  if (!dashboards.length) problems.push('grafana/dashboards contains no dashboard');
  return problems;
}
