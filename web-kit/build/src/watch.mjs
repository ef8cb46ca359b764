/**
 * Rebuilds a package whenever one of its sources is saved, in a long-running process: webpack caches unchanged modules.
 * Webpack's output is not minified, and compression is low. A failed build leaves the folders of earlier builds intact.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import webpack from 'webpack';
import { configurations, finish, summary } from './build.mjs';
import { DEV_CONFIG, readConfig } from './config.mjs';

/** Debounce of changes, in milliseconds. An editor may write several files at once, which belong to one build. */
const GATHER_MS = 40;

/**
 * Builds a package and watches its sources. Calls `onBuilt` with each build, whose folder is below `workDir`, and
 * `onFailed` with the message of each failure. Empties `workDir` first. Throws if `module.config.json` is initially
 * invalid.
 */
export function watchPackage({ packageDir, workDir, onBuilt, onFailed }) {
  rmSync(workDir, { recursive: true, force: true });
  let count = 0;
  const next = () => join(workDir, `build-${(count += 1)}`);
  const notify = (work) => {
    try {
      const build = work();
      if (build) onBuilt(build);
    } catch (error) {
      onFailed(error instanceof Error ? error.message : String(error));
    }
  };
  const begin = (source) => start({ source, packageDir: resolve(packageDir), workDir, next, notify, again });
  let watch = begin(readSource(packageDir));
  let restart = null;
  let isClosed = false;
  function again(source) {
    restart ??= watch.close().then(() => {
      restart = null;
      if (!isClosed) watch = begin(source);
    });
  }
  return {
    async close() {
      isClosed = true;
      await restart;
      await watch.close();
    },
  };
}

/** Reads the configuration and its text. Throws if it is invalid. */
function readSource(packageDir) {
  return { text: declaration(packageDir), ...readConfig(packageDir, { isDev: true }) };
}

/** Watches with the configuration `source`. Calls `again` with the new one when it has changed. */
function start({ source, packageDir, workDir, next, notify, again }) {
  const { config, packageVersion } = source;
  const made = configurations({ config, packageDir, outDir: workDir }).map((configuration) =>
    quick(configuration, join(workDir, 'emitted', configuration.name), packageDir, config),
  );
  const started = Date.now();
  const compiler = webpack(made);
  const watching = compiler.watch({ aggregateTimeout: GATHER_MS }, (error, result) =>
    notify(() => {
      if (error) throw error;
      if (declaration(packageDir) !== source.text) {
        // An invalid configuration is reported, and the current watch continues.
        again(readSource(packageDir));
        return null;
      }
      return collect(result.stats);
    }),
  );

  // Webpack rebuilds only bundles affected by a change. The others keep their last result, including a failure.
  const latest = new Map();

  function collect(stats) {
    for (const one of stats) latest.set(one.compilation.name, outcome(one));
    const summaries = made.map(({ name }) => latest.get(name)());
    const outDir = next();
    summaries.forEach(({ assets }, index) => {
      for (const { name } of assets) copy(join(made[index].output.path, name), join(outDir, name));
    });
    const built = Object.fromEntries(made.map(({ name }, index) => [name, summaries[index]]));
    const version = `${packageVersion}-dev`;
    const { description } = finish({ config, packageVersion: version, packageDir, outDir, built, quick: true });
    return { name: description.name, version: description.version, folder: outDir, ...saved(stats) };
  }

  function outcome(stats) {
    try {
      const value = summary(
        made.find(({ name }) => name === stats.compilation.name),
        stats,
      );
      return () => value;
    } catch (error) {
      return () => {
        throw error;
      };
    }
  }

  function saved(stats) {
    const names = new Set(stats.flatMap(({ compilation }) => [...(compilation.compiler.modifiedFiles ?? [])]));
    // `modifiedFiles` contains folders too.
    const files = [...names]
      .map((path) => ({ path: relative(packageDir, path), stat: statSync(path, { throwIfNoEntry: false }) }))
      .filter(({ stat }) => stat?.isFile());
    return {
      changed: files.map(({ path }) => path),
      ms: Math.round(Date.now() - (files.length ? Math.max(...files.map(({ stat }) => stat.mtimeMs)) : started)),
    };
  }

  return { close: () => new Promise((done) => watching.close(() => compiler.close(() => done()))) };
}

function declaration(packageDir) {
  const read = (name) => readFileSync(join(packageDir, name), 'utf8');
  return read('module.config.json') + (existsSync(join(packageDir, DEV_CONFIG)) ? read(DEV_CONFIG) : '');
}

function quick(configuration, path, packageDir, config) {
  return {
    ...configuration,
    cache: { type: 'memory' },
    output: { ...configuration.output, path, clean: true },
    optimization: { ...configuration.optimization, minimize: false },
    plugins: [...(configuration.plugins ?? []), new AlsoWatched(packageDir, config)],
  };
}

/** Adds files to the watch that no module imports but the build depends on. */
class AlsoWatched {
  constructor(packageDir, config) {
    const names = ['module.config.json', DEV_CONFIG, 'package.json', ...Object.values(config.root ?? {})];
    this.files = names.map((name) => join(packageDir, name));
  }

  apply(compiler) {
    compiler.hooks.afterCompile.tap('AlsoWatched', ({ fileDependencies }) => fileDependencies.addAll(this.files));
  }
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}
