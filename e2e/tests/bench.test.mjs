/** O12: the shortest form of `cargo xtask bench pages` measures each kind of page and reports all numbers. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { System, UNLIMITED } from '../system.mjs';

const BENCH = fileURLToPath(new URL('../bench/pages.mjs', import.meta.url));
/** The page whose form hydrates on interaction, the page whose form is ready at once, and the list with a filter. */
const PATHS = ['/', '/appointment', '/doctors'];

describe('the page benchmark', () => {
  let system;
  const folder = mkdtempSync(join(tmpdir(), 'hospital-bench-'));
  before(async () => {
    system = await System.start({ gateway: UNLIMITED });
  });
  after(async () => {
    await system?.stop();
    rmSync(folder, { recursive: true });
  });

  test('measures every kind of page', async () => {
    const file = join(folder, 'pages.json');
    const line = [BENCH, '--base', system.origin, '--short', '--paths', PATHS.join(',')];
    const bench = spawn(process.execPath, [...line, '--json', file], { stdio: ['ignore', 'inherit', 'inherit'] });
    const code = await new Promise((resolve) => bench.once('exit', resolve));
    const rows = JSON.parse(readFileSync(file, 'utf8'));
    assert.deepEqual(
      rows.flatMap(({ problems }) => problems),
      [],
    );
    assert.equal(code, 0);
    for (const { path, fcp, lcp, totalKb } of rows) assert.ok(fcp > 0 && lcp > 0 && totalKb > 0, path);
    const [home, booking, doctors] = rows;
    assert.ok(home.hydrated > 0 && booking.hydrated > 0 && booking.nativeReady > 0, JSON.stringify([home, booking]));
    assert.ok(doctors.filtered > 0, JSON.stringify(doctors));
  });
});
