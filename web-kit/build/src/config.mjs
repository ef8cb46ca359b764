/**
 * Reads and checks `module.config.json`. A mistake is reported here, before webpack runs, instead of showing up as a
 * missing page in the gateway.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Contract version. Its single source is the contract's own package. */
export const CONTRACT_VERSION = JSON.parse(
  readFileSync(fileURLToPath(import.meta.resolve('@hospital/page/contract.json')), 'utf8'),
).version;
/** File name, without extension, of the script in every document. */
export const DOCUMENT_SCRIPT = 'document';
/** File name, without extension, of the script in documents of pages that declare `access`. */
export const DESK_SCRIPT = 'desk';
/** Name of the style sheet of pages that declare `bare`. */
export const BARE_STYLE = 'bare-style';
/** Name of the style sheet of pages that declare `access`. */
export const DESK_STYLE = 'desk-style';
/** Returns the name of a language's style sheet. */
export const languageStyle = (code) => `${code}-style`;
/** Name of the entry that measures page performance. */
export const MEASURE = 'measure';
const HYDRATION_MODES = ['none', 'interaction', 'visible', 'idle', 'load'];
const SKELETON_SHAPES = ['card', 'text'];
/** Optional file beside `module.config.json` with entries for `cargo xtask dev` alone. */
export const DEV_CONFIG = 'module.dev.json';
/** The gateway's limits. */
const SKELETON_COUNT_MAX = 12;
const SKELETON_LABEL_BYTES_MAX = 60;
const ACCESS_LABEL_CHARACTERS_MAX = 60;
const SCOPE_BYTES_MAX = 64;
/** Addresses of the staff area that the gateway answers itself. */
const STAFF_ADDRESSES = ['sign-in', 'callback', 'sign-out', 'back-channel-logout', 'events'].map(
  (name) => `/staff/${name}`,
);
/** Declarations that would make a page public, or that have no effect on one that is made for each request. */
const PUBLIC_ONLY = ['resident', 'bare', 'ahead', 'siteMap', 'search', 'skeleton', 'contentType', 'cacheSeconds'];

/**
 * Reads the configuration. With `isDev`, adds the modules and pages of `module.dev.json`, which are never published.
 * @returns {{config: import('@hospital/page').ModuleConfig, packageVersion: string}}
 */
export function readConfig(packageDir, { isDev = false } = {}) {
  const read = (name) => JSON.parse(readFileSync(join(packageDir, name), 'utf8'));
  const published = read('module.config.json');
  const config = isDev && existsSync(join(packageDir, DEV_CONFIG)) ? extended(published, read(DEV_CONFIG)) : published;
  const { version } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8'));
  const mistakes = [...checkShape(config), ...checkFiles(config, packageDir)];
  if (mistakes.length) throw new Error(`module.config.json of ${packageDir}:\n  ${mistakes.join('\n  ')}`);
  return { config, packageVersion: version };
}

/** Returns the configuration with the entries of another one. */
function extended(config, more) {
  const both = { ...config };
  for (const [key, value] of Object.entries(more)) {
    both[key] = Array.isArray(value) ? [...(config[key] ?? []), ...value] : { ...config[key], ...value };
  }
  return both;
}

function* checkShape(config) {
  if (!/^[a-z][a-z0-9]*$/.test(config.name ?? ''))
    yield 'name: must be lower-case letters and digits, because it becomes a script global';
  if (config.contract !== undefined) yield `contract: remove it, this tool builds version ${CONTRACT_VERSION}`;
  for (const name of Object.keys(config.modules ?? {})) {
    if (!/^\.\/[a-z0-9-]+$/.test(name)) yield `modules: '${name}' is not of the form './name'`;
  }
  for (const name of Object.keys(config.scripts ?? {})) {
    if (!config.modules?.[name]) yield `scripts: '${name}' is not in modules`;
    if (name === `./${DOCUMENT_SCRIPT}` && config.documentScript)
      yield `scripts: '${name}' is the documentScript's name`;
    if (name === `./${DESK_SCRIPT}` && config.deskScript) yield `scripts: '${name}' is the deskScript's name`;
  }
  for (const [kind, entries] of [
    ['pages', config.pages ?? []],
    ['fragments', config.fragments ?? []],
  ]) {
    for (const entry of entries) {
      const label = `${kind} ${entry.route ?? entry.id}`;
      if (!config.modules?.[entry.module]) yield `${label}: module '${entry.module}' is not in modules`;
      if (!HYDRATION_MODES.includes(entry.hydrate))
        yield `${label}: hydrate must be one of ${HYDRATION_MODES.join(', ')}`;
      if (entry.slots && entry.hydrate !== 'none') yield `${label}: only a module that never hydrates may have slots`;
      if (entry.contentType !== undefined) yield* checkRaw(label, entry);
      if (entry.bare) yield* checkBare(label, entry, config.scripts);
      if (entry.file !== undefined) yield* checkFile(label, entry);
      if (kind === 'fragments' && entry.access) yield `${label}: access is for pages only`;
    }
  }
  for (const page of config.pages ?? []) yield* checkAccess(`page ${page.route}`, page);
  for (const { route, access } of config.compositions ?? []) {
    if (access || isOfStaff(route)) yield `page ${route}: access is for pages only, and /staff for pages with access`;
  }
  for (const path of [...Object.keys(config.redirects ?? {}), ...Object.keys(config.root ?? {})]) {
    if (isOfStaff(path)) yield `${path}: /staff is for pages with access`;
  }
  for (const page of [...(config.pages ?? []), ...(config.compositions ?? [])]) {
    if (page.skeleton) yield* checkSkeleton(`page ${page.route}`, page.skeleton);
    if (page.contentType === undefined && !page.access) yield* checkFindable(`page ${page.route}`, page);
  }
}

function isOfStaff(path) {
  return /^\/staff(\/|$)/.test(path);
}

/** Checks a page of the staff area, and that every page there declares who may see it. */
function* checkAccess(label, page) {
  const { route, access } = page;
  if (!access) {
    if (isOfStaff(route)) yield `${label}: access is required below /staff`;
    return;
  }
  if (!isOfStaff(route)) yield `${label}: access is for routes below /staff`;
  if (STAFF_ADDRESSES.includes(route)) yield `${label}: the gateway answers this address itself`;
  const length = typeof access.label === 'string' ? [...access.label].length : 0;
  if (length < 1 || length > ACCESS_LABEL_CHARACTERS_MAX)
    yield `${label}: access.label must be a text of 1 to ${ACCESS_LABEL_CHARACTERS_MAX} characters`;
  const isScope =
    typeof access.scope === 'string' && new RegExp(`^[!#-[\\]-~]{1,${SCOPE_BYTES_MAX}}$`).test(access.scope);
  if (access.scope !== undefined && !isScope) yield `${label}: access.scope must be a scope, such as appointments:read`;
  for (const key of PUBLIC_ONLY) {
    if (page[key] !== undefined && page[key] !== false) yield `${label}: ${key} is not allowed with access`;
  }
}

/** Checks that a page declares `siteMap` and `search`, and `walk` if its route has parameters. There is no default. */
function* checkFindable(label, { route, siteMap, search, walk }) {
  const hasParameters = route.includes('{');
  const isList = typeof siteMap?.data === 'string' && typeof siteMap.list === 'string';
  if (typeof siteMap !== 'boolean' && !isList) yield `${label}: siteMap must be true, false or {data, list}`;
  if (siteMap === true && hasParameters) yield `${label}: siteMap must name the list that fills in its parameters`;
  const isEntry = ['title', 'summary', 'words'].every((key) => typeof search?.[key] === 'string');
  if (search !== false && !isEntry) yield `${label}: search must be false or {title, summary, words}`;
  if (search && hasParameters) yield `${label}: search must be false, because the route is not one page`;
  if (hasParameters && !walk?.length) yield `${label}: walk needs at least one URL, for the tests`;
}

/** Checks a skeleton. It must be short: every document carries the skeletons of all pages in one string. */
function* checkSkeleton(label, { shape, count, label: words }) {
  if (!SKELETON_SHAPES.includes(shape)) yield `${label}: skeleton.shape must be one of ${SKELETON_SHAPES.join(', ')}`;
  if (!Number.isInteger(count) || count < 1 || count > SKELETON_COUNT_MAX)
    yield `${label}: skeleton.count must be from 1 to ${SKELETON_COUNT_MAX}`;
  if (typeof words !== 'string' || !words || words.includes('|') || Buffer.byteLength(words) > SKELETON_LABEL_BYTES_MAX)
    yield `${label}: skeleton.label must be a text of at most ${SKELETON_LABEL_BYTES_MAX} bytes without '|'`;
}

/** Checks a response that is not an HTML document: it can neither hydrate nor take form posts. */
function* checkRaw(label, { contentType, hydrate, action }) {
  if (!/^[a-z]+\/[a-z0-9.+-]+$/.test(contentType))
    yield `${label}: contentType must be a media type without parameters`;
  if (hydrate !== 'none' || action) yield `${label}: with contentType, hydrate must be none and action unset`;
}

/** Checks a page whose forms send a file. */
function* checkFile(label, { file, action, access }) {
  if (typeof file !== 'string' || !/^[a-z_]{1,40}$/.test(file))
    yield `${label}: file must be a field name of at most 40 lower-case letters`;
  if (!action || !access) yield `${label}: file needs action and access`;
}

/** Checks a bare page, a document without any script element. */
function* checkBare(label, { module, hydrate, contentType, fragments, slots }, scripts) {
  const isAlone = hydrate === 'none' && contentType === undefined && !fragments?.length && !slots;
  if (!isAlone || scripts?.[module])
    yield `${label}: with bare, hydrate must be none and scripts, contentType, fragments and slots unset`;
}

function* checkFiles(config, packageDir) {
  const { document, script, measure, style, bareStyle, deskStyle, documentScript, deskScript } = config;
  const files = [document, script, measure, style, bareStyle, deskStyle, documentScript, deskScript];
  for (const named of [config.modules, config.scripts, config.root, config.languageStyles])
    files.push(...Object.values(named ?? {}));
  for (const file of files) {
    if (file && !existsSync(join(packageDir, file))) yield `file ${file} does not exist`;
  }
}

/** Returns the modules whose script a browser may load, in the order of the configuration. */
export function hydratingModules(config) {
  const declared = [...(config.pages ?? []), ...(config.fragments ?? [])].filter(({ hydrate }) => hydrate !== 'none');
  const names = new Set(declared.map(({ module }) => module));
  return Object.keys(config.modules).filter((name) => names.has(name));
}
