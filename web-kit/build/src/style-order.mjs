/**
 * Emits each style sheet of the design system as a separate file, and lists the files of each entry in cascade order.
 * A page with parts of several teams then includes each file once.
 */
import { isOfKit } from './class-names.mjs';

const STYLE = 'css/mini-extract';

/** Returns `splitChunks` options that move each style sheet of the kit out of the entries into its own file. */
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
