import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const json = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));

interface LockedPackage {
  link?: boolean;
  resolved?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}
const packages = json('package-lock.json').packages as Record<string, LockedPackage>;

it('locks the builds for every platform, which npm ci requires', () => {
  const missing = Object.entries(packages).flatMap(([parent, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !packages[`node_modules/${name}`] && !packages[`${parent}/node_modules/${name}`],
    ),
  );
  expect(missing).toEqual([]);
});

it('names no registry', () => {
  const named = Object.entries(packages).filter(([, { link, resolved }]) => !link && resolved);
  expect(named).toEqual([]);
});

it('pins every dependency of our packages to its locked version', () => {
  const own = Object.keys(packages).filter((place) => !place.includes('node_modules'));
  expect(own.length).toBeGreaterThan(readdirSync(join(ROOT, 'web-kit')).length);
  for (const place of own) {
    const manifest = json(join(place, 'package.json')) as LockedPackage;
    for (const kind of ['dependencies', 'devDependencies'] as const) {
      expect(packages[place]?.[kind] ?? {}, place).toEqual(manifest[kind] ?? {});
      for (const [name, version] of Object.entries(manifest[kind] ?? {})) {
        expect(version, `${place}: ${name}`).toMatch(/^\d+\.\d+\.\d+$/);
      }
    }
  }
});
