import { join } from 'node:path';
import { build } from 'vite';
import { expect, it } from 'vitest';

const SOURCES = join(import.meta.dirname, '..');

/** Each script is inlined in every document of its page, so its uncompressed size counts. */
it.each([
  ['home/stats.script.ts', 700],
  ['home/carousel.script.ts', 1750],
  ['doctors/filter.script.ts', 1500],
  ['desk/editor.script.ts', 4400],
  ['desk/upload.script.ts', 3000],
  ['desk/focus.script.ts', 1300],
])('%s is at most %i bytes', async (file, bytesMax) => {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, minify: true, lib: { entry: join(SOURCES, file), formats: ['es'] } },
  });
  const [result] = [built].flat();
  if (!result || !('output' in result)) throw new Error('nothing was built');
  expect(result.output.map((part) => ('code' in part ? part.code.length : 0))).toEqual([expect.any(Number)]);
  expect(result.output[0].code.length).toBeLessThan(bytesMax);
});
