// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { showSkeletons } from '../src/client/skeletons.ts';

const SKELETONS = '/blogs card 6 Loading posts|/blogs/{slug} text 2 Loading the post';
const BODY =
  '<main id="main" tabindex="-1"><a href="/blogs?page=2">Older</a><a href="/blogs/sleep">Sleep</a><a href="/contact">Contact</a>' +
  '<a href="/blogs" target="_blank">New tab</a><a href="#main">Here</a></main>';

const main = () => document.getElementById('main') as HTMLElement;
const skeleton = () => document.querySelector<HTMLElement>('#main + main');
const link = (href: string) => document.querySelector(`a[href="${href}"]`) as HTMLElement;

let stop: () => void;

function open({ skeletons = SKELETONS, saveData = false } = {}) {
  document.body.innerHTML = BODY;
  document.body.dataset.skeletons = skeletons;
  Object.defineProperty(navigator, 'connection', { value: { saveData }, configurable: true });
  const added = vi.spyOn(window, 'addEventListener');
  showSkeletons();
  const calls = [...added.mock.calls];
  added.mockRestore();
  stop = () => calls.forEach(([kind, listener]) => removeEventListener(kind, listener as EventListener));
}

/** Clicks a link. The environment does not navigate, so `preventDefault` is left to the cases that test it. */
function follow(href: string, init: MouseEventInit = {}) {
  link(href).dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...init }));
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  document.body.replaceChildren();
});

it('S3: shows the skeleton of the next page after 300 ms, and removes it when shown again', () => {
  open();
  link('/blogs?page=2').focus();
  follow('/blogs?page=2');
  vi.advanceTimersByTime(299);
  expect([skeleton(), main().hidden]).toEqual([null, false]);
  vi.advanceTimersByTime(1);
  expect(main().hidden).toBe(true);
  expect(skeleton()?.textContent).toBe('Loading posts…');
  expect(skeleton()?.querySelectorAll('span')).toHaveLength(6);
  dispatchEvent(new Event('pageshow'));
  expect([skeleton(), main().hidden, document.activeElement]).toEqual([null, false, link('/blogs?page=2')]);
});

it('S3: in another language, all skeletons have the label of the frame', () => {
  open({ skeletons: '/contact text 3|/blogs/{slug} text 2' });
  main().insertAdjacentHTML('beforebegin', '<nav data-loading="ಲೋಡ್ ಆಗುತ್ತಿದೆ"></nav>');
  main().insertAdjacentHTML('beforeend', '<a href="/kn/blogs/sleep">ನಿದ್ರೆ</a>');
  follow('/kn/blogs/sleep');
  vi.advanceTimersByTime(300);
  expect([skeleton()?.textContent, skeleton()?.querySelectorAll('span').length]).toEqual(['ಲೋಡ್ ಆಗುತ್ತಿದೆ…', 2]);
});

it('S3: parameters of a route fit any segment', () => {
  open();
  follow('/blogs/sleep');
  vi.advanceTimersByTime(300);
  expect([skeleton()?.textContent, skeleton()?.querySelectorAll('span').length]).toEqual(['Loading the post…', 2]);
});

it.each(['Escape', 'too long'])('S3: restores the page: %s', (how) => {
  open();
  follow('/blogs/sleep');
  vi.advanceTimersByTime(300);
  if (how === 'Escape') dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
  else vi.advanceTimersByTime(15_000);
  expect([skeleton(), main().hidden]).toEqual([null, false]);
});

it('S3: shows none for a fast page', () => {
  open();
  follow('/blogs/sleep');
  dispatchEvent(new Event('pagehide'));
  vi.advanceTimersByTime(1000);
  expect(skeleton()).toBeNull();
});

it('S3: shows none for undeclared pages, new tabs, fragments and cancelled clicks', () => {
  open();
  for (const href of ['/contact', '#main']) follow(href);
  link('/blogs/sleep').addEventListener('click', (event) => event.preventDefault());
  follow('/blogs/sleep');
  follow('/blogs?page=2', { ctrlKey: true });
  link('/blogs').dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  vi.advanceTimersByTime(1000);
  expect([skeleton(), main().hidden]).toEqual([null, false]);
});

it.each([{ saveData: true }, { skeletons: '' }])('S3: shows none with %j', (how) => {
  open(how);
  follow('/blogs/sleep');
  vi.advanceTimersByTime(1000);
  expect(skeleton()).toBeNull();
});
