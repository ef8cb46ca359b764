// Runs in the dist folder of a page package before it is published. Every declared part (page, fragment, composition,
// slot, error page) must render with all data sources down, and with sample data. Two renders must be equal. The
// context provides nothing but the JavaScript language. Scripts and styles must fit the budget. Each render is printed
// for the gateway, which repeats it.
// Arguments: the API's OpenAPI document and, if the budget is enforced, the budgets.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import { brotliCompressSync } from 'node:zlib';

const [api, budgets] = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, 'utf8')));

const declaration = JSON.parse(readFileSync('module.json', 'utf8'));
const problems = [];
const context = createContext({});
runInContext(readFileSync('server.js', 'utf8'), context, { filename: 'server.js' });
const render = (input) => {
  context.input = JSON.stringify(input);
  context.output = runInContext('hospitalRender(input)', context, { timeout: 5000 });
  return JSON.parse(context.output);
};

const now = '2026-11-21T09:30:00Z';
const down = { ok: false, status: 503, body: null };
const failing = (data) => Object.fromEntries(Object.keys(data ?? {}).map((key) => [key, down]));

/** Pages of an example person. */
const DESK = [{ path: '/staff', label: 'Start', team: 'shell' }];

const SERVICES = { services: [{ name: 'example', offers: 'Examples', state: 'up', checked: now }] };
const RELEASES = {
  problem: null,
  keys_problem: null,
  remotes: {
    example: {
      wanted: '1.1.0',
      previous: '0.9.0',
      stable: '1.0.0',
      since: 1790000000,
      canary: { version: '1.2.0', percent: 5, since: 1790000000 },
      refused: [{ version: '1.1.0', reason: 'render', detail: 'example' }],
    },
  },
};

/** Inputs and outputs of the renders, for the gateway. */
const cases = [];

/** Renders twice. Returns an accepted and reproducible result; otherwise notes a problem and returns `null`. */
function check(what, input, accept) {
  const made = { what, input: JSON.stringify(input) };
  cases.push(made);
  try {
    const first = render(input);
    made.output = context.output;
    if (!accept(first)) problems.push(`${what}: unexpected answer ${JSON.stringify(first).slice(0, 200)}`);
    else if (JSON.stringify(first) !== JSON.stringify(render(input))) problems.push(`${what}: two renders differ`);
    else return first;
  } catch (error) {
    problems.push(`${what}: ${error?.stack ?? error}`);
  }
  return null;
}

/** Returns a sample response of each data source, built from the API's schemas. */
const samples = (data, parameters) =>
  Object.fromEntries(
    Object.entries(data ?? {}).map(([key, source]) => [
      key,
      { ok: true, status: 200, body: answer(source, parameters) },
    ]),
  );

function answer(source, params) {
  if (source === 'site:/pages') return { pages: [{ path: '/', team: 'shell', siteMap: true }] };
  if (source === 'site:/staff') return { pages: DESK };
  if (source === 'site:/releases') return RELEASES;
  if (source === 'site:/services') return SERVICES;
  const path = source.split('?')[0].replace(/\{params\.(\w+)\}/g, (_, name) => params[name] ?? 'example');
  const template = Object.keys(api.paths).find(
    (known) => api.paths[known].get && new RegExp(`^${known.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(path),
  );
  const content = api.paths[template]?.get.responses['200']?.content?.['application/json'];
  if (content) return sample(content.schema);
  problems.push(`data ${source}: the API does not offer it`);
  return null;
}

const NESTING_MAX = 8;
const FORMATS = {
  date: '2026-12-01',
  'date-time': now,
  email: 'somebody@example.org',
  uri: 'https://example.org/example',
  'uri-reference': '/example',
};

/** Returns a sample value of a schema: optional fields are present, and lists have two items. */
function sample(schema, name = '', depth = 0) {
  if (depth > NESTING_MAX) return null;
  if (schema.$ref) return sample(api.components.schemas[schema.$ref.split('/').at(-1)], name, depth + 1);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum.find((value) => !String(value).endsWith('_UNSPECIFIED')) ?? schema.enum[0];
  const choice = schema.oneOf ?? schema.anyOf;
  if (choice) return sample(choice.find(({ type }) => type !== 'null') ?? choice[0], name, depth + 1);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => sample(part, name, depth + 1)));
  const type = [schema.type].flat().find((type) => type !== 'null');
  if (type === 'array') return [0, 1].map((n) => (schema.items ? sample(schema.items, `${name}${n}`, depth + 1) : n));
  if (type === 'object') {
    const properties = Object.entries(schema.properties ?? {});
    return Object.fromEntries(properties.map(([key, inner]) => [key, sample(inner, key, depth + 1)]));
  }
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 1, 1);
  return text(schema, name);
}

/** Returns a string in the format that the schema or its description requires. */
function text({ format, pattern, description = '' }, name) {
  if (format) return FORMATS[format] ?? 'example';
  if (pattern?.includes('d{4}-') || /\bYYYY-MM\b(?!-)/.test(description)) return '2026-12';
  if (description.includes('YYYY-MM-DD')) return FORMATS.date;
  if (description.includes('HH:MM')) return '10:00';
  if (name === 'nextPageToken') return '';
  if (/(path|url|href)$/i.test(name)) return '/example';
  // No spaces: the string may become part of an address.
  return name ? `example-${name}` : 'example';
}

/** Returns the paths and parameters at which a page is rendered: each address of its walk, or an example. */
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

/** Contract version 1: forms have one value per name, parts get no `part`, and an action must return a request. */
const isVersion1 = declaration.contract === 1;

function checkPart(part, { params: given = {} } = {}) {
  const { module, data, slots = {}, route, id, access } = part;
  const name = `${declaration.name}:${id ?? route ?? module.slice(2)}`;
  const what = route ? `page ${route}` : id ? `fragment ${id}` : 'error page';
  for (const [path, params] of addresses(part)) {
    const show = (means, answers) => {
      const props = { params: { ...params, ...given }, query: {}, data: answers, action: null, now, path };
      if (!isVersion1) props.part = name;
      if (access) props.staff = { name: 'Example Person', scopes: access.scope ? [access.scope] : [] };
      return check(
        `${what}, module ${module} at ${path}, ${means}`,
        { kind: 'fragment', module, identifierPrefix: 'f0-', props },
        ({ html, raw }) => typeof html === 'string' || typeof raw === 'string',
      );
    };
    const out = show('without data', failing(data));
    if (Object.keys(data ?? {}).length) show('with sample data', samples(data, params));
    for (const slot of Object.keys(slots)) {
      // Without its data, a page may show alternative content that has no place for the slot.
      if (out && !Object.keys(data ?? {}).length && !out.html?.includes(`<div data-slot="${slot}"></div>`))
        problems.push(`module ${module} does not render the slot ${slot}`);
    }
  }
  for (const target of Object.values(slots)) checkReference(target);
  if (Object.keys(slots).length && (part.hydrate ?? 'none') !== 'none')
    problems.push(`module ${module}: only a module that never hydrates has slots`);
  if (part.action) checkAction(module);
}

/** Checks that the action does not throw on an empty form: the API must refuse it. */
function checkAction(module) {
  check(`action of ${module}`, { kind: 'action', module, form: {}, now }, ({ request }) => {
    if (request === null && !isVersion1) return true;
    const { method, path } = request ?? {};
    return typeof method === 'string' && typeof path === 'string' && path.startsWith('/');
  });
}

/** Checks references within this package. References to other packages can be checked only by the gateway. */
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
    // A part of a staff page gets the person, too.
    if (host) checkPart({ ...host, slots, access: part.access });
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
  const staff = { name: 'Example Person', pages: DESK };
  check(
    'document of staff',
    { kind: 'document', route: '/staff', path: '/staff', site: down, head, now, bare: false, staff },
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

/** Returns the bytes sent to browsers for all files with this ending: the build's `.br` files, or compressed here. */
function sent(ending) {
  const names = readdirSync('.', { recursive: true }).filter((name) => name.endsWith(ending) && name !== 'server.js');
  const size = (name) =>
    existsSync(`${name}.br`) ? readFileSync(`${name}.br`).length : brotliCompressSync(readFileSync(name)).length;
  return names.reduce((sum, name) => sum + size(name), 0);
}
const budget = budgets && { ...budgets.default, ...budgets[declaration.name] };
for (const [kind, ending] of budget
  ? [
      ['scriptBytesMax', '.js'],
      ['styleBytesMax', '.css'],
    ]
  : []) {
  const bytes = sent(ending);
  if (bytes > budget[kind])
    problems.push(`${ending} files: ${bytes} bytes as sent, ${kind} of ${declaration.name} is ${budget[kind]}`);
}

for (const made of cases) console.log(JSON.stringify(made));
if (problems.length) {
  console.error([...new Set(problems)].join('\n'));
  process.exit(1);
}
