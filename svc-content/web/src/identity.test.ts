/** W13: site.toml is authoritative. Built-in facts, used while the service is unavailable, must match it. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { expect, it } from 'vitest';
import { emergencyPhone, siteOf } from '@hospital/ui/site';

const ROOT = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const RECORD = parse(read('svc-content/content/site.toml')) as Record<string, any>;

it('the built-in facts match the record', () => {
  const { name, tagline, foundedYear, beds, latitude, longitude, accreditations, statistics, address } =
    siteOf(undefined);
  const { street: _, postalCode, ...rest } = address;
  expect({ name, tagline, founded_year: foundedYear, beds, latitude, longitude, accreditations }).toEqual({
    name: RECORD.name,
    tagline: RECORD.tagline,
    founded_year: RECORD.founded_year,
    beds: RECORD.beds,
    latitude: RECORD.latitude,
    longitude: RECORD.longitude,
    accreditations: RECORD.accreditations,
  });
  const { street, ...recorded } = RECORD.address;
  expect(street).toBeTruthy();
  expect({ ...rest, postal_code: postalCode }).toEqual(recorded);
  expect(statistics).toEqual(RECORD.statistic);
  const emergency = RECORD.phone.find(({ purpose }: { purpose: string }) => purpose === 'emergency');
  expect(emergencyPhone(siteOf(undefined)).display).toBe(emergency.display);
});

it('the web manifest has the name of the record', () => {
  const { name, description } = JSON.parse(read('web-shell/root/site.webmanifest'));
  expect([name, description]).toEqual([RECORD.name, RECORD.tagline]);
});

it('no page module, nor the shell, hard-codes the name', () => {
  const listed = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { cwd: ROOT, encoding: 'utf8' }).split('\n');
  const sources = listed.filter((path) => /^(web-shell|web-kit\/[^/]+|svc-[^/]+\/web)\/src\//.test(path));
  expect(sources.length).toBeGreaterThan(200);
  const own = sources.filter((path) => !/test|fixtures|opened|built-in/.test(path));
  const named = own.filter((path) =>
    read(path)
      .replace(/^\s*(\/?\*|\/\/).*$/gm, '')
      .includes(RECORD.name),
  );
  // The built-in facts of web-kit and of the booking form.
  expect(named.sort()).toEqual(['svc-booking/web/src/appointment/data.ts', 'web-kit/ui/src/site.ts']);
});
