/** Last build steps: minified style sheets, the version from the content hash, `module.json`, compressed siblings. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { Features, transform } from 'lightningcss';
import { CONTRACT_VERSION } from './config.mjs';
import { VERSION_PLACEHOLDER } from './webpack.mjs';

/** Oldest browsers that style sheets support. Older browsers show the bare, readable page. */
const SAFARI = (16 << 16) | (4 << 8);
const BROWSERS = { chrome: 110 << 16, firefox: 110 << 16, safari: SAFARI, ios_saf: SAFARI };
const TEXT = /\.(js|css|json|svg|txt|webmanifest)$/;

/**
 * Completes the folder and returns its description and size. Compresses at the highest level unless `quick`, because
 * brotli's best takes longer than the rest of the build.
 */
export function publish(outDir, packageVersion, description, { quick = false } = {}) {
  const files = readdirSync(outDir, { recursive: true })
    .filter((name) => !name.startsWith('.'))
    .sort();
  minifyStyles(outDir, files);
  const version = `${packageVersion}-${contentHash(outDir, files, description)}`;
  for (const name of files.filter((file) => TEXT.test(file))) {
    const text = readFileSync(join(outDir, name), 'utf8');
    if (text.includes(VERSION_PLACEHOLDER))
      writeFileSync(join(outDir, name), text.replaceAll(VERSION_PLACEHOLDER, version));
  }
  const complete = { name: description.name, version, contract: CONTRACT_VERSION, ...description };
  writeFileSync(join(outDir, 'module.json'), `${JSON.stringify(complete, null, 2)}\n`);
  return { description: complete, bytes: compress(outDir, [...files, 'module.json'], quick ? 1 : 11) };
}

function minifyStyles(outDir, files) {
  for (const name of files.filter((file) => file.endsWith('.css'))) {
    const path = join(outDir, name);
    const code = readFileSync(path);
    // The site has one colour scheme. Variables for `light-dark()` would be on every page.
    const options = { minify: true, targets: BROWSERS, exclude: Features.LightDark };
    writeFileSync(path, transform({ filename: name, code, ...options }).code);
  }
}

/** Returns eight hex digits over description, names and bytes. The files still contain the version placeholder. */
function contentHash(outDir, files, description) {
  const hash = createHash('sha256').update(JSON.stringify(description));
  for (const name of files) hash.update(`\0${name}\0`).update(readFileSync(join(outDir, name)));
  return hash.digest('hex').slice(0, 8);
}

function compress(outDir, files, quality) {
  let brotli = 0;
  for (const name of files.filter((file) => TEXT.test(file))) {
    const content = readFileSync(join(outDir, name));
    const small = brotliCompressSync(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    });
    brotli += small.length;
    writeFileSync(join(outDir, `${name}.br`), small);
    writeFileSync(join(outDir, `${name}.gz`), gzipSync(content, { level: Math.min(quality, 9) }));
  }
  return { files: files.length, brotli };
}
