import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { builtIn } from './write.mjs';

it('the built-in files match the content', () => {
  for (const [path, text] of builtIn())
    expect(readFileSync(join(import.meta.dirname, '../src', path), 'utf8'), `run npm run built-in: ${path}`).toBe(text);
});
