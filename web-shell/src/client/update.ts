/**
 * Gives a part of a page new content and keeps everything that stays the same: elements keep the focus, open details and
 * their place for screen readers. Elements with `data-key` are matched by it, others by their order. Elements with
 * `data-keep` stay although the new content lacks them, such as the outcome of a person's own change.
 */

const FIELDS = 'input, select, textarea';

/** Whether a person has changed a field in the part. */
export function isTypedIn(part: Element): boolean {
  return [...part.querySelectorAll<HTMLElement>(FIELDS)].some((field) => {
    if (field instanceof HTMLSelectElement) {
      const given = [...field.options].findIndex((option) => option.defaultSelected);
      return field.selectedIndex !== Math.max(given, 0);
    }
    if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return false;
    if (field.type === 'checkbox' || field.type === 'radio') {
      const { checked, defaultChecked } = field as HTMLInputElement;
      return checked !== defaultChecked;
    }
    return field.type !== 'hidden' && field.value !== field.defaultValue;
  });
}

/** Updates a part. If the focused element is gone, its row takes the focus, or the part's nearest one. */
export function update(part: HTMLElement, next: Element): void {
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  const row = focused?.closest<HTMLElement>('[data-row]') ?? null;
  const place = row ? rowsOf(part).indexOf(row) : -1;
  const anchor = row ?? firstVisible(part);
  const top = anchor?.getBoundingClientRect().top;
  morph(part, next);
  if (anchor && top !== undefined && anchor.isConnected) {
    // Browsers without scroll anchoring would move the rows under the person's finger.
    const moved = anchor.getBoundingClientRect().top - top;
    if (moved && !CSS.supports('overflow-anchor', 'auto')) scrollBy(0, moved);
  }
  if (!focused || focused.isConnected) return;
  const rows = rowsOf(part);
  const target = row?.isConnected ? row : rows[Math.min(place, rows.length - 1)];
  target?.focus({ preventScroll: true });
}

function rowsOf(part: Element): HTMLElement[] {
  return [...part.querySelectorAll<HTMLElement>('[data-row]')];
}

function firstVisible(part: Element): HTMLElement | undefined {
  return rowsOf(part).find((row) => row.getBoundingClientRect().bottom > 0);
}

function morph(from: Element, to: Element): void {
  if (from.isEqualNode(to)) return;
  setAttributes(from, to);
  const kept = new Map<string, Element>();
  const wanted = new Set([...to.children].map(keyOf));
  for (const child of [...from.children]) {
    const key = keyOf(child);
    if (!key) continue;
    // Before the rest: a row that stays is then never moved, which would cost it the focus.
    if (wanted.has(key)) kept.set(key, child);
    else child.remove();
  }
  let at = skipKept(from.firstChild);
  for (const child of [...to.childNodes]) {
    const match = matchOf(child, at, kept);
    if (!match) {
      from.insertBefore(document.importNode(child, true), at);
      continue;
    }
    if (match === at) at = skipKept(at.nextSibling);
    else from.insertBefore(match, at);
    if (match instanceof Element) morph(match, child as Element);
    else if (match.nodeValue !== child.nodeValue) match.nodeValue = child.nodeValue;
  }
  while (at) {
    const rest = skipKept(at.nextSibling);
    at.remove();
    at = rest;
  }
}

/** Returns the node that takes the content of `child`. */
function matchOf(child: Node, at: ChildNode | null, kept: ReadonlyMap<string, Element>): ChildNode | null {
  const key = keyOf(child);
  if (key) {
    const found = kept.get(key);
    return found?.nodeName === child.nodeName ? found : null;
  }
  return at && !keyOf(at) && at.nodeName === child.nodeName ? at : null;
}

function skipKept(node: ChildNode | null): ChildNode | null {
  let next = node;
  while (next instanceof HTMLElement && next.dataset.keep !== undefined) next = next.nextSibling;
  return next;
}

function keyOf(node: Node): string | undefined {
  return (node as HTMLElement).dataset?.key;
}

/** Leaves `open` to the person. An id is never removed: links lead to the row of an outcome. */
function setAttributes(from: Element, to: Element): void {
  for (const { name } of [...from.attributes])
    if (!to.hasAttribute(name) && name !== 'open' && name !== 'id') from.removeAttribute(name);
  for (const { name, value } of to.attributes)
    if (from.getAttribute(name) !== value && name !== 'open') from.setAttribute(name, value);
}
