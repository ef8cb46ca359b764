/**
 * Files of a folder by relative path: the result of webpack's `import.meta.webpackContext`, which vitest.config.ts
 * emulates for tests.
 */
interface WebpackContext<Module> {
  (path: string): Module;
  keys(): string[];
}

interface ImportMeta {
  webpackContext(folder: string, options: { regExp: RegExp }): WebpackContext<string>;
}
