// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest';
import { brokenRules } from './accessibility.tsx';

afterEach(() => document.body.replaceChildren());

describe('brokenRules', () => {
  it('finds violations', async () => {
    document.body.innerHTML = '<main><h1>Title</h1><input name="nameless"></main>';
    expect(await brokenRules(document.body)).toEqual([expect.stringMatching(/^label: /)]);
  });
});
