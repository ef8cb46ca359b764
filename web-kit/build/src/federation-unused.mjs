/**
 * Replaces the parts of the federation runtime that no page uses: manifests and their snapshots, preloading, remotes
 * that consume remotes, versions and fallbacks of shared libraries, texts of errors, and a logger with levels. A build fails if a
 * replaced file has an import that this file does not export.
 */

/** The replaced files of `@module-federation`. */
export const UNUSED = new RegExp(
  `[\\\\/]@module-federation[\\\\/](${[
    'runtime-core/dist/plugins/(generate-preload-assets|snapshot/(index|SnapshotHandler))',
    'runtime-core/dist/utils/(preload|semver/index)',
    'webpack-bundler-runtime/dist/(remotes|getSharedFallbackGetter|init|installInitialConsumes)',
    'sdk/dist/logger',
    'error-codes/dist/desc',
  ].join('|')})\\.m?js$`,
);

const nothing = () => undefined;

export class SnapshotHandler {
  hooks = { applyPlugin: nothing };
  manifestCache = new Map();
}
export const getGlobalRemoteInfo = () => ({});
export { nothing as generatePreloadAssetsPlugin, nothing as snapshotPlugin };

export const formatPreloadArgs = () => [];
export { nothing as preloadAssets };

/** The shell provides the only version of each shared library. */
export const satisfy = () => true;

export { nothing as installInitialConsumes, nothing as remotes };
export const getSharedFallbackGetter = ({ factory }) => factory;
export const init = ({ webpackRequire: { federation } }) => federation.runtime.init(federation.initOptions);

export const createLogger = () => console;
const logger = console;
export {
  logger,
  logger as infrastructureLogger,
  nothing as bindLoggerToCompiler,
  createLogger as createInfrastructureLogger,
};

/** Errors keep their codes, such as RUNTIME-008, and the address of the page that explains them. */
const texts = {};
export { texts as runtimeDescMap, texts as buildDescMap, texts as errorDescMap, texts as typeDescMap };
