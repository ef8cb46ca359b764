// @vitest-environment happy-dom
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import everyDocument from '../src/document.script.ts';
import { Header } from '../src/header.tsx';
import { siteOf } from '@hospital/ui/site';

const panel = (name: string) => document.querySelector(`header details.${name}`) as HTMLDetailsElement;
const summary = (name: string) => panel(name).querySelector('summary') as HTMLElement;
const field = (name: string) => panel(name).querySelector('input') as HTMLInputElement;
const inside = (name: string) => panel(name).querySelector('input, a') as HTMLElement;
const outside = () => document.querySelector('main a') as HTMLElement;

function tap(from: Element, to: Element = from) {
  from.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
  to.dispatchEvent(new PointerEvent('pointerup', { bubbles: true }));
}

function press(key: string, init: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init });
  (document.activeElement ?? document.body).dispatchEvent(event);
  return event;
}

/** Renders a new page for each test. Listeners of earlier tests stay on the document. */
beforeEach(() => {
  document.body.innerHTML = `${renderToString(<Header site={siteOf(undefined)} path="/" />)}<main><a href="/x">Text</a></main>`;
  everyDocument();
});
afterEach(() => document.body.replaceChildren());

it.each(['menu', 'search'])('%s: Escape closes it, keeps typed text and returns the focus', (name) => {
  panel(name).open = true;
  field('search').value = 'knee';
  inside(name).focus();
  const escape = press('Escape');
  expect(panel(name).open).toBe(false);
  expect(document.activeElement).toBe(summary(name));
  expect(escape.defaultPrevented).toBe(true);
  expect(field('search').value).toBe('knee');
});

it('ignores Escape when nothing is open, and during composition', () => {
  outside().focus();
  expect(press('Escape').defaultPrevented).toBe(false);
  expect(document.activeElement).toBe(outside());
  panel('menu').open = true;
  press('Escape', { isComposing: true });
  press('a');
  expect(panel('menu').open).toBe(true);
});

it('a tap outside closes it; a tap inside, or a press that only ends outside, does not', () => {
  panel('menu').open = true;
  tap(inside('menu'));
  tap(inside('menu'), outside());
  expect(panel('menu').open).toBe(true);
  tap(outside());
  expect(panel('menu').open).toBe(false);
});

it('closes when the focus leaves, not when it moves inside or the window loses it', () => {
  panel('menu').open = true;
  summary('menu').focus();
  inside('menu').focus();
  expect(panel('menu').open).toBe(true);
  inside('menu').dispatchEvent(new FocusEvent('focusout', { bubbles: true, relatedTarget: null }));
  expect(panel('menu').open).toBe(true);
  inside('menu').dispatchEvent(new FocusEvent('focusout', { bubbles: true, relatedTarget: outside() }));
  expect(panel('menu').open).toBe(false);
});

it('S7: focuses the search field when the search opens; the menu does not move the focus', () => {
  panel('search').open = true;
  panel('search').dispatchEvent(new Event('toggle'));
  expect(document.activeElement).toBe(field('search'));
  summary('menu').focus();
  panel('menu').open = true;
  panel('menu').dispatchEvent(new Event('toggle'));
  expect(document.activeElement).toBe(summary('menu'));
});

it('W13: Go Back goes back in the history, if there is any', () => {
  const back = vi.spyOn(history, 'back').mockImplementation(() => {});
  const length = vi.spyOn(history, 'length', 'get').mockReturnValue(2);
  document.body.insertAdjacentHTML('beforeend', '<a href="/doctors" data-go-back>Go Back</a>');
  const link = document.querySelector('[data-go-back]') as HTMLElement;
  // Prevents navigation in the test.
  link.addEventListener('click', (event) => event.preventDefault());
  link.click();
  expect(back).toHaveBeenCalled();
  back.mockClear();
  length.mockReturnValue(1);
  link.click();
  expect(back).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});

it('S7: marks a picture that failed to load, and nothing else', () => {
  document.body.insertAdjacentHTML('beforeend', '<img src="/x.png" alt=""><script type="x"></script>');
  const [picture, other] = ['img', 'script'].map((name) => document.querySelector(`body > ${name}`) as HTMLElement);
  for (const element of [picture, other]) element?.dispatchEvent(new Event('error'));
  expect([picture?.dataset.broken, other?.dataset.broken]).toEqual(['', undefined]);
});

it('W12: keeps one question of a name open, also in browsers without exclusive details', () => {
  const prototype = HTMLDetailsElement.prototype as { name?: string };
  const known = Object.getOwnPropertyDescriptor(prototype, 'name');
  delete prototype.name;
  everyDocument();
  document.body.insertAdjacentHTML(
    'beforeend',
    '<details name="faq" id="a" open></details><details name="faq" id="b"></details><details name="x" id="c" open></details>',
  );
  const opened = document.getElementById('b') as HTMLDetailsElement;
  opened.open = true;
  opened.dispatchEvent(new Event('toggle'));
  const isOpen = ['a', 'b', 'c'].map((id) => (document.getElementById(id) as HTMLDetailsElement).open);
  expect(isOpen).toEqual([false, true, true]);
  if (known) Object.defineProperty(prototype, 'name', known);
});
