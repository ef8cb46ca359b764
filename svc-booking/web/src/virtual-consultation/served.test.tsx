// @vitest-environment happy-dom
import { act, cleanup } from '@testing-library/react';
import { useState } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { afterEach, expect, it, vi } from 'vitest';
import { Served } from './served.tsx';

function Page({ title }: { title: string }) {
  const [count, setCount] = useState(0);
  return (
    <>
      <h1>{title}</h1>
      <Served labelledBy="how" />
      <button onClick={() => setCount(count + 1)}>{count}</button>
    </>
  );
}

async function hydrated(title: string) {
  const main = document.createElement('main');
  main.innerHTML =
    '<h1>Video</h1><section aria-labelledby="how"><h2 id="how">How it works</h2></section><button>0</button>';
  document.body.append(main);
  const errors: unknown[] = [];
  await act(async () => {
    hydrateRoot(main, <Page title={title} />, { onRecoverableError: (error) => errors.push(error) });
  });
  await act(async () => main.querySelector('button')?.click());
  return { text: main.textContent, errors };
}

afterEach(() => {
  cleanup();
  document.body.replaceChildren();
  vi.restoreAllMocks();
});

it('keeps the served section through hydration and later renders', async () => {
  vi.spyOn(console, 'error').mockImplementation((...words) => expect.fail(words.join(' ')));
  expect(await hydrated('Video')).toEqual({ text: 'VideoHow it works1', errors: [] });
});

it('keeps the section when React renders the page anew because of a mismatch', async () => {
  const { text, errors } = await hydrated('Other');
  expect(errors).toHaveLength(1);
  expect(text).toBe('OtherHow it works1');
});
