/**
 * Draws each docs/*.mmd with Mermaid in Chromium and writes an SVG beside it: `node docs/draw.mjs`. The SVG contains
 * its source, which `cargo xtask tidy` compares. The first run fetches Mermaid to target/draw.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { launch } from '../e2e/browser.mjs';

const MERMAID = 'mermaid@12.3.0';
const DOCS = fileURLToPath(new URL('.', import.meta.url));
const FOLDER = join(DOCS, '../target/draw', MERMAID);
const SCRIPT = join(FOLDER, 'package/dist/mermaid.min.js');
/** Labels as SVG text: an HTML label is not shown where an SVG is used as an image. */
const SETTINGS = {
  startOnLoad: false,
  theme: 'neutral',
  look: 'classic',
  htmlLabels: false,
  fontFamily: 'sans-serif',
  flowchart: { wrappingWidth: 400 },
};

if (!existsSync(SCRIPT)) {
  mkdirSync(FOLDER, { recursive: true });
  const archive = execFileSync('npm', ['pack', MERMAID, '--loglevel=error'], { cwd: FOLDER, encoding: 'utf8' });
  execFileSync('tar', ['-xzf', archive.trim(), 'package/dist/mermaid.min.js'], { cwd: FOLDER });
}
const browser = await launch();
try {
  const page = await browser.newPage();
  await page.addScriptTag({ path: SCRIPT });
  for (const name of readdirSync(DOCS).filter((name) => name.endsWith('.mmd'))) {
    const source = readFileSync(join(DOCS, name), 'utf8');
    const svg = await page.evaluate(
      async ([settings, text]) => {
        globalThis.mermaid.initialize(settings);
        const place = document.createElement('div');
        place.innerHTML = (await globalThis.mermaid.render('drawing', text)).svg;
        const svg = place.firstElementChild;
        svg.style.background = 'white';
        const metadata = document.createElementNS(svg.namespaceURI, 'metadata');
        metadata.textContent = text;
        svg.prepend(metadata);
        return new globalThis.XMLSerializer().serializeToString(svg);
      },
      [SETTINGS, source],
    );
    writeFileSync(join(DOCS, name.replace('.mmd', '.svg')), `${svg}\n`);
  }
} finally {
  await browser.close();
}
