/**
 * Writes style sheets of the design system, and those that several modules of a team use, into files of their own. Lists
 * the files of each entry in cascade order. A page with several parts then includes each file once.
 */
import { join, relative } from 'node:path';
import { isOfKit } from './class-names.mjs';

const STYLE = 'css/mini-extract';

/** Returns `splitChunks` options that move these style sheets out of the entries. */
export function sharedStyles(serverEntry, packageDir) {
  const pathOf = (module) => module.nameForCondition();
  const words = (path) => path.replace(/(?:\.module)?\.css$/, '').replace(/[^\w-]+/g, '-');
  return {
    chunks: ({ name }) => name !== serverEntry,
    minSize: 0,
    cacheGroups: {
      default: false,
      defaultVendors: false,
      kit: {
        test: (module) => module.type === STYLE && isOfKit(pathOf(module)),
        name: (module) => `kit-${words(pathOf(module).split('/').at(-1))}`,
        enforce: true,
      },
      team: {
        test: (module) => module.type === STYLE && !isOfKit(pathOf(module)),
        name: (module) => `shared-${words(relative(join(packageDir, 'src'), pathOf(module)))}`,
        minChunks: 2,
      },
    },
  };
}

/** Collects `styles`: entry name to its style files, in import order. */
export class StyleOrder {
  styles = {};

  apply(compiler) {
    compiler.hooks.afterEmit.tap('StyleOrder', (compilation) => {
      for (const [name, entry] of compilation.entrypoints) {
        const first = (chunk) => {
          const modules = compilation.chunkGraph.getChunkModulesIterableBySourceType(chunk, STYLE) ?? [];
          return Math.min(...[...modules].map((module) => entry.getModulePostOrderIndex(module) ?? Infinity));
        };
        this.styles[name] = [...entry.chunks]
          .map((chunk) => ({ at: first(chunk), files: [...chunk.files].filter((file) => file.endsWith('.css')) }))
          .sort((a, b) => a.at - b.at)
          .flatMap(({ files }) => files);
      }
    });
  }
}
