// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fetchOnInteraction, HYDRATED, NOT_HYDRATED } from '../src/client/on-interaction.ts';
import { whenDue } from '../src/client/when-due.ts';

const ADDRESS = '/remotes/shell/1/shell.js';
const part = () => document.querySelector('[data-fragment=f0]') as HTMLElement;
const other = () => document.querySelector('[data-fragment=f1] input') as HTMLElement;
const field = () => part().querySelector('input') as HTMLInputElement;
const scripts = () => [...document.querySelectorAll('script[src]')].map((script) => script.getAttribute('src'));
const fire = (target: Element, kind: string) => {
  const event = new Event(kind, { bubbles: true, cancelable: true });
  target.dispatchEvent(event);
  return event;
};

let stop: () => void;

function open() {
  document.body.innerHTML =
    `<div data-fragment="f0" data-hydrate="interaction"><form data-resume="begun"><input><button name="step" value="1">Next</button></form></div>` +
    `<div data-fragment="f1"><input></div>` +
    `<script type="application/json" id="page-data" data-script="${ADDRESS}">{}</script>`;
  const added = vi.spyOn(document, 'addEventListener');
  fetchOnInteraction();
  const calls = [...added.mock.calls];
  added.mockRestore();
  stop = () => calls.forEach(([kind, listener]) => document.removeEventListener(kind, listener as EventListener));
}

beforeEach(() => {
  sessionStorage.clear();
  // The environment loads no scripts, and reports each as failed without this setting.
  Object.assign((window as unknown as { happyDOM: { settings: object } }).happyDOM.settings, {
    handleDisabledFileLoadingAsSuccess: true,
  });
});
afterEach(() => {
  stop();
  document.body.replaceChildren();
});

it.each(['pointerdown', 'focusin', 'keydown'])(
  '%s in the part fetches the script, once, and prevents nothing',
  (kind) => {
    open();
    expect(scripts()).toEqual([]);
    expect(fire(field(), kind).defaultPrevented).toBe(false);
    fire(field(), kind);
    expect(scripts()).toEqual([ADDRESS]);
    expect(part().hasAttribute('data-touched')).toBe(true);
  },
);

it('a touch elsewhere fetches nothing', () => {
  open();
  for (const kind of ['pointerdown', 'focusin', 'keydown']) fire(other(), kind);
  expect(scripts()).toEqual([]);
});

it('the next touch retries a script that failed to load', () => {
  open();
  fire(field(), 'pointerdown');
  fire(document.querySelector('script[src]') as Element, 'error');
  expect(scripts()).toEqual([]);
  fire(field(), 'keydown');
  expect(scripts()).toEqual([ADDRESS]);
});

it('a draft of this tab loads the script without a touch', () => {
  sessionStorage.setItem('begun', '{}');
  open();
  expect(scripts()).toEqual([ADDRESS]);
});

it('a document that has its script fetches nothing', () => {
  open();
  delete document.getElementById('page-data')?.dataset.script;
  fire(field(), 'pointerdown');
  expect(scripts()).toEqual([]);
  expect(part().hasAttribute('data-touched')).toBe(true);
});

it('is due immediately after an earlier touch, else at the first touch, once', () => {
  open();
  const task = vi.fn();
  whenDue('interaction', part(), task);
  expect(task).not.toHaveBeenCalled();
  fire(field(), 'focusin');
  fire(field(), 'keydown');
  expect(task).toHaveBeenCalledOnce();
  const late = vi.fn();
  whenDue('interaction', part(), late);
  expect(late).toHaveBeenCalledOnce();
});

/** S2: presses `Next` as the first interaction with a form. */
function press() {
  const [form, submitter] = ['form', 'button'].map((name) => part().querySelector(name) as HTMLElement);
  const event = new SubmitEvent('submit', { bubbles: true, cancelable: true, submitter: submitter as HTMLElement });
  form?.dispatchEvent(event);
  return event.defaultPrevented;
}

const form = () => part().querySelector('form') as HTMLFormElement;
const come = (name: string) => part().dispatchEvent(new Event(name));

it('S2: a form submitted before its script waits for it, and is then submitted again', () => {
  open();
  const [native, clicked] = [vi.spyOn(form(), 'submit').mockReturnValue(), vi.fn()];
  part()
    .querySelector('button')
    ?.addEventListener('click', (event) => {
      event.preventDefault();
      clicked();
    });
  expect(press()).toBe(true);
  expect([scripts(), part().hasAttribute('data-touched'), form().getAttribute('aria-busy')]).toEqual([
    [ADDRESS],
    true,
    'true',
  ]);
  // An impatient second press counts as the same press.
  expect(press()).toBe(true);
  part().setAttribute('data-hydrated', '');
  come(HYDRATED);
  come(HYDRATED);
  expect([clicked.mock.calls.length, native.mock.calls.length, form().getAttribute('aria-busy')]).toEqual([1, 0, null]);
  // From now on, the module handles the form.
  expect(press()).toBe(false);
});

it('S2: posts natively, with the pressed button, if the script fails to load', () => {
  open();
  const native = vi.spyOn(form(), 'submit').mockReturnValue();
  press();
  come(NOT_HYDRATED);
  expect(native).toHaveBeenCalledOnce();
  expect(new FormData(form()).get('step')).toBe('1');
});

it('S2: waits at most five seconds', () => {
  vi.useFakeTimers();
  open();
  const native = vi.spyOn(form(), 'submit').mockReturnValue();
  press();
  vi.advanceTimersByTime(4999);
  expect(native).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(native).toHaveBeenCalledOnce();
  vi.useRealTimers();
});

it('S2: submits forms of other parts immediately', () => {
  open();
  const sent = new Event('submit', { bubbles: true, cancelable: true });
  other().dispatchEvent(sent);
  expect(sent.defaultPrevented).toBe(false);
});
