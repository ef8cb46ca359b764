/** What a visitor does to a part that waits for it: by finger or pointer, by keyboard, by whatever moves the focus. */
export const INTERACTIONS = ['pointerdown', 'focusin', 'keydown'] as const;

/** Attribute of a part that was touched before the shell's script was there to see it. */
export const TOUCHED = 'data-touched';

/**
 * Fetches the shell's script when somebody first touches a part that waits for that. It prevents nothing: what is typed or
 * pressed before the script runs works natively. A script that did not come is asked for again by the next touch.
 */
export function fetchOnInteraction(): void {
  const touch = (target: EventTarget | null) => {
    const part = target instanceof Element ? target.closest('[data-hydrate=interaction]') : null;
    if (!part) return;
    part.setAttribute(TOUCHED, '');
    const data = document.getElementById('page-data');
    const address = data?.dataset.script;
    if (!address) return;
    delete data.dataset.script;
    const script = document.createElement('script');
    script.src = address;
    script.onerror = () => {
      script.remove();
      data.dataset.script = address;
    };
    document.body.append(script);
  };
  for (const kind of INTERACTIONS) document.addEventListener(kind, ({ target }) => touch(target));

  // What was begun in this tab goes on where it was, and nobody has to touch it for that.
  const resume = () =>
    document.querySelectorAll<HTMLElement>('[data-resume]').forEach((one) => isKept(one) && touch(one));
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', resume);
  else resume();
}

function isKept({ dataset }: HTMLElement): boolean {
  try {
    return sessionStorage.getItem(dataset.resume ?? '') !== null;
  } catch {
    // Forbidden (policies, private windows): then nothing was kept.
    return false;
  }
}
