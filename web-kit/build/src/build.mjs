/**
 * From a package of page modules to its publishable folder: `server.js`, one style sheet per
 * module, the federated remote of what hydrates, images, `module.json`, and compressed siblings.
 * The same sources give the same bytes, so a version (it carries the content's hash) is built once.
 */
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import webpack from 'webpack';
import { BARE_STYLE, DOCUMENT_SCRIPT, MEASURE, readConfig } from './config.mjs';
import { publish } from './publish.mjs';
import { StyleOrder } from './style-order.mjs';
import {
  SERVER,
  SMALL_SCRIPT,
  remoteConfiguration,
  scriptConfiguration,
  serverConfiguration,
  smallScriptsConfiguration,
} from './webpack.mjs';

/** Builds `packageDir` into `outDir` (default `dist` inside it), which is emptied first. */
export async function buildPackage({ packageDir, outDir = join(packageDir, 'dist') }) {
  const { config, packageVersion } = readConfig(packageDir);
  const options = { config, packageDir: resolve(packageDir), outDir: resolve(outDir) };
  rmSync(outDir, { recursive: true, force: true });
  mkdirSync(outDir, { recursive: true });
  const built = {};
  for (const configuration of configurations(options)) built[configuration.name] = await run(configuration);
  return finish({ config, packageVersion, packageDir, outDir, built });
}

/** Every bundle of a package, for webpack. */
export function configurations(options) {
  const makers = [serverConfiguration, remoteConfiguration, scriptConfiguration, smallScriptsConfiguration];
  return makers.map((make) => make(options)).filter(Boolean);
}

/**
 * Makes a publishable folder of what webpack has written into `outDir`. `built` has the `summary` of each configuration by its
 * name; `quick` is for a build that nobody but its author sees.
 */
export function finish({ config, packageVersion, packageDir, outDir, built, quick = false }) {
  dropStyleScripts(outDir, built[SERVER]);
  // Build statistics: neither gateway nor browser reads them.
  rmSync(join(outDir, 'mf-manifest-stats.json'), { force: true });
  for (const file of Object.values(config.root ?? {})) {
    copyFileSync(join(packageDir, file), join(outDir, baseName(file)));
  }
  return publish(outDir, packageVersion, describe(config, built), { quick });
}

/** Runs one configuration; returns its `summary`. */
async function run(configuration) {
  const compiler = webpack(configuration);
  const stats = await new Promise((done, failed) => {
    compiler.run((error, result) => (error ? failed(error) : done(result)));
  });
  await new Promise((done, failed) => compiler.close((error) => (error ? failed(error) : done())));
  return summary(configuration, stats);
}

/** What `finish` needs of a bundle; throws webpack's text when it failed or warned. */
export function summary(configuration, stats) {
  if (stats.hasErrors() || stats.hasWarnings()) {
    throw new Error(`${configuration.name} build\n${stats.toString('errors-warnings')}`);
  }
  const { styles } = configuration.plugins?.find((plugin) => plugin instanceof StyleOrder) ?? {};
  // Each asset by itself, also where a watch finds it unchanged.
  const listed = { assets: true, cachedAssets: true, groupAssetsByEmitStatus: false };
  return { ...stats.toJson({ all: false, ...listed, chunkGroups: true, entrypoints: true }), styles };
}

/** The extra entries exist for their style sheets; those of the server's own entry are in no document. */
function dropStyleScripts(outDir, { assets }) {
  for (const { name } of assets) {
    const isExtra = /^[^/]+\.js$/.test(name) && name !== `${SERVER}.js`;
    if (isExtra || name === `${SERVER}.css`) rmSync(join(outDir, name));
  }
}

/** `module.json` without version and contract. */
function describe(config, built) {
  const {
    modules,
    scripts,
    documentScript,
    pages,
    fragments,
    document: _document,
    script,
    measure,
    style,
    bareStyle,
    root,
    ...rest
  } = config;
  const styles = (entry) => built[SERVER].styles[entry] ?? [];
  const inline = (name, file) => (file ? [SMALL_SCRIPT.replace('[name]', name)] : []);
  const described = (name) => ({ styles: styles(name.slice(2)), scripts: inline(name.slice(2), scripts?.[name]) });
  const description = {
    ...rest,
    requires: { ...config.requires, api: requiredApi(config) },
    modules: Object.fromEntries(Object.keys(modules).map((name) => [name, described(name)])),
    pages: pages ?? [],
    fragments: fragments ?? [],
  };
  if (documentScript) description.scripts = inline(DOCUMENT_SCRIPT, documentScript);
  if (script) description.script = built.script.entrypoints[config.name].assets[0].name;
  if (measure) description.measure = built.script.entrypoints[MEASURE].assets[0].name;
  if (style) description.styles = styles(config.name);
  if (bareStyle) description.bareStyles = styles(BARE_STYLE);
  if (root) description.root = Object.fromEntries(Object.entries(root).map(([path, file]) => [path, baseName(file)]));
  return description;
}

/** API paths that a gateway must offer: what the configuration says, and what pages, fragments and documents declare as data. */
function requiredApi({ requires, pages = [], fragments = [], compositions = [], site }) {
  const sources = [...pages, ...fragments, ...compositions].flatMap(({ data }) => Object.values(data ?? {}));
  const declared = [...sources, ...(site ? [site] : [])].filter((source) => source.startsWith('/'));
  const paths = declared.map((source) => source.split('?')[0].replaceAll('{params.', '{'));
  return [...new Set([...(requires?.api ?? []), ...paths])].sort();
}

function baseName(file) {
  return file.slice(file.lastIndexOf('/') + 1);
}
