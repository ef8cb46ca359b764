/**
 * Tokens and layers are a contract with every team's style sheets: the shell defines the tokens of the contract, and
 * teams use no others.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import contract from '@hospital/page/tokens.json';

const ROOT = join(import.meta.dirname, '../..');
const TOKENS = readFileSync(join(ROOT, 'web-shell/src/style/tokens.css'), 'utf8');

const matches = (text: string, pattern: RegExp) =>
  new Set([...text.matchAll(pattern)].map(([, name]) => name as string));

it('defines the properties and the layer order of the contract', () => {
  expect([...matches(TOKENS, /^\s*(--[a-z][\w-]*):/gm)].sort()).toEqual(contract.properties);
  expect(/@layer ([^;]+);/.exec(TOKENS)?.[1]?.split(', ')).toEqual(contract.layers);
});

it('defines every property that a style sheet uses', () => {
  const files = execFileSync('git', ['ls-files', 'web-*/*.css', 'svc-*/*.css'], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);
  expect(files.length).toBeGreaterThan(40);
  const unknown = files.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const own = matches(text, /^\s*(--[a-z][\w-]*):/gm);
    const used = matches(text, /var\((--[\w-]+)/g);
    return [...used]
      .filter((name) => !contract.properties.includes(name) && !own.has(name))
      .map((name) => `${file}: ${name}`);
  });
  expect(unknown).toEqual([]);
});
