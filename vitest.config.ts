import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/** Matches `import.meta.webpackContext`, which lists a folder's files. Tests use Vite's `import.meta.glob` instead. */
const FOLDER = /import\.meta\.webpackContext\('([^'?]+)(\?raw|\?share)?', \{\s*regExp: (\/.+\/),\s*\}\)/g;

function folders(): Plugin {
  return {
    name: 'folders',
    enforce: 'pre',
    transform(code, id) {
      if (!/\.tsx?$/.test(id) || !code.includes('webpackContext(')) return null;
      return code.replace(FOLDER, (_, folder: string, given = '', pattern: string) => {
        // Only the build renders share images. Tests get a distinct URL for each.
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
    // Tests that need a DOM opt in with `// @vitest-environment happy-dom`.
    environment: 'node',
    setupFiles: 'vitest.setup.ts',
    css: { modules: { classNameStrategy: 'non-scoped' } },
    // Tests share the machine with the suite's databases and services.
    maxWorkers: 2,
    testTimeout: 60_000,
    reporters: ['default'],
  },
});
