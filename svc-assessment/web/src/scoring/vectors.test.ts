/** Golden cases shared with the service: a rule changed on one side only fails on one of them. */
import { describe, expect, it } from 'vitest';
import type { AssessmentInput } from '@hospital/api/types';
import indian from '../../../vectors/indian.json';
import scoring from '../../../vectors/scoring.json';
import { indianResults } from './indian.ts';
import { RECOMMENDATIONS, resultsOf, score } from './score.ts';

interface Case {
  name: string;
  answers: AssessmentInput;
  result: object;
}

describe('by the specification', () => {
  it.each(scoring.cases as Case[])('$name', ({ answers, result }) => {
    expect(resultsOf(score(answers))).toEqual(result);
  });

  it('recommends what the service recommends', () => {
    expect(RECOMMENDATIONS).toEqual(scoring.recommendations);
  });
});

describe('by the Indian cut-offs and risk score', () => {
  it.each(indian.cases as Case[])('$name', ({ answers, result }) => {
    expect(indianResults(answers)).toEqual(result);
  });
});
