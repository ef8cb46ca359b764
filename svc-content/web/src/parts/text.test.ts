import { describe, expect, it } from 'vitest';
import { plain, shortened } from './text.ts';

describe('the plain text of content', () => {
  it('has no tags, scripts or entities of HTML', () => {
    expect(plain('<h2>Sleep</h2>\n<p>well &amp; <b>long</b></p><style>p{}</style>')).toBe('Sleep well & long');
    expect(plain('<p>cut off <a href="/x')).toBe('cut off');
    // Escaped text stays text and is not parsed as a tag afterwards.
    expect(plain('<p>&lt;b&gt;</p>')).toBe('<b>');
    expect(plain('<p>&amp;lt;</p>')).toBe('&lt;');
  });

  it('is unchanged plain text', () => {
    expect(plain('Pulse < 60 and > 100,\nAT&amp;T')).toBe('Pulse < 60 and > 100, AT&amp;T');
  });

  it('ends at a word', () => {
    expect(shortened('Drink water, and rest', 15)).toBe('Drink water…');
    expect(shortened('Drink water', 15)).toBe('Drink water');
  });
});
