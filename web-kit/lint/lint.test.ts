/** Colours come from tokens: the rules that see to it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ESLint } from 'eslint';
import stylelint from 'stylelint';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

async function problems(text: string): Promise<string[]> {
  const { default: configs } = (await import('./eslint.mjs' as string)) as { default: { rules?: object }[] };
  const colours = configs.find(({ rules }) => rules && 'no-restricted-syntax' in rules);
  const eslint = new ESLint({
    overrideConfigFile: true,
    overrideConfig: [{ ...colours, files: ['**/*.js'], ignores: [] } as never],
  });
  const [result] = await eslint.lintText(text, { filePath: join(ROOT, 'web-shell/src/example.js') });
  return (result?.messages ?? []).map(({ message }) => message);
}

it.each([
  "fill('#0b5563')",
  "fill('#fff')",
  'fill(`<path fill="#E6A52E"/>`)',
  "fill('rgb(1 2 3)')",
  "fill('fill=%230b5563')",
])('eslint refuses the colour in %s', async (text) => {
  expect(await problems(text)).toEqual([expect.stringContaining('Colours come from the tokens')]);
});

it.each(["go('#main')", "go('#add')", "fill('var(--action)')", "go('/blogs#facade')", "at('#check-3')"])(
  'eslint accepts %s',
  async (text) => {
    expect(await problems(text)).toEqual([]);
  },
);

it('stylelint refuses hex colours and the names of contract version 2', async () => {
  const { default: config, PREVIOUS_TOKENS } = (await import('./stylelint.mjs' as string)) as {
    default: stylelint.Config;
    PREVIOUS_TOKENS: string[];
  };
  const { rules = {} } = config;
  const own = Object.fromEntries(
    ['color-no-hex', 'declaration-property-value-disallowed-list'].map((rule) => [rule, rules[rule]]),
  );
  const lint = async (code: string) => {
    const { results } = await stylelint.lint({ code, config: { rules: own } });
    return results.flatMap(({ warnings }) => warnings.map(({ rule }) => rule));
  };
  expect(await lint('a { color: #0b5563 }')).toEqual(['color-no-hex']);
  for (const name of PREVIOUS_TOKENS)
    expect(await lint(`a { border: 1px solid var(--${name}) }`), name).toHaveLength(1);
  expect(await lint('a { color: var(--text-soft); background: var(--danger) }')).toEqual([]);
  const defined = [
    ...readFileSync(join(ROOT, 'web-shell/src/style/previous-tokens.css'), 'utf8').matchAll(/^\s*--([\w-]+):/gm),
  ];
  expect(defined.map(([, name]) => name).sort()).toEqual([...PREVIOUS_TOKENS].sort());
});
