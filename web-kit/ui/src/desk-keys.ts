/**
 * Keyboard comfort of the desk's lists: moves between rows and chooses a change by one key. Everything also works
 * without. The keys act only while the focus is in a row, so no key of a screen reader or a form is taken.
 */

const TYPED = 'input, select, textarea';
/** Keys to the choice, with which the value of a button begins. A tab follows it. */
export type Choices = Readonly<Record<string, string | undefined>>;
/** Time after which a form can be sent again, in milliseconds. The gateway responds earlier, unless it was stopped. */
const SENDING_MS_MAX = 8_000;

export function addKeys(root: HTMLElement, choices: Choices): void {
  for (const hint of root.querySelectorAll<HTMLElement>('[data-keys]')) hint.hidden = false;
  focusResult(root);
  root.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement)) return;
    if (event.target.closest(TYPED)) return;
    const row = event.target.closest<HTMLElement>('[data-row]');
    const isDone = row
      ? act(root, row, event.key, choices)
      : event.target.matches('[data-list]') && enter(root, event.key);
    if (isDone) event.preventDefault();
  });
  root.addEventListener('submit', (event) => sendOnce(event));
  // A page of the back/forward cache can be sent again.
  addEventListener('pageshow', () => {
    for (const form of root.querySelectorAll<HTMLElement>('[data-sent]')) delete form.dataset.sent;
  });
}

/** Moves the focus to the outcome of a post, else to the field that the page begins with. */
function focusResult(root: HTMLElement): void {
  const result = root.querySelector<HTMLElement>('#result');
  const target = result ?? root.querySelector<HTMLElement>('[data-focus]');
  target?.focus({ preventScroll: !result });
}

/** Moves from the list itself to its first row. */
function enter(root: HTMLElement, key: string): boolean {
  if (key !== 'ArrowDown') return false;
  root.querySelector<HTMLElement>('[data-row]')?.focus();
  return true;
}

/** Performs the action of a key. Returns whether the key has one in this row. */
function act(root: HTMLElement, row: HTMLElement, key: string, choices: Choices): boolean {
  if (key === 'ArrowDown' || key === 'ArrowUp') {
    const rows = [...root.querySelectorAll<HTMLElement>('[data-row]')];
    const next = rows[rows.indexOf(row) + (key === 'ArrowDown' ? 1 : -1)];
    next?.focus();
    return true;
  }
  if (key === 'Escape') return keep(row);
  const to = choices[key.toLowerCase()];
  const button = [...row.querySelectorAll('button')].find(({ value }) => value.split('\t')[0] === to);
  if (!to || !button) return false;
  const question = button.closest('details');
  if (!question) button.click();
  else {
    // The key leads to the question and to its button, but never presses that.
    question.open = true;
    button.focus();
  }
  return true;
}

/** Closes an open question of the row. */
function keep(row: HTMLElement): boolean {
  const question = row.querySelector<HTMLDetailsElement>('details[open]');
  if (!question) return false;
  question.open = false;
  question.querySelector('summary')?.focus();
  return true;
}

/** Ignores a second press while the first is on its way. */
function sendOnce(event: SubmitEvent): void {
  const form = event.target as HTMLFormElement;
  if (form.dataset.sent !== undefined) return event.preventDefault();
  form.dataset.sent = '';
  setTimeout(() => delete form.dataset.sent, SENDING_MS_MAX);
}
