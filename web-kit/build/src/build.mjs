/**
 * From a package of page modules to its publishable folder: `server.js`, one style sheet per
 * module, the federated remote of what hydrates, images, `module.json`, and compressed siblings.
 * The same sources give the same bytes, so a version (it carries the content's hash) is built once.
 */
import { mkdirSync, readFileSync, rmSync, copyFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import webpack from 'webpack';
import { hydratingModules, readConfig } from './config.mjs';
import { publish } from './publish.mjs';
import { remoteConfiguration, scriptConfiguration, serverConfiguration } from './webpack.mjs';

/** Builds `packageDir` into `outDir` (default `dist` inside it), which is emptied first. */
export async function buildPackage({ packageDir, outDir = join(packageDir, 'dist') }) {
  const { config, packageVersion } = readConfig(packageDir);
  const options = { config, packageDir: resolve(packageDir), outDir: resolve(outDir) };
  rmSync(outDir, { recursive: true, force: true });
  mkdirSync(outDir, { recursive: true });
  const configurations = [serverConfiguration, remoteConfiguration, scriptConfiguration];
  const names = {};
  for (const configuration of configurations.map((make) => make(options)).filter(Boolean)) {
    names[configuration.name] = await run(configuration);
  }
  const styles = dropStyleScripts(config, options.outDir, names.server);
  // Build statistics, of no use to gateway or browser.
  rmSync(join(outDir, 'mf-manifest-stats.json'), { force: true });
  for (const file of Object.values(config.root ?? {})) {
    copyFileSync(join(packageDir, file), join(outDir, baseName(file)));
  }
  return publish(outDir, packageVersion, describe(config, names, styles, outDir));
}

/** Runs one configuration; returns its chunks by name, and throws with webpack's text when it fails or warns. */
async function run(configuration) {
  const compiler = webpack(configuration);
  const stats = await new Promise((done, failed) => {
    compiler.run((error, result) => (error ? failed(error) : done(result)));
  });
  await new Promise((done, failed) => compiler.close((error) => (error ? failed(error) : done())));
  if (stats.hasErrors() || stats.hasWarnings()) {
    throw new Error(`${configuration.name} build\n${stats.toString('errors-warnings')}`);
  }
  return stats.toJson({ all: false, assets: true, chunkGroups: true, entrypoints: true });
}

/** The extra entries exist for their style sheets; returns which modules have one. */
function dropStyleScripts(config, outDir, stats) {
  const present = new Set(stats.assets.map(({ name }) => name));
  for (const name of present) {
    const extra = /^[^/]+\.(js|css)$/.test(name) && name !== 'server.js';
    const isStyle = name.endsWith('.css') && name !== 'server.css';
    if (extra && !isStyle) rmSync(join(outDir, name));
  }
  return (name) => (present.has(`${name}.css`) ? [`${name}.css`] : []);
}

/** `module.json` without the version. */
function describe(config, names, styles, outDir) {
  const { modules, pages, fragments, document, script, style, root, ...rest } = config;
  const scripts = remoteScripts(config, outDir);
  const description = {
    ...rest,
    modules: Object.fromEntries(
      Object.keys(modules).map((name) => [name, { styles: styles(name.slice(2)), ...scripts.modules[name] }]),
    ),
    pages: pages ?? [],
    fragments: fragments ?? [],
  };
  if (scripts.entry) description.entry = scripts.entry;
  if (script) description.script = names.script.entrypoints[config.name].assets[0].name;
  if (style) description.styles = styles(config.name);
  if (root) description.root = Object.fromEntries(Object.entries(root).map(([path, file]) => [path, baseName(file)]));
  return description;
}

/** The remote's entry and the scripts that each module needs, from the manifest that federation wrote. */
function remoteScripts(config, outDir) {
  if (hydratingModules(config).length === 0) return { modules: {} };
  const manifest = JSON.parse(readFileSync(join(outDir, 'mf-manifest.json'), 'utf8'));
  const entry = manifest.metaData.remoteEntry.name;
  const modules = manifest.exposes.map(({ path, assets }) => [path, { scripts: [entry, ...assets.js.sync] }]);
  return { entry, modules: Object.fromEntries(modules) };
}

function baseName(file) {
  return file.slice(file.lastIndexOf('/') + 1);
}
