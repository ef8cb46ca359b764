// Run in the dist folder of a page package before it is published. Every declared part (page, fragment, composition, slot,
// error page) must render with every data source down, twice the same, in a context that offers JavaScript and nothing else.
import { existsSync, readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';

const declaration = JSON.parse(readFileSync('module.json', 'utf8'));
const problems = [];
const context = createContext({});
runInContext(readFileSync('server.js', 'utf8'), context, { filename: 'server.js' });
const render = (input) => {
  context.input = JSON.stringify(input);
  return JSON.parse(runInContext('hospitalRender(input)', context, { timeout: 5000 }));
};

const now = '2026-11-21T09:30:00Z';
const down = { ok: false, status: 503, body: null };
const failing = (data) => Object.fromEntries(Object.keys(data ?? {}).map((key) => [key, down]));

/** The answer when it is as it should be; otherwise a problem is noted and there is none. */
function check(what, input, accept) {
  try {
    const first = render(input);
    if (!accept(first)) problems.push(`${what}: unexpected answer ${JSON.stringify(first).slice(0, 200)}`);
    else if (JSON.stringify(first) !== JSON.stringify(render(input))) problems.push(`${what}: two renders differ`);
    else return first;
  } catch (error) {
    problems.push(`${what}: ${error?.stack ?? error}`);
  }
  return null;
}

/** A page is rendered at each address of its walk, or at an example. */
function addresses({ route = '/', walk }) {
  if (!walk?.length) return [[route.replace(PARAMETER, 'example'), parameters(route, () => 'example')]];
  const form = new RegExp(`^${route.replace(PARAMETER, (_, rest) => (rest ? '(.+)' : '([^/]+)'))}$`);
  return walk.flatMap((address) => {
    const [path] = address.split('?');
    const match = form.exec(path);
    if (!match) problems.push(`walk: ${address} is not an address of ${route}`);
    return match ? [[path, parameters(route, (index) => decodeURIComponent(match[index + 1]))]] : [];
  });
}

const PARAMETER = /\{(\*?)(\w+)\}/g;
const parameters = (route, value) =>
  Object.fromEntries([...route.matchAll(PARAMETER)].map(([, , name], index) => [name, value(index)]));

/** Version 1 has one value of each name in a form. */
const isVersion1 = declaration.contract === 1;

function checkPart(part, { params: given = {} } = {}) {
  const { module, data, slots = {}, route, id } = part;
  const name = `${declaration.name}:${id ?? route ?? module.slice(2)}`;
  for (const [path, params] of addresses(part)) {
    const props = { params: { ...params, ...given }, query: {}, data: failing(data), action: null, now, path };
    if (!isVersion1) props.part = name;
    const out = check(
      `module ${module} at ${path}`,
      { kind: 'fragment', module, identifierPrefix: 'f0-', props },
      ({ html, raw }) => typeof html === 'string' || typeof raw === 'string',
    );
    for (const slot of Object.keys(slots)) {
      // With data that is missing a page may show something else, which has no place for it.
      if (out && !Object.keys(data ?? {}).length && !out.html?.includes(`<div data-slot="${slot}"></div>`))
        problems.push(`module ${module} does not render the slot ${slot}`);
    }
  }
  for (const target of Object.values(slots)) checkReference(target);
  if (Object.keys(slots).length && (part.hydrate ?? 'none') !== 'none')
    problems.push(`module ${module}: only a module that never hydrates has slots`);
  if (part.action) checkAction(module);
}

/** A form in which nothing was filled in is refused by the API, not by an exception. */
function checkAction(module) {
  check(`action of ${module}`, { kind: 'action', module, form: {}, now }, ({ request }) => {
    if (request === null && !isVersion1) return true;
    const { method, path } = request ?? {};
    return typeof method === 'string' && typeof path === 'string' && path.startsWith('/');
  });
}

/** What another package has, only the gateway knows. */
function checkReference(target) {
  const [team, id] = target.includes(':') ? target.split(':') : [declaration.name, target];
  if (team === declaration.name && !fragments.some((fragment) => fragment.id === id))
    problems.push(`fragment ${target} is not declared`);
}

const { pages = [], fragments = [], compositions = [], errors = {} } = declaration;
for (const part of [...pages, ...fragments, ...compositions]) {
  checkPart(part);
  for (const entry of part.fragments ?? []) {
    const { fragment, slots = {} } = typeof entry === 'string' ? { fragment: entry } : entry;
    checkReference(fragment);
    const host = fragments.find(({ id }) => fragment === id || fragment === `${declaration.name}:${id}`);
    if (host) checkPart({ ...host, slots });
    else for (const target of Object.values(slots)) checkReference(target);
  }
}
for (const [status, module] of Object.entries(errors)) {
  checkPart({ module }, { params: isVersion1 ? {} : { status, message: 'Example' } });
}
if (declaration.name === 'shell') {
  const head = { title: 'T', description: 'D', canonicalPath: '/' };
  check(
    'document',
    { kind: 'document', route: '/', path: '/', site: down, head, now },
    (out) => typeof out.before === 'string' && typeof out.after === 'string',
  );
}

const files = [
  ...[declaration, ...Object.values(declaration.modules ?? {})].flatMap(({ styles = [], scripts = [] }) => [
    ...styles,
    ...scripts,
  ]),
  ...(declaration.script ? [declaration.script] : []),
  ...Object.values(declaration.root ?? {}),
];
for (const file of files) if (!existsSync(file)) problems.push(`module.json names ${file}, which is not there`);
for (const part of pages)
  if (!declaration.modules?.[part.module])
    problems.push(`page ${part.route}: module ${part.module} is not declared under "modules"`);
if (!pages.length && !fragments.length && declaration.name !== 'shell')
  problems.push('neither a page nor a fragment is declared');

if (problems.length) {
  console.error([...new Set(problems)].join('\n'));
  process.exit(1);
}
