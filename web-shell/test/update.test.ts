// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest';
import { isTypedIn, update } from '../src/client/update.ts';

const row = (key: string, content: string) =>
  `<li data-row="" data-key="${key}" tabindex="-1"><h3>${key}</h3>${content}</li>`;
const question =
  '<details name="asked"><summary>Not coming…</summary><button value="no_show">No-show</button></details>';
const booked = `<button value="arrived">Arrived</button>${question}`;
const list = (...rows: string[]) => `<ol>${rows.join('')}</ol>`;

let part: HTMLElement;

function element(html: string): HTMLElement {
  const created = document.createElement('div');
  created.innerHTML = html;
  return created;
}

function show(html: string): void {
  part = element(html);
  document.body.replaceChildren(part);
}

const one = <T extends HTMLElement>(selector: string) => part.querySelector<T>(selector) as T;
const keys = () => [...part.querySelectorAll<HTMLElement>('[data-row]')].map(({ dataset }) => dataset.key);

beforeEach(() => show(list(row('A', booked), row('C', booked))));

describe('update', () => {
  it('keeps the elements, the focus and open details of rows that stay', () => {
    const button = one('[data-key="C"] button');
    one<HTMLDetailsElement>('[data-key="C"] details').open = true;
    button.focus();
    update(part, element(list(row('A', 'Completed'), row('B', booked), row('C', booked), row('D', booked))));
    expect(keys()).toEqual(['A', 'B', 'C', 'D']);
    expect(one('[data-key="C"] button')).toBe(button);
    expect(document.activeElement).toBe(button);
    expect(one<HTMLDetailsElement>('[data-key="C"] details').open).toBe(true);
    expect(one('[data-key="A"]').textContent).toBe('ACompleted');
  });

  it('does not move a row whose predecessors are gone', () => {
    const button = one('[data-key="C"] button');
    button.focus();
    update(part, element(list(row('C', booked))));
    expect(keys()).toEqual(['C']);
    expect(document.activeElement).toBe(button);
  });

  it('moves the focus to the row of a button that is gone, and to the nearest row of a row that is gone', () => {
    one('[data-key="A"] details button').focus();
    update(part, element(list(row('A', ''), row('C', booked))));
    expect(document.activeElement).toBe(one('[data-key="A"]'));
    one('[data-key="C"] button').focus();
    update(part, element(list(row('A', ''))));
    expect(document.activeElement).toBe(one('[data-key="A"]'));
  });

  it('takes new values, so that the next change names what the person sees', () => {
    update(part, element(list(row('A', '<button value="completed">Completed</button>'), row('C', booked))));
    expect(one<HTMLButtonElement>('[data-key="A"] button').value).toBe('completed');
    expect(part.querySelector('[data-key="A"] details')).toBeNull();
  });

  it('keeps the outcome of the person’s own change, and the id to which links lead', () => {
    const outcome = '<div data-keep="">A is marked as arrived.</div>';
    show(list(row('A', `${outcome}<button value="completed">Completed</button>`), row('C', booked)));
    one('[data-key="A"]').id = 'result';
    update(part, element(list(row('A', ''), row('C', booked))));
    expect(one('#result').textContent).toBe('AA is marked as arrived.');
    update(part, element(list(row('C', booked))));
    expect(keys()).toEqual(['C']);
  });

  it('replaces an empty list by rows and rows by an empty list', () => {
    update(part, element('<p>Nothing yet</p>'));
    expect(part.innerHTML).toBe('<p>Nothing yet</p>');
    update(part, element(list(row('A', booked))));
    expect(keys()).toEqual(['A']);
  });
});

describe('isTypedIn', () => {
  it.each([
    ['<input value="a">', (field: any) => (field.value = 'ab')],
    ['<textarea>a</textarea>', (field: any) => (field.value = 'ab')],
    ['<input type="checkbox">', (field: any) => (field.checked = true)],
    ['<select><option>a</option><option>b</option></select>', (field: any) => (field.selectedIndex = 1)],
  ])('is true once a person has changed %s', (html, change) => {
    show(html);
    expect(isTypedIn(part)).toBe(false);
    change(part.firstElementChild);
    expect(isTypedIn(part)).toBe(true);
  });
});
