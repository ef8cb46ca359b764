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

it('what is touched elsewhere fetches nothing', () => {
  open();
  for (const kind of ['pointerdown', 'focusin', 'keydown']) fire(other(), kind);
  expect(scripts()).toEqual([]);
});

it('a script that did not come is asked for again by the next touch', () => {
  open();
  fire(field(), 'pointerdown');
  fire(document.querySelector('script[src]') as Element, 'error');
  expect(scripts()).toEqual([]);
  fire(field(), 'keydown');
  expect(scripts()).toEqual([ADDRESS]);
});

it('what this tab has begun goes on without a touch', () => {
  sessionStorage.setItem('begun', '{}');
  open();
  expect(scripts()).toEqual([ADDRESS]);
});

it('a document whose script has come anyway fetches nothing', () => {
  open();
  delete document.getElementById('page-data')?.dataset.script;
  fire(field(), 'pointerdown');
  expect(scripts()).toEqual([]);
  expect(part().hasAttribute('data-touched')).toBe(true);
});

it('is due at once when it was touched before, else at the first touch, once', () => {
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

it('S2: a form that is sent before its script is there waits for it, and is pressed again then', () => {
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

it('S2: it is posted as without script when the script does not come, with the button that was pressed', () => {
  open();
  const native = vi.spyOn(form(), 'submit').mockReturnValue();
  press();
  come(NOT_HYDRATED);
  expect(native).toHaveBeenCalledOnce();
  expect(new FormData(form()).get('step')).toBe('1');
});

it('S2: it waits no longer than five seconds', () => {
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

it('S2: forms of other parts are sent at once', () => {
  open();
  const sent = new Event('submit', { bubbles: true, cancelable: true });
  other().dispatchEvent(sent);
  expect(sent.defaultPrevented).toBe(false);
});
