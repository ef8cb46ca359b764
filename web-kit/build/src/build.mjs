/**
 * Builds a package of page modules into a publishable folder: `server.js`, one style sheet per module, the federated
 * remote of hydrating modules, images, `module.json`, and compressed siblings. Builds are reproducible, so a version,
 * which contains the content hash, is built once.
 */
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import webpack from 'webpack';
import { BARE_STYLE, DESK_SCRIPT, DESK_STYLE, DOCUMENT_SCRIPT, MEASURE, languageStyle, readConfig } from './config.mjs';
import { publish } from './publish.mjs';
import { StyleOrder } from './style-order.mjs';
import { appendTexts } from './texts.mjs';
import {
  SERVER,
  SMALL_SCRIPT,
  remoteConfiguration,
  scriptConfiguration,
  serverConfiguration,
  smallScriptsConfiguration,
} from './webpack.mjs';

/**
 * Builds `packageDir` into `outDir` (default `dist` inside it), which is emptied first. `isDev` includes what only
 * `cargo xtask dev` serves.
 */
export async function buildPackage({ packageDir, outDir = join(packageDir, 'dist'), isDev = false }) {
  const { config, packageVersion } = readConfig(packageDir, { isDev });
  const options = { config, packageDir: resolve(packageDir), outDir: resolve(outDir) };
  rmSync(outDir, { recursive: true, force: true });
  mkdirSync(outDir, { recursive: true });
  const built = {};
  for (const configuration of configurations(options)) built[configuration.name] = await run(configuration);
  return finish({ config, packageVersion, packageDir, outDir, built });
}

/** Returns the webpack configuration of every bundle of a package. */
export function configurations(options) {
  const makers = [serverConfiguration, remoteConfiguration, scriptConfiguration, smallScriptsConfiguration];
  return makers.map((make) => make(options)).filter(Boolean);
}

/**
 * Turns webpack's output in `outDir` into a publishable folder. `built` maps configuration names to their `summary`.
 * `quick` compresses less, for builds that only their author sees.
 */
export function finish({ config, packageVersion, packageDir, outDir, built, quick = false }) {
  dropStyleScripts(outDir, built[SERVER]);
  appendTexts({ config, packageDir, outDir, remote: built.remote, serverFile: `${SERVER}.js` });
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

/** Returns the data of a bundle that `finish` needs. Throws webpack's messages if the build failed or warned. */
export function summary(configuration, stats) {
  if (stats.hasErrors() || stats.hasWarnings()) {
    throw new Error(`${configuration.name} build\n${stats.toString('errors-warnings')}`);
  }
  const { styles } = configuration.plugins?.find((plugin) => plugin instanceof StyleOrder) ?? {};
  // Lists every asset individually, including those that a watch build found unchanged.
  const listed = { assets: true, cachedAssets: true, groupAssetsByEmitStatus: false };
  return { ...stats.toJson({ all: false, ...listed, chunkGroups: true, entrypoints: true }), styles };
}

/**
 * Removes the scripts of the extra entries, which exist only for their style sheets.
 * Also removes the style sheet of the server entry, which no document uses.
 */
function dropStyleScripts(outDir, { assets }) {
  for (const { name } of assets) {
    const isExtra = /^[^/]+\.js$/.test(name) && name !== `${SERVER}.js`;
    if (isExtra || name === `${SERVER}.css`) rmSync(join(outDir, name));
  }
}

/** Returns the content of `module.json` without version and contract. */
function describe(config, built) {
  const {
    modules,
    scripts,
    documentScript,
    deskScript,
    pages,
    fragments,
    document: _document,
    script,
    measure,
    style,
    bareStyle,
    deskStyle,
    languageStyles,
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
  if (deskScript) description.deskScripts = inline(DESK_SCRIPT, deskScript);
  if (script) description.script = built.script.entrypoints[config.name].assets[0].name;
  if (measure) description.measure = built.script.entrypoints[MEASURE].assets[0].name;
  if (style) description.styles = styles(config.name);
  if (bareStyle) description.bareStyles = styles(BARE_STYLE);
  if (deskStyle) description.deskStyles = styles(DESK_STYLE);
  if (languageStyles)
    description.languageStyles = Object.fromEntries(
      Object.keys(languageStyles).map((code) => [code, styles(languageStyle(code))]),
    );
  if (root) description.root = Object.fromEntries(Object.entries(root).map(([path, file]) => [path, baseName(file)]));
  return description;
}

/**
 * Returns the API paths that a gateway must offer: those listed in the configuration, and the data sources of pages,
 * fragments, compositions and the site.
 */
function requiredApi({ requires, pages = [], fragments = [], compositions = [], site }) {
  const sources = [...pages, ...fragments, ...compositions].flatMap(({ data }) => Object.values(data ?? {}));
  const declared = [...sources, ...(site ? [site] : [])].filter((source) => source.startsWith('/'));
  const paths = declared.map((source) => source.split('?')[0].replaceAll('{params.', '{'));
  return [...new Set([...(requires?.api ?? []), ...paths])].sort();
}

function baseName(file) {
  return file.slice(file.lastIndexOf('/') + 1);
}
