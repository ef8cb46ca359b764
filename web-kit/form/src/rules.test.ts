import { describe, expect, it } from 'vitest';
import table from '../../../service-kit/vectors/input.json';
import { type Parsed, parseEmail, parseLine, parseName, parseParagraphs, parsePhone } from './rules.ts';

interface Case {
  rule: string;
  before?: string;
  text: string;
  times?: number;
  then?: string;
  max?: number;
  kept?: true | string;
  problem?: string;
  server?: true;
}

const RULES: Record<string, (text: string, charactersMax: number) => Parsed> = {
  email: parseEmail,
  phone: parsePhone,
  name: parseName,
  line: parseLine,
  paragraphs: parseParagraphs,
};
const texts: Record<string, string> = table.texts;

function typed({ before = '', text, times = 1, then = '' }: Case): string {
  return before + text.repeat(times) + then;
}

describe('the vectors shared with the services', () => {
  const cases = (table.cases as Case[]).map(
    (one) => [`${one.rule} ${JSON.stringify(typed(one)).slice(0, 60)}`, one] as const,
  );

  it('cover every rule', () => {
    expect(cases.length).toBeGreaterThanOrEqual(120);
    expect(new Set(table.cases.map(({ rule }) => rule))).toEqual(new Set(Object.keys(RULES)));
  });

  it.each(cases)('%s', (_, one) => {
    const { rule, max = 0, kept, problem, server } = one;
    const parsed = RULES[rule]?.(typed(one), max);
    if (problem) {
      expect(parsed?.problem).toBe(server ? '' : texts[problem]?.replace('{max}', String(max)));
    } else {
      expect(parsed).toEqual({ value: kept === true ? typed(one) : kept, problem: '' });
    }
  });
});

describe('text that is never sent to a service', () => {
  it('is refused with half a surrogate pair', () => {
    expect(parseName('Asha \ud83d').problem).toBe(texts.unseen);
  });

  it('is reported as empty, not as wrong', () => {
    expect(parseLine(' \u200b\n', 9)).toEqual({ value: '', problem: 'Fill this in' });
    expect(parseEmail(' nobody ').value).toBe('nobody');
  });

  it('is parsed in linear time', () => {
    const started = performance.now();
    parsePhone(`${'1'.repeat(15)}${' '.repeat(60_000)}x`);
    parseEmail(`a@${'a-'.repeat(30_000)}`);
    parseParagraphs(`x${' '.repeat(60_000)}x`, 100_000);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
