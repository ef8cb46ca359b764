/** Every file of a folder, by its path below it: what webpack makes of `import.meta.webpackContext`, and vitest.config.ts for tests. */
interface WebpackContext<Module> {
  (path: string): Module;
  keys(): string[];
}

interface ImportMeta {
  webpackContext(folder: string, options: { regExp: RegExp }): WebpackContext<string>;
}
