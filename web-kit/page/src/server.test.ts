import { afterEach, describe, expect, it } from 'vitest';
import type { PageProps } from './contract.ts';
import { texts } from './language.ts';
import { defineServer } from './server.tsx';

afterEach(() => {
  globalThis.hospitalRender = undefined;
});

it('names its language, and none for a language that the team has not begun', () => {
  const { t } = texts('begun', { kn: { 'Book a visit': 'ಸಮಯ ಕಾಯ್ದಿರಿಸಿ' } });
  defineServer({ './thing': { default: () => t('Book a visit') } });
  const of = (language?: string) => {
    const input = { kind: 'fragment', module: './thing', identifierPrefix: 'f0-', props: { language } };
    return JSON.parse(globalThis.hospitalRender?.(JSON.stringify(input)) ?? '');
  };
  expect(of('kn')).toMatchObject({ html: 'ಸಮಯ ಕಾಯ್ದಿರಿಸಿ', language: 'kn' });
  for (const code of ['hi', undefined]) {
    expect(of(code)).toMatchObject({ html: 'Book a visit' });
    expect(of(code)).not.toHaveProperty('language');
  }
});

function rendered(location: string | null) {
  defineServer({ './thing': { default: () => 'here', location: () => location } });
  const input = { kind: 'fragment', module: './thing', identifierPrefix: 'f0-', props: {} };
  return JSON.parse(globalThis.hospitalRender?.(JSON.stringify(input)) ?? '');
}

it('returns the props for the browser', () => {
  const clientProps = ({ data: _, ...props }: PageProps) => ({ ...props, data: {} });
  defineServer({ './thing': { default: () => 'here', clientProps } });
  const input = { kind: 'fragment', module: './thing', identifierPrefix: 'f0-', props: { path: '/', data: { a: 1 } } };
  expect(JSON.parse(globalThis.hospitalRender?.(JSON.stringify(input)) ?? '')).toMatchObject({
    props: { path: '/', data: {} },
  });
});

describe('a module that knows its canonical address', () => {
  it('returns it and still renders', () => {
    expect(rendered('/doctor/asha-rao')).toEqual({
      html: 'here',
      head: null,
      status: 200,
      location: '/doctor/asha-rao',
    });
  });

  it('returns nothing for the canonical address', () => {
    expect(rendered(null)).toEqual({ html: 'here', head: null, status: 200 });
  });

  it('never redirects to another site', () => {
    for (const elsewhere of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      '/a b',
      '/a\r\nSet-Cookie: x',
      'doctor/x',
    ]) {
      expect(() => rendered(elsewhere), elsewhere).toThrow('a path of this site');
    }
  });
});
