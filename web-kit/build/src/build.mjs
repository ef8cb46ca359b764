/**
 * From a package of page modules to its publishable folder: `server.js`, one style sheet per
 * module, the federated remote of what hydrates, images, `module.json`, and compressed siblings.
 * The same sources give the same bytes, so a version (it carries the content's hash) is built once.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { minify } from 'terser';
import webpack from 'webpack';
import { readConfig } from './config.mjs';
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
  const inline = await inlineScripts(config, options);
  return publish(outDir, packageVersion, describe(config, names, styles, inline));
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
function describe(config, names, styles, inline) {
  const { modules, inlineScripts: _, pages, fragments, document, script, style, root, ...rest } = config;
  const description = {
    ...rest,
    modules: Object.fromEntries(
      Object.keys(modules).map((name) => [name, { styles: styles(name.slice(2)), scripts: inline[name] ?? [] }]),
    ),
    pages: pages ?? [],
    fragments: fragments ?? [],
  };
  if (script) description.script = names.script.entrypoints[config.name].assets[0].name;
  if (style) description.styles = styles(config.name);
  if (root) description.root = Object.fromEntries(Object.entries(root).map(([path, file]) => [path, baseName(file)]));
  return description;
}

/** Scripts that the document carries in itself: plain files, minified, no imports. Module name to file name. */
async function inlineScripts(config, { packageDir, outDir }) {
  const files = {};
  for (const [module, file] of Object.entries(config.inlineScripts ?? {})) {
    const { code } = await minify(readFileSync(join(packageDir, file), 'utf8'), { ecma: 2020, toplevel: true });
    const name = `${module.slice(2)}.inline.js`;
    writeFileSync(join(outDir, name), code);
    files[module] = [name];
  }
  return files;
}

function baseName(file) {
  return file.slice(file.lastIndexOf('/') + 1);
}
