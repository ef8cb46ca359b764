import { defineConfig } from 'vitest/config';

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic' } },
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
