/**
 * The toast stack behind `showToast`. Not a library: the usual one inserts a style element, which the site's content
 * security policy blocks, and has a different swipe threshold.
 */
import { t } from '@hospital/page/messages';

const VISIBLE_MAX = 3;
/** Maximum toasts while paused timers keep them from expiring. Beyond it, the oldest is dropped. */
const KEPT_MAX = 20;
const DURATION_MS = 4000;
const DURATION_ERROR_MS = 5000;
const SWIPE_PX_MIN = 50;
/** Each remote bundles its own copy of this file, but a document has one stack. */
const KEY = Symbol.for('hospital.toaster');

type ClassNames = Readonly<Record<string, string>>;

export interface Toast {
  title: string;
  description?: string;
  /** `error` is announced at once and stays for 5 s. Other toasts are announced politely and stay for 4 s. */
  tone?: 'success' | 'error';
}

export interface Toaster {
  show: (toast: Toast) => void;
}

/** Returns the document's only stack. The first call creates it and its live regions. */
export function toasterIn(document: Document, styles: ClassNames): Toaster {
  const holder = document as { [KEY]?: Toaster };
  return (holder[KEY] ??= new Stack(document, styles));
}

class Stack implements Toaster {
  readonly #document: Document;
  readonly #styles: ClassNames;
  readonly #section: HTMLElement;
  /** Live regions, separate from the visible toasts, which may move and disappear. Their politeness never changes. */
  readonly #polite: HTMLElement;
  readonly #assertive: HTMLElement;
  readonly #durations = new WeakMap<Element, number>();
  readonly #timers = new Map<Element, ReturnType<typeof setTimeout>>();
  #isPointedAt = false;
  /** Element that had the focus before it moved into the stack. */
  #cameFrom: HTMLElement | null = null;

  constructor(document: Document, styles: ClassNames) {
    this.#document = document;
    this.#styles = styles;
    this.#polite = this.#make('div', 'announcer');
    this.#polite.setAttribute('role', 'status');
    this.#assertive = this.#make('div', 'announcer');
    this.#assertive.setAttribute('role', 'alert');
    this.#section = this.#make('section', 'stack');
    this.#section.hidden = true;
    this.#section.tabIndex = -1;
    this.#section.setAttribute('aria-label', t('Notifications'));
    this.#section.setAttribute('aria-keyshortcuts', 'Alt+T');
    document.body.append(this.#polite, this.#assertive, this.#section);
    this.#listen();
  }

  show({ title, description, tone }: Toast): void {
    const item = this.#item(title, description, tone);
    const region = tone === 'error' ? this.#assertive : this.#polite;
    const announced = this.#make('p', 'announced', [title, description].filter(Boolean).join(': '));
    this.#durations.set(item, tone === 'error' ? DURATION_ERROR_MS : DURATION_MS);
    this.#section.append(item);
    region.append(announced);
    // Announced by then. A screen reader that reads through the page should find the message only in the stack.
    setTimeout(() => announced.remove(), DURATION_MS);
    if (this.#section.childElementCount > KEPT_MAX) this.#dismiss(this.#section.firstElementChild as HTMLElement);
    this.#arrange();
    this.#run();
  }

  /** Shows the newest three toasts. An older toast reappears when a newer one is removed. */
  #arrange(): void {
    const items = [...this.#section.children];
    const firstSeen = items.length - VISIBLE_MAX;
    const focused = items.findIndex((item) => item.contains(this.#document.activeElement));
    items.forEach((item, index) => item.toggleAttribute('hidden', index < firstSeen));
    this.#section.hidden = items.length === 0;
    if (focused >= 0 && focused < firstSeen) closeButton(items[firstSeen]).focus();
  }

  /** Removes a toast. If the focus was inside, it moves to a neighbouring toast, or back to where it came from. */
  #dismiss(item: HTMLElement): void {
    const hadFocus = item.contains(this.#document.activeElement);
    const next = item.nextElementSibling ?? item.previousElementSibling;
    clearTimeout(this.#timers.get(item));
    this.#timers.delete(item);
    item.remove();
    this.#arrange();
    if (!next) this.#isPointedAt = false;
    if (!hadFocus) return;
    if (next) closeButton(next).focus();
    else this.#leave();
  }

  #leave(): void {
    const back = this.#cameFrom?.isConnected ? this.#cameFrom : this.#document.getElementById('main');
    back?.focus({ preventScroll: true });
  }

  /** Starts missing timers, at full duration, unless the stack is hovered or focused, or the tab is hidden. */
  #run(): void {
    if (this.#isPointedAt || this.#hasFocus() || this.#document.hidden) return;
    for (const item of this.#section.children) {
      if (this.#timers.has(item)) continue;
      const dismiss = () => this.#dismiss(item as HTMLElement);
      this.#timers.set(item, setTimeout(dismiss, this.#durations.get(item)));
    }
  }

  #hold(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  #hasFocus(): boolean {
    return this.#section.contains(this.#document.activeElement);
  }

  #listen(): void {
    const section = this.#section;
    this.#document.addEventListener('keydown', (event) => {
      if (!event.altKey || event.code !== 'KeyT' || section.hidden) return;
      event.preventDefault();
      if (!this.#hasFocus()) this.#cameFrom = this.#document.activeElement as HTMLElement | null;
      section.focus();
    });
    this.#document.addEventListener('visibilitychange', () => (this.#document.hidden ? this.#hold() : this.#run()));
    section.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.#leave();
    });
    section.addEventListener('pointerenter', () => {
      this.#isPointedAt = true;
      this.#hold();
    });
    section.addEventListener('pointerleave', () => {
      this.#isPointedAt = false;
      this.#run();
    });
    section.addEventListener('focusin', ({ relatedTarget }) => {
      if (relatedTarget && !section.contains(relatedTarget as Node)) this.#cameFrom = relatedTarget as HTMLElement;
      this.#hold();
    });
    section.addEventListener('focusout', ({ relatedTarget }) => {
      // The focus has not moved yet when `focusout` fires.
      if (!section.contains(relatedTarget as Node | null)) queueMicrotask(() => this.#run());
    });
  }

  #item(title: string, description: string | undefined, tone: Toast['tone']): HTMLElement {
    const item = this.#make('div', 'toast');
    if (tone) item.classList.add(this.#styles[tone] ?? tone);
    const words = this.#make('div', 'words');
    words.append(this.#make('p', 'title', title));
    if (description) words.append(this.#make('p', 'description', description));
    const close = this.#make('button', 'close', '×');
    close.setAttribute('type', 'button');
    close.setAttribute('aria-label', t('Close: {title}', { title }));
    close.addEventListener('click', () => this.#dismiss(item));
    item.append(words, close);
    dismissBySwipe(item, () => this.#dismiss(item));
    return item;
  }

  #make(tag: string, className: string, text = ''): HTMLElement {
    const element = this.#document.createElement(tag);
    element.className = this.#styles[className] ?? '';
    element.textContent = text;
    return element;
  }
}

function closeButton(item: Element | undefined): HTMLElement {
  return item?.querySelector('button') as HTMLElement;
}

/** Dismisses a toast on a swipe to either side. */
function dismissBySwipe(item: HTMLElement, dismiss: () => void): void {
  let start: number | null = null;
  item.addEventListener('pointerdown', (event) => {
    if ((event.target as Element).closest('button')) return;
    start = event.clientX;
    item.setPointerCapture?.(event.pointerId);
  });
  item.addEventListener('pointermove', (event) => {
    if (start !== null) item.style.translate = `${event.clientX - start}px`;
  });
  const end = (event: PointerEvent) => {
    if (start === null) return;
    const moved = Math.abs(event.clientX - start);
    start = null;
    item.style.translate = '';
    if (event.type === 'pointerup' && moved >= SWIPE_PX_MIN) dismiss();
  };
  item.addEventListener('pointerup', end);
  item.addEventListener('pointercancel', end);
}
