import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { qrOf } from './qr.ts';

const LINK = 'https://www.sampige.example/appointment/manage#SH-7K3M-9QXD.k7Qm2xZ-9_bTn4RfVw8LsYc1Hd6JgPa3Ue5Xo0Ni-Mq';

/** Returns whether the module in this column and row is dark. */
function isDark(path: string, x: number, y: number): boolean {
  const runs = [...path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)].map(([, ...run]) => run.map(Number));
  return runs.some(([left = 0, top = 0, width = 0]) => top === y && x >= left && x < left + width);
}

it('U6: encodes a link in 41 modules, with three finder patterns', () => {
  const { size, path } = qrOf(LINK);
  expect(size).toBe(41);
  for (const [x, y] of [[0, 0], [34, 0], [0, 34]] as const) {
    const row = Array.from({ length: 7 }, (_, at) => isDark(path, x + at, y + 1));
    expect(row, `${x} ${y}`).toEqual([true, false, false, false, false, false, true]);
  } // prettier-ignore
  // This path was decoded once with another library (qr 0.7.0), which returned the link.
  expect(createHash('sha256').update(path).digest('hex').slice(0, 16)).toBe('0cf12bb9f360c9a4');
});
