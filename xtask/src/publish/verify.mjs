// Run in the dist folder of a page package before it is published. Every declared module must render
// with every data source down, twice the same, in a context that offers JavaScript and nothing else.
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

function check(what, input, accept) {
  try {
    const first = render(input);
    if (!accept(first)) problems.push(`${what}: unexpected answer ${JSON.stringify(first).slice(0, 200)}`);
    if (JSON.stringify(first) !== JSON.stringify(render(input))) problems.push(`${what}: two renders differ`);
  } catch (error) {
    problems.push(`${what}: ${error?.stack ?? error}`);
  }
}

function checkModule(module, { data, route = '/' } = {}) {
  const params = Object.fromEntries([...route.matchAll(/\{\*?(\w+)\}/g)].map((match) => [match[1], 'example']));
  const path = route.replace(/\{\*?\w+\}/g, 'example');
  const props = { params, query: {}, data: failing(data), action: null, now, path };
  check(
    `module ${module}`,
    { kind: 'fragment', module, identifierPrefix: 'f0-', props },
    (out) => typeof out.html === 'string' || typeof out.raw === 'string',
  );
}

const { pages = [], fragments = [], compositions = [], errors = {} } = declaration;
for (const part of [...pages, ...fragments, ...compositions]) checkModule(part.module, part);
for (const module of Object.values(errors)) checkModule(module);
if (declaration.name === 'shell') {
  const head = { title: 'T', description: 'D', canonicalPath: '/' };
  check(
    'document',
    { kind: 'document', route: '/', path: '/', site: down, head, now },
    (out) => typeof out.before === 'string' && typeof out.after === 'string',
  );
}

const styles = [
  ...(declaration.styles ?? []),
  ...Object.values(declaration.modules ?? {}).flatMap((module) => module.styles ?? []),
];
const files = [
  ...styles,
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
  console.error(problems.join('\n'));
  process.exit(1);
}
