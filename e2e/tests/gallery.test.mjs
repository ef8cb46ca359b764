/** The gallery of components that `cargo xtask dev shell` serves, looked at by axe. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { DESKTOP, PHONE, assertFits, assertReflows, axe, launch, screenshot, visitor } from '../browser.mjs';
import { ROOT } from '../processes.mjs';
import { Releases } from '../releases.mjs';
import { System, UNLIMITED } from '../system.mjs';
import { buildPackage } from '../../web-kit/build/src/build.mjs';

describe('the gallery', () => {
  const workDir = mkdtempSync(join(tmpdir(), 'hospital-gallery-'));
  const releases = new Releases();
  let system;
  let browser;
  before(async () => {
    await releases.prepare();
    await buildPackage({ packageDir: join(ROOT, 'web-shell'), outDir: workDir, isDev: true });
    const published = await releases.publish({ team: 'shell', built: workDir });
    assert.equal(published.code, 0, published.text);
    [system, browser] = await Promise.all([System.start({ gateway: UNLIMITED, remotes: releases.remotes }), launch()]);
  });
  after(async () => {
    await browser?.close();
    await system?.stop();
    releases.remove();
    rmSync(workDir, { recursive: true, force: true });
  });

  for (const viewport of [PHONE, DESKTOP])
    test(`shows all components at ${viewport.width} px without a finding`, async () => {
      const { context, page, problems } = await visitor(browser, { viewport });
      const response = await page.goto(`${system.origin}/gallery`);
      assert.equal(response.status(), 200);
      await assertFits(page);
      await assertReflows(page);
      assert.deepEqual(await axe(page), []);
      await screenshot(page, `gallery-${viewport.width}`);
      await page.getByRole('button', { name: 'Open the dialog' }).click();
      await page.getByRole('heading', { name: 'Cancel this appointment?' }).waitFor();
      assert.deepEqual(await axe(page), []);
      await page.getByRole('button', { name: 'Keep it' }).click();
      await page.getByRole('button', { name: 'Show an error' }).click();
      await page.getByRole('region', { name: 'Notifications' }).getByText('Assessment saved!').waitFor();
      assert.deepEqual(problems, []);
      await context.close();
    });

  test('is in no published version', async () => {
    const plain = await System.start({ services: false, gateway: UNLIMITED });
    try {
      assert.equal((await fetch(`${plain.origin}/gallery`)).status, 404);
    } finally {
      await plain.stop();
    }
  });
});
