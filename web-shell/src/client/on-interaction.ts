/**
 * Events that count as interaction with a waiting part: touch or pointer, keyboard, and anything that moves the focus.
 */
export const INTERACTIONS = ['pointerdown', 'focusin', 'keydown'] as const;

/** Attribute of a part that was touched before the shell's script had loaded. */
export const TOUCHED = 'data-touched';

/** Events of a part: React has hydrated it, or loading or hydration failed and its HTML stays. */
export const HYDRATED = 'hydrated';
export const NOT_HYDRATED = 'nothydrated';

/** Maximum time, in milliseconds, that a submitted form waits for its script. Then it is posted natively. */
const HELD_MS_MAX = 5000;

const partOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest('[data-hydrate=interaction]') : null;

/**
 * Fetches the shell's script when a part that waits for interaction is first touched. Text typed before the script runs
 * is kept. A form submitted before that is held until the script has hydrated it, and posted natively if the script
 * does not load. After a failure, the next touch requests the script again.
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

  // Work begun in this tab resumes without a touch.
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
    // A click, not a submit: React hydrates the form immediately for it, and gets the pressed button.
    const replay = release(() => (submitter ? submitter.click() : form.requestSubmit()));
    const post = release(() => {
      const name = submitter?.getAttribute('name');
      if (name) form.append(hidden(name, submitter?.getAttribute('value') ?? ''));
      // Not `requestSubmit`, which would run this handler again.
      form.submit();
    });
    const timer = setTimeout(post, HELD_MS_MAX);
    part.addEventListener(HYDRATED, replay);
    part.addEventListener(NOT_HYDRATED, post);
    form.setAttribute('aria-busy', 'true');
    // A screen reader's click fires no pointer or key event. This event replaces the missing touch.
    form.dispatchEvent(new Event('focusin', { bubbles: true }));
  }
  event.preventDefault();
}

/** Returns a hidden input with the button's entry, which `submit()` omits. */
function hidden(name: string, value: string): HTMLInputElement {
  const input = document.createElement('input');
  Object.assign(input, { type: 'hidden', name, value });
  return input;
}

function isKept({ dataset }: HTMLElement): boolean {
  try {
    return sessionStorage.getItem(dataset.resume ?? '') !== null;
  } catch {
    // Storage is forbidden (policies, private windows), so nothing was stored.
    return false;
  }
}
