import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/** `import.meta.webpackContext`, which packages build with, as Vite's own way to name the files of a folder. */
const FOLDER = /import\.meta\.webpackContext\('([^'?]+)(\?raw|\?share)?', \{\s*regExp: (\/.+\/),\s*\}\)/g;

function folders(): Plugin {
  return {
    name: 'folders',
    enforce: 'pre',
    transform(code, id) {
      if (!/\.tsx?$/.test(id) || !code.includes('webpackContext(')) return null;
      return code.replace(FOLDER, (_, folder: string, given = '', pattern: string) => {
        // Pictures for sharing are made by the build alone: tests get an address of their own for each.
        const query = given === '?share' ? '?url&share' : given;
        const glob = `import.meta.glob('./**/*', { base: '${folder}', eager: true, import: 'default', query: '${query}' })`;
        return `((files) => Object.assign((path) => files[path], { keys: () => Object.keys(files).filter((path) => ${pattern}.test(path)) }))(${glob})`;
      });
    },
  };
}

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic' } },
  plugins: [folders()],
  test: {
    include: ['web-kit/**/*.test.{ts,tsx}', 'web-shell/**/*.test.{ts,tsx}', 'svc-*/web/**/*.test.{ts,tsx}'],
    // A test that needs a document says so with `// @vitest-environment happy-dom`.
    environment: 'node',
    css: { modules: { classNameStrategy: 'non-scoped' } },
    // Tests run beside the databases and services of the whole suite.
    maxWorkers: 2,
    testTimeout: 60_000,
    reporters: ['default'],
  },
});
