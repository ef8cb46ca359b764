import { describe, expect, it } from 'vitest';
import type { DirectoryEntry } from '@hospital/page';
import { pagesFor } from './directory.ts';

const page = (path: string, title: string, words: string): DirectoryEntry => ({
  path,
  team: 'any',
  siteMap: true,
  search: { title, words, summary: `About ${title}` },
});
const PAGES = [
  page('/doctors', 'Doctors', 'physician specialist consultant'),
  page('/appointment', 'Book an appointment', 'booking visit doctors time'),
  page('/emergency', 'In an emergency', 'accident ambulance urgent'),
  { path: '/doctor/a', team: 'content', siteMap: true },
];
const paths = (question: string) => pagesFor(question, PAGES).map(({ path }) => path);

describe('finds pages', () => {
  it('by the words of title and declaration, in any case, title matches first', () => {
    expect(paths('DOCTORS')).toEqual(['/doctors', '/appointment']);
    expect(paths('urgent')).toEqual(['/emergency']);
    expect(pagesFor('ambulance', PAGES)).toEqual([
      {
        path: '/emergency',
        title: 'In an emergency',
        summary: 'About In an emergency',
        words: 'accident ambulance urgent',
        inTitle: false,
      },
    ]);
  });

  it('by the beginning of a word, and by all significant words', () => {
    expect(paths('appoint')).toEqual(['/appointment']);
    expect(paths('how to book a visit')).toEqual(['/appointment']);
    expect(paths('book ambulance')).toEqual([]);
    expect(paths('in an')).toEqual(['/emergency']);
  });

  it('with one typo in a word of five letters or more', () => {
    for (const typed of ['emergncy', 'emmergency', 'emergemcy', 'emregency'])
      expect(paths(typed), typed).toEqual(['/emergency']);
    expect(paths('emrgncy')).toEqual([]);
    // Four letters: below the minimum for typing errors.
    expect(paths('tine')).toEqual([]);
  });

  it('never for an empty query, and at most five', () => {
    expect([paths(''), paths(' ,.; ')]).toEqual([[], []]);
    const many = Array.from({ length: 9 }, (_, index) => page(`/${index}`, 'Heart', ''));
    expect(pagesFor('heart', many)).toHaveLength(5);
  });
});
