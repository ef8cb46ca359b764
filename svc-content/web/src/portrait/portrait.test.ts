import { expect, it } from 'vitest';
import { portraitOf } from '../parts/drawings.ts';
import { location, status } from './portrait.tsx';

it('leads to the drawing of a doctor', () => {
  const params = { file: 'dr-ayesha-khanum.svg' };
  expect([location({ params }), status({ params })]).toEqual([portraitOf('dr-ayesha-khanum'), 307]);
});

it('knows no other pictures', () => {
  const params = { file: '../scene.svg' };
  expect([location({ params }), status({ params })]).toEqual([null, 404]);
});
