import { reloadEnded } from './client/ended-session.ts';
import { fetchAhead } from './client/fetch-ahead.ts';
import { keepLanguage } from './client/keep-language.ts';
import { keepOffline } from './client/keep-offline.ts';
import { measureSome } from './client/measure-some.ts';
import { fetchOnInteraction } from './client/on-interaction.ts';
import { showSkeletons } from './client/skeletons.ts';
import { trustOwnScripts } from './client/trusted-types.ts';

/**
 * Runs in every document, whether anything hydrates or not. The script is inline in each document: every line counts.
 */
export default function everyDocument(): void {
  trustOwnScripts();
  closeHeaderPanels();
  stepBack();
  openOneAtATime();
  markBrokenPictures();
  reloadEnded();
  fetchAhead();
  fetchOnInteraction();
  keepLanguage();
  showSkeletons();
  measureSome();
  keepOffline();
}

/**
 * Keeps at most one `<details>` of a name open in browsers without this feature: Safari before 17.2 and Firefox before
 * 130. The `toggle` event does not bubble, so the listener captures.
 */
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

/**
 * Marks pictures that failed to load. The style sheet hides them. `error` does not bubble, so the listener captures.
 */
function markBrokenPictures(): void {
  const mark = ({ target }: Event) => target instanceof HTMLImageElement && (target.dataset.broken = '');
  addEventListener('error', mark, true);
}

/** Turns `Go Back`, which links to a list, into a step back in the browser's history, if there is one. */
function stepBack(): void {
  document.addEventListener('click', (event) => {
    if (history.length <= 1 || !(event.target as Element).closest?.('[data-go-back]')) return;
    event.preventDefault();
    history.back();
  });
}

/**
 * Closes menu and search of the header like popovers: on Escape, on a tap elsewhere, and when the focus moves
 * elsewhere. Both open without script.
 */
function closeHeaderPanels(): void {
  const panels = [...document.querySelectorAll<HTMLDetailsElement>('header details')];
  const open = () => panels.filter((panel) => panel.open);
  const isOutside = (panel: Element, target: EventTarget | null) => !panel.contains(target as Node | null);
  let pressed: EventTarget | null = null;

  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
    for (const panel of open()) {
      // A search field would clear itself on Escape. The typed text must stay for the next time.
      event.preventDefault();
      panel.open = false;
      panel.querySelector('summary')?.focus();
    }
  });

  // Press and release, not click: Safari fires no click on plain text. A scroll that begins outside is not a tap.
  document.addEventListener('pointerdown', ({ target }) => (pressed = target));
  document.addEventListener('pointerup', ({ target }) => {
    for (const panel of open()) if (isOutside(panel, pressed) && isOutside(panel, target)) panel.open = false;
  });

  for (const panel of panels) {
    // Focuses the field of the search panel, which is opened for typing. The menu's field is one of several items.
    panel.addEventListener('toggle', () => {
      if (panel.open) panel.querySelector<HTMLElement>(':scope > form input')?.focus();
    });
    panel.addEventListener('focusout', ({ relatedTarget }) => {
      // Without `relatedTarget`, the window lost the focus, or nothing took it: the panel stays open.
      if (relatedTarget && isOutside(panel, relatedTarget)) panel.open = false;
    });
  }
}
