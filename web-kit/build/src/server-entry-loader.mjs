/** Generates the entry of a server bundle, which registers every module of the package by name. */
export default function serverEntry() {
  const { modules, document } = this.getOptions();
  const names = Object.keys(modules);
  const request = (file) => JSON.stringify(this.utils.contextify(this.context, file));
  return [
    `import { defineServer } from '@hospital/page/server';`,
    ...names.map((name, index) => `import * as module${index} from ${request(modules[name])};`),
    document ? `import renderDocument from ${request(document)};` : `const renderDocument = undefined;`,
    `defineServer({ ${names.map((name, index) => `${JSON.stringify(name)}: module${index}`).join(', ')} }, renderDocument);`,
  ].join('\n');
}
