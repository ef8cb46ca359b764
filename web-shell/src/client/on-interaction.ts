/** What a visitor does to a part that waits for it: by finger or pointer, by keyboard, by whatever moves the focus. */
export const INTERACTIONS = ['pointerdown', 'focusin', 'keydown'] as const;

/** Attribute of a part that was touched before the shell's script was there to see it. */
export const TOUCHED = 'data-touched';

/**
 * Fetches the shell's script when somebody first touches a part that waits for that. It prevents nothing: what is typed or
 * pressed before the script runs works natively. A script that did not come is asked for again by the next touch.
 */
export function fetchOnInteraction(): void {
  const touched = ({ target }: Event) => {
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
  for (const kind of INTERACTIONS) document.addEventListener(kind, touched);
}
