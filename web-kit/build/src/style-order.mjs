/**
 * Style sheets of the design system as files of their own, whatever modules use them, and for each entry its files in the order
 * of the cascade. A page of several teams' parts then carries each of them once.
 */
import { isOfKit } from './class-names.mjs';

const STYLE = 'css/mini-extract';

/** A `splitChunks` that makes one file of each style sheet of the kit, beside what the entries themselves have. */
export function kitStyles(serverEntry) {
  return {
    chunks: ({ name }) => name !== serverEntry,
    minSize: 0,
    cacheGroups: {
      default: false,
      defaultVendors: false,
      kit: {
        test: (module) => module.type === STYLE && isOfKit(module.nameForCondition()),
        name: (module) => `kit-${/([^/]+?)(?:\.module)?\.css$/.exec(module.nameForCondition())?.[1]}`,
        enforce: true,
      },
    },
  };
}

/** Collects `styles`: entry name to its style files, those that are imported first at the front. */
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
