import { describe, expect, it } from 'vitest';
import { addressLine, directionsUrl, emailFor, emergencyPhone, phoneFor, siteOf } from './site.ts';

const answer = (body: unknown) => ({ ok: true as const, status: 200, body });
const EMERGENCY = '+91 80 0000 0108';

describe('the facts of the hospital', () => {
  it('fall back to the built-in ones, above all the emergency number', () => {
    for (const result of [
      undefined,
      { ok: false as const, status: 503, body: null },
      answer(null),
      answer([]),
      answer('x'),
    ]) {
      const site = siteOf(result);
      expect(site.name).toBe('Sampige Hospital');
      expect(emergencyPhone(site)).toMatchObject({ display: EMERGENCY, e164: '+918000000108' });
      expect(addressLine(site)).toBe('Jayanagar, Bengaluru 560041');
      expect(emailFor(site, 'general')).toBeUndefined();
    }
  });

  it('are taken one by one from the response', () => {
    const phones = [{ purpose: 'reception', label: 'Reception', display: '1', e164: '+911' }];
    const site = siteOf(answer({ name: 'Another Name', phones, beds: 0, origin: 'https://hospital.example/' }));
    expect([site.name, site.beds, site.origin]).toEqual(['Another Name', 100, 'https://hospital.example']);
    expect(phoneFor(site, 'appointments', 'reception')?.display).toBe('1');
    // The list lacks the emergency number, which must never be missing.
    expect(emergencyPhone(site).display).toBe(EMERGENCY);
    expect(directionsUrl(site)).toContain('query=Another%20Name%2C%20Jayanagar');
  });
});
