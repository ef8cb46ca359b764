/** What a visitor does to a part that waits for it: by finger or pointer, by keyboard, by whatever moves the focus. */
export const INTERACTIONS = ['pointerdown', 'focusin', 'keydown'] as const;

/** Attribute of a part that was touched before the shell's script was there to see it. */
export const TOUCHED = 'data-touched';

/** Events of a part: React has taken it over, or its script did not come and its HTML stays. */
export const HYDRATED = 'hydrated';
export const NOT_HYDRATED = 'nothydrated';

/** A form that is pressed while its script is on the way waits so long for it. Then it is posted natively. */
const HELD_MS_MAX = 5000;

const partOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest('[data-hydrate=interaction]') : null;

/**
 * Fetches the shell's script when a part that waits for interaction is first touched. What is typed before the script runs stays; a
 * form that is sent before is held until the script has taken over, and posted natively if it does not come. A failed script is
 * requested again by the next touch.
 */
export function fetchOnInteraction(): void {
  const touch = (target: EventTarget | null) => {
    const part = partOf(target);
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
      document.querySelectorAll(`[${TOUCHED}]`).forEach((one) => one.dispatchEvent(new Event(NOT_HYDRATED)));
    };
    document.body.append(script);
  };
  for (const kind of INTERACTIONS) document.addEventListener(kind, ({ target }) => touch(target));

  document.addEventListener('submit', holdSubmit);

  // What was begun in this tab goes on where it was, and nobody has to touch it for that.
  const resume = () =>
    document.querySelectorAll<HTMLElement>('[data-resume]').forEach((one) => isKept(one) && touch(one));
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', resume);
  else resume();
}

function holdSubmit(event: SubmitEvent): void {
  const { target: form, submitter, defaultPrevented } = event;
  const part = partOf(form);
  if (!part || defaultPrevented || !(form instanceof HTMLFormElement) || part.hasAttribute('data-hydrated')) return;
  if (!form.hasAttribute('aria-busy')) {
    const release = (again: () => void) => () => {
      clearTimeout(timer);
      part.removeEventListener(HYDRATED, replay);
      part.removeEventListener(NOT_HYDRATED, post);
      form.removeAttribute('aria-busy');
      again();
    };
    // A click, not a submit: React hydrates a form at once for it, and knows which button it was.
    const replay = release(() => (submitter ? submitter.click() : form.requestSubmit()));
    const post = release(() => {
      const name = submitter?.getAttribute('name');
      if (name) form.append(hidden(name, submitter?.getAttribute('value') ?? ''));
      // Not requestSubmit, which would come by here again.
      form.submit();
    });
    const timer = setTimeout(post, HELD_MS_MAX);
    part.addEventListener(HYDRATED, replay);
    part.addEventListener(NOT_HYDRATED, post);
    form.setAttribute('aria-busy', 'true');
    // A screen reader's click sends neither pointer nor key: whatever waits for a touch gets one.
    form.dispatchEvent(new Event('focusin', { bubbles: true }));
  }
  event.preventDefault();
}

/** The button's own entry, which `submit()` leaves out. */
function hidden(name: string, value: string): HTMLInputElement {
  const input = document.createElement('input');
  Object.assign(input, { type: 'hidden', name, value });
  return input;
}

function isKept({ dataset }: HTMLElement): boolean {
  try {
    return sessionStorage.getItem(dataset.resume ?? '') !== null;
  } catch {
    // Forbidden (policies, private windows): then nothing was kept.
    return false;
  }
}
