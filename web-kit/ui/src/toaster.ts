/**
 * The corner stack behind `showToast`, loaded on first use. Own code, since the usual library writes a
 * style element, which the site's content security policy refuses, and has another swipe threshold.
 */
import type { Toast } from './toast.tsx';

const VISIBLE_MAX = 3;
const DURATION_MS = 4000;
const DURATION_ERROR_MS = 5000;
const SWIPE_PX_MIN = 50;

type ClassNames = Readonly<Record<string, string>>;

export interface Toaster {
  show: (toast: Toast) => void;
}

const toasters = new WeakMap<Document, Toaster>();

/** The one stack of this document. */
export function toasterIn(document: Document, styles: ClassNames): Toaster {
  const known = toasters.get(document);
  if (known) return known;
  const toaster = makeToaster(document, styles);
  toasters.set(document, toaster);
  return toaster;
}

function makeToaster(document: Document, styles: ClassNames): Toaster {
  const stack = document.createElement('section');
  stack.className = styles.stack ?? '';
  stack.tabIndex = -1;
  stack.setAttribute('aria-label', 'Notifications (Alt+T)');
  document.body.append(stack);
  document.addEventListener('keydown', (event) => {
    if (event.altKey && event.code === 'KeyT' && stack.childElementCount > 0) stack.focus();
  });

  /** The newest three are seen; an older one comes back when a newer one goes. */
  function arrange() {
    [...stack.children].reverse().forEach((item, index) => item.toggleAttribute('hidden', index >= VISIBLE_MAX));
  }

  function show(toast: Toast) {
    const item = makeItem(document, styles, toast);
    const dismiss = () => {
      item.remove();
      arrange();
    };
    item.querySelector('button')?.addEventListener('click', dismiss);
    dismissAfter(item, toast.tone === 'error' ? DURATION_ERROR_MS : DURATION_MS, dismiss);
    dismissBySwipe(item, dismiss);
    stack.append(item);
    arrange();
  }

  return { show };
}

function makeItem(document: Document, styles: ClassNames, { title, description, tone }: Toast): HTMLElement {
  const make = (tag: string, className: string, text = '') => {
    const element = document.createElement(tag);
    element.className = styles[className] ?? '';
    element.textContent = text;
    return element;
  };
  const item = make('div', 'toast');
  item.setAttribute('role', tone === 'error' ? 'alert' : 'status');
  if (tone) item.classList.add(styles[tone] ?? tone);
  const words = make('div', 'words');
  words.append(make('p', 'title', title));
  if (description) words.append(make('p', 'description', description));
  const close = make('button', 'close', '×');
  close.setAttribute('type', 'button');
  close.setAttribute('aria-label', 'Close');
  item.append(words, close);
  return item;
}

/** Counts only while nobody points at it or is in it: a message must not go while it is being read. */
function dismissAfter(item: HTMLElement, durationMs: number, dismiss: () => void) {
  let timer = setTimeout(dismiss, durationMs);
  const hold = () => clearTimeout(timer);
  const go = () => {
    clearTimeout(timer);
    timer = setTimeout(dismiss, durationMs);
  };
  item.addEventListener('pointerenter', hold);
  item.addEventListener('focusin', hold);
  item.addEventListener('pointerleave', go);
  item.addEventListener('focusout', go);
}

function dismissBySwipe(item: HTMLElement, dismiss: () => void) {
  let start: number | null = null;
  item.addEventListener('pointerdown', (event) => {
    if ((event.target as Element).closest('button')) return;
    start = event.clientX;
    item.setPointerCapture?.(event.pointerId);
  });
  item.addEventListener('pointermove', (event) => {
    if (start !== null) item.style.translate = `${Math.max(0, event.clientX - start)}px`;
  });
  const end = (event: PointerEvent) => {
    if (start === null) return;
    const moved = event.clientX - start;
    start = null;
    item.style.translate = '';
    if (event.type === 'pointerup' && moved >= SWIPE_PX_MIN) dismiss();
  };
  item.addEventListener('pointerup', end);
  item.addEventListener('pointercancel', end);
}
