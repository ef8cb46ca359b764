// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { type Pass, passPage } from './kept-pass.ts';

const PASS: Pass = {
  reference: 'SH-7K3M-9QXD',
  date: '2026-11-27',
  facts: [
    ['Patient', 'Asha <b>Rao</b> & son'],
    ['Time', '9:00 AM IST'],
  ],
  toBring: ['ID proof', 'Insurance "card"'],
  hospital: 'Sampige Hospital',
  managePath: '/appointment/manage#SH-7K3M-9QXD.c2VjcmV0',
  emergency: { display: '+91 80 0000 0108', e164: '+918000000108' },
};

it('is a page of text without script, with every fact, the number and the link', () => {
  const page = new DOMParser().parseFromString(passPage(PASS), 'text/html');
  expect(page.title).toBe('Your appointment SH-7K3M-9QXD');
  expect([...page.querySelectorAll('dd')].map((fact) => fact.textContent)).toEqual(
    PASS.facts.map(([, value]) => value),
  );
  expect([...page.querySelectorAll('li')].map((item) => item.textContent)).toEqual(PASS.toBring);
  expect(page.querySelectorAll('script, b, img, [style], form')).toHaveLength(0);
  const targets = [...page.querySelectorAll('a')].map((link) => link.getAttribute('href'));
  expect(targets).toEqual([PASS.managePath, 'tel:+918000000108', '/emergency', '/']);
});

it('has no link to change the appointment without its secret', () => {
  expect(passPage({ ...PASS, managePath: '' })).not.toContain('Change or cancel');
});
