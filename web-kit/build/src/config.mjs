/**
 * Reads and checks `module.config.json`: a mistake is named here, before webpack, instead of
 * showing up as a missing page in the gateway.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const CONTRACT_VERSION = 1;
const HYDRATION_MODES = ['none', 'visible', 'idle', 'load'];

/** @returns {{config: import('@hospital/page').ModuleConfig, packageVersion: string}} */
export function readConfig(packageDir) {
  const config = JSON.parse(readFileSync(join(packageDir, 'module.config.json'), 'utf8'));
  const { version } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8'));
  const mistakes = [...checkShape(config), ...checkFiles(config, packageDir)];
  if (mistakes.length) throw new Error(`module.config.json of ${packageDir}:\n  ${mistakes.join('\n  ')}`);
  return { config, packageVersion: version };
}

function* checkShape(config) {
  if (!/^[a-z][a-z0-9]*$/.test(config.name ?? ''))
    yield 'name: lower-case letters and digits, it becomes a script global';
  if (config.contract !== CONTRACT_VERSION) yield `contract: this tool builds version ${CONTRACT_VERSION}`;
  for (const name of Object.keys(config.modules ?? {})) {
    if (!/^\.\/[a-z0-9-]+$/.test(name)) yield `modules: '${name}' is not of the form './name'`;
  }
  for (const name of Object.keys(config.inlineScripts ?? {})) {
    if (!config.modules?.[name]) yield `inlineScripts: '${name}' is not in modules`;
  }
  for (const [kind, entries] of [
    ['pages', config.pages ?? []],
    ['fragments', config.fragments ?? []],
  ]) {
    for (const entry of entries) {
      const label = `${kind} ${entry.route ?? entry.id}`;
      if (!config.modules?.[entry.module]) yield `${label}: module '${entry.module}' is not in modules`;
      if (!HYDRATION_MODES.includes(entry.hydrate)) yield `${label}: hydrate is one of ${HYDRATION_MODES.join(', ')}`;
      if (entry.contentType !== undefined) yield* checkRaw(label, entry);
    }
  }
}

/** What is no document has nothing that could hydrate or be posted to. */
function* checkRaw(label, { contentType, hydrate, action }) {
  if (!/^[a-z]+\/[a-z0-9.+-]+$/.test(contentType)) yield `${label}: contentType is a media type without parameters`;
  if (hydrate !== 'none' || action) yield `${label}: with contentType, hydrate is none and there is no action`;
}

function* checkFiles(config, packageDir) {
  const files = [config.document, config.script, config.style];
  for (const named of [config.modules, config.inlineScripts, config.root]) files.push(...Object.values(named ?? {}));
  for (const file of files) {
    if (file && !existsSync(join(packageDir, file))) yield `file ${file} does not exist`;
  }
}

/** Modules whose script a browser may load, in the order of the configuration. */
export function hydratingModules(config) {
  const declared = [...(config.pages ?? []), ...(config.fragments ?? [])].filter(({ hydrate }) => hydrate !== 'none');
  const names = new Set(declared.map(({ module }) => module));
  return Object.keys(config.modules).filter((name) => names.has(name));
}
