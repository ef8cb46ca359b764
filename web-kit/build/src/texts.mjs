/**
 * Finds the translated texts that the script of a page module can show. A document in another language than English
 * carries the translations of these texts alone, and not the whole catalogue.
 */
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hydratingModules } from './config.mjs';

const KIT = fileURLToPath(import.meta.resolve('@hospital/page/kn.json'));

/**
 * Appends to the server's script `globalThis.hospitalTexts`, module to the keys of its texts, and
 * `globalThis.hospitalNames`, keys of the names that the team's service sends. Nothing without catalogues.
 */
export function appendTexts({ config, packageDir, outDir, remote, serverFile }) {
  const own = join(packageDir, 'messages/kn.json');
  if (!remote || !existsSync(own)) return;
  const keys = [...new Set([own, KIT].flatMap((file) => Object.keys(JSON.parse(readFileSync(file, 'utf8')))))];
  const names = remote.assets.map(({ name }) => name).filter((name) => name.endsWith('.js'));
  const scripts = new Map(names.map((name) => [name, unescaped(readFileSync(join(outDir, name), 'utf8'))]));
  // Names that the team's service sends, which scripts translate too.
  const data = join(packageDir, '../config');
  const sent = existsSync(data) ? readdirSync(data).map((name) => readFileSync(join(data, name), 'utf8')) : [];
  const ownNames = keys.filter((key) => sent.some((text) => text.includes(key)));
  // Scripts that a module loads later belong to every module: they are few, and rarely shared.
  const later = names.filter((name) => !name.startsWith(EXPOSED));
  const texts = {};
  for (const module of hydratingModules(config)) {
    const prefix = `${EXPOSED}${module.slice(2).replaceAll('-', '_')}.`;
    const loaded = [...names.filter((name) => name.startsWith(prefix)), ...later].map((name) => scripts.get(name));
    texts[module] = keys.filter((key) => loaded.some((script) => script.includes(key)));
  }
  const values = `hospitalTexts=${JSON.stringify(texts)};globalThis.hospitalNames=${JSON.stringify(ownNames)}`;
  appendFileSync(join(outDir, serverFile), `\n;globalThis.${values};\n`);
}

/** File names of exposed modules begin with this. Federation replaces the hyphens of the module's name. */
const EXPOSED = '__federation_expose_';

/** Undoes the escapes that a minifier adds to the quotes of a text. */
function unescaped(script) {
  return script.replace(/\\(['"`])/g, '$1');
}
