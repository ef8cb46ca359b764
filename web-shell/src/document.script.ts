import { fetchAhead } from './client/fetch-ahead.ts';
import { fetchOnInteraction } from './client/on-interaction.ts';
import { measureSome } from './client/measure-some.ts';
import { showSkeletons } from './client/skeletons.ts';
import { trustOwnScripts } from './client/trusted-types.ts';

/** What every document does with script, whether anything on it hydrates or not. It is in each of them: every line counts. */
export default function everyDocument(): void {
  trustOwnScripts();
  closeHeaderPanels();
  stepBack();
  openOneAtATime();
  markBrokenPictures();
  fetchAhead();
  fetchOnInteraction();
  showSkeletons();
  measureSome();
}

/** Of `<details>` with one name one is open. Safari before 17.2 and Firefox before 130 open them all; their `toggle` does not bubble. */
function openOneAtATime(): void {
  if ('name' in HTMLDetailsElement.prototype) return;
  const close = ({ target }: Event) => {
    const name = target instanceof HTMLDetailsElement && target.open && target.getAttribute('name');
    if (!name) return;
    for (const other of document.querySelectorAll<HTMLDetailsElement>('details[name][open]'))
      if (other !== target && other.getAttribute('name') === name) other.open = false;
  };
  document.addEventListener('toggle', close, true);
}

/** The style sheet hides them. Such events do not bubble. */
function markBrokenPictures(): void {
  const mark = ({ target }: Event) => target instanceof HTMLImageElement && (target.dataset.broken = '');
  addEventListener('error', mark, true);
}

/** `Go Back` leads to the list above the address; where the browser has a step back, it is that step. */
function stepBack(): void {
  document.addEventListener('click', (event) => {
    if (history.length <= 1 || !(event.target as Element).closest?.('[data-go-back]')) return;
    event.preventDefault();
    history.back();
  });
}

/**
 * Menu and search of the header open without script. With it they also close as a popover does: on Escape, on a tap
 * elsewhere, and when the focus goes on to something else.
 */
function closeHeaderPanels(): void {
  const panels = [...document.querySelectorAll<HTMLDetailsElement>('header details')];
  const open = () => panels.filter((panel) => panel.open);
  const isOutside = (panel: Element, target: EventTarget | null) => !panel.contains(target as Node | null);
  let pressed: EventTarget | null = null;

  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
    for (const panel of open()) {
      // A search field would clear itself: what was typed stays for the next time.
      event.preventDefault();
      panel.open = false;
      panel.querySelector('summary')?.focus();
    }
  });

  // Press and release, not click: Safari sends no click for plain text, and a scroll that begins outside is no tap.
  document.addEventListener('pointerdown', ({ target }) => (pressed = target));
  document.addEventListener('pointerup', ({ target }) => {
    for (const panel of open()) if (isOutside(panel, pressed) && isOutside(panel, target)) panel.open = false;
  });

  for (const panel of panels) {
    // Opened to type into: the cursor is there. The menu's own field is one of several things in it.
    panel.addEventListener('toggle', () => {
      if (panel.open) panel.querySelector<HTMLElement>(':scope > form input')?.focus();
    });
    panel.addEventListener('focusout', ({ relatedTarget }) => {
      // Without a target the window lost the focus, or nothing took it: the panel stays.
      if (relatedTarget && isOutside(panel, relatedTarget)) panel.open = false;
    });
  }
}
