/** Webpack configurations: one for the gateway's renderer, up to three for browsers. */
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import TerserPlugin from 'terser-webpack-plugin';
import webpack from 'webpack';
import { className } from './class-names.mjs';
import {
  BARE_STYLE,
  DESK_SCRIPT,
  DESK_STYLE,
  DOCUMENT_SCRIPT,
  MEASURE,
  hydratingModules,
  languageStyle,
} from './config.mjs';
import { UNUSED } from './federation-unused.mjs';
import { StyleOrder, sharedStyles } from './style-order.mjs';

const require = createRequire(import.meta.url);
const here = import.meta.dirname ?? new URL('.', import.meta.url).pathname;

/** Placeholder for the version in URLs until the content hash is known. */
export const VERSION_PLACEHOLDER = '__HOSPITAL_VERSION__';

/** Name of the entry that renders in the gateway. */
export const SERVER = 'server';

/** Query of a page module's file that exposes its component alone. */
const COMPONENT = 'component';

const SHARED = ['react', 'react-dom', 'react/jsx-runtime'];

/**
 * Returns the configuration of the bundle that renders in QuickJS. One extra entry per module extracts its style sheet;
 * the scripts of these entries are dropped.
 */
export function serverConfiguration({ config, packageDir, outDir }) {
  const modules = mapValues(config.modules, (file) => resolve(packageDir, file));
  const entry = { [SERVER]: join(here, 'server-entry.mjs') };
  for (const [name, file] of Object.entries(modules)) entry[name.slice(2)] = file;
  if (config.style)
    entry[config.name] = [config.style, config.document].filter(Boolean).map((file) => resolve(packageDir, file));
  if (config.bareStyle) entry[BARE_STYLE] = resolve(packageDir, config.bareStyle);
  if (config.deskStyle) entry[DESK_STYLE] = resolve(packageDir, config.deskStyle);
  for (const [code, file] of Object.entries(config.languageStyles ?? {}))
    entry[languageStyle(code)] = resolve(packageDir, file);
  return {
    ...base({ packageDir, target: ['webworker', 'es2020'] }),
    name: 'server',
    entry,
    output: { path: outDir, filename: '[name].js', publicPath: publicPath(config), assetModuleFilename: ASSET_NAME },
    resolve: {
      ...resolution(),
      alias: {
        // Only the synchronous renderer: the streaming renderer needs web streams, which QuickJS lacks.
        'react-dom/server$': require
          .resolve('react-dom/package.json')
          .replace('package.json', 'cjs/react-dom-server-legacy.browser.production.js'),
      },
    },
    module: {
      rules: [
        {
          test: join(here, 'server-entry.mjs'),
          loader: join(here, 'server-entry-loader.mjs'),
          options: { modules, document: config.document && resolve(packageDir, config.document) },
        },
        ...rules({ config, swcTarget: 'es2020', css: [MiniCssExtractPlugin.loader, cssLoader(config, false)] }),
      ],
    },
    plugins: [new MiniCssExtractPlugin({ filename: '[name].css', ignoreOrder: true }), new StyleOrder()],
    optimization: {
      ...optimization(),
      splitChunks: sharedStyles(SERVER, packageDir),
      minimizer: [minimizer('es2020', /^server\.js$/)],
    },
  };
}

/** Returns the configuration of the federated remote: modules that hydrate, React from the shell. Null without any. */
export function remoteConfiguration({ config, packageDir, outDir }) {
  const exposed = hydratingModules(config);
  if (exposed.length === 0) return null;
  const browser = browserBase({ config, packageDir, outDir });
  const component = { resourceQuery: new RegExp(`^\\?${COMPONENT}$`), loader: join(here, 'browser-entry-loader.mjs') };
  return {
    ...browser,
    name: 'remote',
    entry: {},
    module: { rules: [component, ...browser.module.rules] },
    plugins: [
      new PlaceIndependentIds(),
      withoutUnused(),
      new ModuleFederationPlugin({
        name: config.name,
        filename: 'remoteEntry.[contenthash:8].js',
        // Relative: the request becomes part of a module's id.
        exposes: Object.fromEntries(
          exposed.map((name) => [name, `${relativeFile(config.modules[name])}?${COMPONENT}`]),
        ),
        shared: Object.fromEntries(
          SHARED.map((name) => [name, { singleton: true, import: false, requiredVersion: '^19.0.0' }]),
        ),
        shareStrategy: 'loaded-first',
        dts: false,
        manifest: { fileName: 'mf-manifest.json' },
        // The shell has already loaded the federation runtime (20 KB).
        experiments: { externalRuntime: true, optimization: { disableSnapshot: true, target: 'web' } },
      }),
    ],
  };
}

/** Returns the configuration of the shell's start-up script: federation host, React, hydration. Null for teams. */
export function scriptConfiguration({ config, packageDir, outDir }) {
  if (!config.script) return null;
  return {
    ...browserBase({ config, packageDir, outDir }),
    name: 'script',
    entry: {
      [config.name]: resolve(packageDir, config.script),
      ...(config.measure && { [MEASURE]: resolve(packageDir, config.measure) }),
    },
    plugins: [
      withoutUnused(),
      // Matches `experiments` of the remotes: no manifests at run time, browsers only.
      new webpack.DefinePlugin({
        FEDERATION_OPTIMIZE_NO_SNAPSHOT_PLUGIN: true,
        FEDERATION_OPTIMIZE_NO_REMOTE: false,
        FEDERATION_OPTIMIZE_NO_SHARED: false,
        ENV_TARGET: '"web"',
      }),
    ],
  };
}

/**
 * Returns the configuration of the small scripts that documents carry inline, each bundled with its imports.
 * Null if the package has none.
 */
export function smallScriptsConfiguration({ config, packageDir, outDir }) {
  const loaded = (file, query) =>
    `${join(here, 'script-entry.mjs')}?${new URLSearchParams({ file: resolve(packageDir, file), ...query })}`;
  const entry = {};
  for (const [name, file] of Object.entries(config.scripts ?? {})) {
    entry[name.slice(2)] = loaded(file, { module: `${config.name}/${name.slice(2)}` });
  }
  if (config.documentScript) entry[DOCUMENT_SCRIPT] = loaded(config.documentScript, {});
  if (config.deskScript) entry[DESK_SCRIPT] = loaded(config.deskScript, {});
  if (Object.keys(entry).length === 0) return null;
  const browser = browserBase({ config, packageDir, outDir });
  const loader = join(here, 'script-entry-loader.mjs');
  return {
    ...browser,
    name: 'small scripts',
    entry,
    output: { ...browser.output, filename: SMALL_SCRIPT },
    module: { rules: [{ test: join(here, 'script-entry.mjs'), loader }, ...browser.module.rules] },
  };
}

/**
 * Sets module ids that do not depend on the folder. Federation derives the id of its entry from the absolute path of
 * its runtime, and the container's id from that entry. With those ids, the same sources would build to different bytes
 * in another folder.
 */
class PlaceIndependentIds {
  apply(compiler) {
    compiler.hooks.compilation.tap('PlaceIndependentIds', (compilation) => {
      compilation.hooks.beforeModuleIds.tap('PlaceIndependentIds', (modules) => {
        for (const module of modules) {
          const identifier = module.identifier();
          if (identifier.startsWith('container entry')) compilation.chunkGraph.setModuleId(module, 'container');
          else if (identifier.includes('.federation')) compilation.chunkGraph.setModuleId(module, 'federation');
        }
      });
    });
  }
}

/** Leaves the parts of the federation runtime out that no page uses. */
function withoutUnused() {
  return new webpack.NormalModuleReplacementPlugin(UNUSED, join(here, 'federation-unused.mjs'));
}

/** File name template of small scripts. */
export const SMALL_SCRIPT = '[name].script.js';
const ASSET_NAME = '[name].[contenthash:8][ext]';

/** Leaves translations out of scripts: a document carries those of its own language. */
const NO_CATALOGUES = {
  test: /[\\/]messages[\\/][a-z]{2}\.json$/,
  type: 'json',
  parser: { parse: () => ({}) },
};

function browserBase({ config, packageDir, outDir }) {
  return {
    ...base({ packageDir, target: ['web', 'es2022'] }),
    output: {
      path: outDir,
      filename: '[name].[contenthash:8].js',
      chunkFilename: '[name].[contenthash:8].js',
      publicPath: publicPath(config),
      uniqueName: config.name,
      chunkLoadTimeout: 8000,
      assetModuleFilename: ASSET_NAME,
    },
    resolve: resolution(),
    // Class names only: the style sheets are in the document already.
    module: { rules: [NO_CATALOGUES, ...rules({ config, swcTarget: 'es2022', css: [cssLoader(config, true)] })] },
    optimization: { ...optimization(), minimizer: [minimizer('es2022')] },
  };
}

function base({ packageDir, target }) {
  return {
    mode: 'production',
    context: packageDir,
    target,
    devtool: false,
    performance: false,
    stats: 'errors-warnings',
    infrastructureLogging: { level: 'error' },
    cache: false,
  };
}

function resolution() {
  return { extensions: ['.tsx', '.ts', '.mjs', '.js'] };
}

function optimization() {
  return {
    // One chunk per exposed module: each additional file is another request that needs a hint in the document.
    splitChunks: false,
    runtimeChunk: false,
    moduleIds: 'deterministic',
    chunkIds: 'deterministic',
    emitOnErrors: false,
  };
}

function minimizer(ecma, include) {
  return new TerserPlugin({
    include,
    extractComments: false,
    parallel: false,
    minify: TerserPlugin.swcMinify,
    terserOptions: {
      ecma: Number(ecma.slice(2)),
      compress: { passes: 2, ecma: Number(ecma.slice(2)) },
      format: { comments: false },
    },
  });
}

function rules({ config, swcTarget, css }) {
  return [
    {
      test: /\.tsx?$/,
      loader: require.resolve('swc-loader'),
      options: {
        swcrc: false,
        configFile: false,
        jsc: {
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic', development: false } },
          target: swcTarget,
        },
      },
    },
    { test: /\.css$/, use: css },
    {
      test: /\.svg$/,
      // The SVG source, for inlining into the document.
      resourceQuery: /^\?raw$/,
      type: 'asset/source',
    },
    {
      test: /\.svg$/,
      // The drawing as PNG, for previews of shared pages.
      resourceQuery: /^\?share$/,
      loader: join(here, 'share-image-loader.mjs'),
      type: 'asset/resource',
      generator: { publicPath: publicPath(config), filename: 'share-[name].[contenthash:8].png' },
    },
    {
      test: /\.woff2$/,
      // A single weight with the characters of headings only.
      resourceQuery: /^\?subset/,
      loader: join(here, 'font-loader.mjs'),
      type: 'asset/resource',
      generator: { publicPath: publicPath(config), filename: 'font-[contenthash:8].woff2' },
    },
    {
      test: /\.(svg|png|jpe?g|webp|avif|woff2)$/,
      resourceQuery: { not: /^\?(raw$|share$|subset)/ },
      type: 'asset/resource',
      // The same URL in the server's HTML and in the browser's script.
      generator: { publicPath: publicPath(config) },
    },
  ];
}

function cssLoader(config, exportOnlyLocals) {
  return {
    loader: require.resolve('css-loader'),
    options: {
      importLoaders: 0,
      modules: {
        auto: /\.module\.css$/,
        namedExport: false,
        exportLocalsConvention: 'as-is',
        getLocalIdent: ({ resourcePath }, _template, name) => className(config.name, resourcePath, name),
        exportOnlyLocals,
      },
    },
  };
}

function relativeFile(file) {
  return file.startsWith('.') ? file : `./${file}`;
}

function publicPath(config) {
  return `/remotes/${config.name}/${VERSION_PLACEHOLDER}/`;
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object ?? {}).map(([key, value]) => [key, change(value)]));
}
