// @vitest-environment happy-dom
/** The script of the record's form: tools, and the text as visitors see it while it is typed. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderToString } from 'react-dom/server';
import type { ActionOutcome } from '@hospital/page';
import { inEngine } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import enliven from './editor.script.ts';
import { WRITER, acted, pressed, problem as problemOf, recordOf } from './fixtures.ts';
import { type Tool, marked } from './marks.ts';
import { NOW, ok } from '../../test/answers.ts';
import StaffRecord, { action, status } from '../staff-record.tsx';
import { action as newAction } from '../staff-record-new.tsx';

/** Each request of the script, which the test answers. */
class Request extends EventTarget {
  static all: Request[] = [];
  status = 0;
  responseXML: Document | null = null;
  sent: FormData | null = null;
  open = vi.fn();
  send(form: FormData) {
    this.sent = form;
    Request.all.push(this);
  }
  answer(status: number, html: string) {
    this.status = status;
    this.responseXML = new DOMParser().parseFromString(html, 'text/html');
    this.dispatchEvent(new Event('loadend'));
  }
}

const shownAs = (html: string, problem = '') =>
  `<div data-editor><section><p data-problem>${problem}</p><div data-shown>${html}</div></section></div>`;
const area = () => document.querySelector<HTMLTextAreaElement>('[name="body.content"]') as HTMLTextAreaElement;
const shown = () => document.querySelector('[data-shown]')?.innerHTML;
const problem = () => document.querySelector('[data-problem]')?.textContent;
const manual = () => document.querySelector<HTMLElement>('[value="text:content"]')?.parentElement?.hidden;

function type(text: string) {
  area().value = text;
  area().dispatchEvent(new Event('input', { bubbles: true }));
}

function serve(content: string, posted: ActionOutcome | null = null) {
  const record = recordOf('post');
  const main = document.createElement('main');
  const props = {
    params: { kind: 'post', record: record.recordId },
    query: {},
    data: { record: ok({ ...record, body: { ...record.body, content } }), recent: ok({ publications: [] }) },
    action: posted,
    now: NOW,
    path: '/',
    part: 'p',
    staff: WRITER,
  };
  main.innerHTML = inEngine(() => renderToString(<StaffRecord {...props} />));
  document.body.replaceChildren(main);
  expect(status(props)).toBe(200);
  return main;
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('XMLHttpRequest', Request);
  Request.all = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

describe('the text as visitors see it', () => {
  it('is rendered at once, then after a pause in typing, one request at a time', () => {
    enliven(serve('a'));
    expect(Request.all).toHaveLength(1);
    expect([...(Request.all[0]?.sent ?? [])]).toEqual([
      ['part', 'content:/staff/content/{kind}/new'],
      ['intent', 'text:content'],
      ['body.content', 'a'],
    ]);
    expect(Request.all[0]?.open).toHaveBeenCalledWith('POST', '/staff/content/post/new');
    type('ab');
    vi.advanceTimersByTime(1000);
    expect(Request.all).toHaveLength(1);
    Request.all[0]?.answer(200, shownAs('<p>a <a href="/b">b</a></p>'));
    expect(shown()).toBe('<p>a <a href="/b" target="_blank">b</a></p>');
    vi.advanceTimersByTime(200);
    expect(Request.all[1]?.sent?.get('body.content')).toBe('ab');
    Request.all[1]?.answer(200, shownAs('<p>ab</p>'));
    expect([shown(), problem(), manual()]).toEqual(['<p>ab</p>', '', true]);
    type('abc');
    vi.advanceTimersByTime(150);
    type('abcd');
    vi.advanceTimersByTime(150);
    expect(Request.all).toHaveLength(2);
    vi.advanceTimersByTime(50);
    expect(Request.all).toHaveLength(3);
  });

  it.each([
    ['no reply', 0, '', /can’t update this/],
    ['the sign-in', 401, '<h1>Sign in</h1>', /can’t update this/],
    ['a page without the text', 200, '<p>Else</p>', /can’t update this/],
    ['a refusal', 200, shownAs('', 'The text must be shorter'), /^The text must be shorter$/],
  ])('stays as it was after %s, and says so', (_, status, html, words) => {
    enliven(serve('a'));
    Request.all[0]?.answer(200, shownAs('<p>a</p>'));
    type('b');
    vi.advanceTimersByTime(200);
    Request.all[1]?.answer(status, html);
    expect([shown(), manual()]).toEqual(['<p>a</p>', false]);
    expect(problem()).toMatch(words);
    type('c');
    vi.advanceTimersByTime(200);
    Request.all[2]?.answer(200, shownAs('<p>c</p>'));
    expect([shown(), problem()]).toEqual(['<p>c</p>', '']);
  });

  it('breaks no rule of accessibility with its tools', async () => {
    vi.useRealTimers();
    const main = serve('a');
    enliven(main);
    Request.all[0]?.answer(200, shownAs('<p>a</p>'));
    expect(main.querySelectorAll('[data-tool]')).toHaveLength(6);
    expect(await brokenRules(main)).toEqual([]);
  });
});

describe('the button without the script', () => {
  const POST = recordOf('post');
  const SHOW = 'text:content';
  const typed = { 'body.content': '**a**', 'body.title': '' };

  it('renders what was typed, whatever else is wrong, and stores nothing', () => {
    const call = { method: 'POST', path: '/records:renderText', body: { text: '**a**' } };
    const { recordId } = POST;
    const at = { params: { kind: 'post', record: recordId }, query: {} };
    const wrong = { ...typed, 'body.published_at': 'x', etag: '' };
    expect(inEngine(() => action(pressed(POST, SHOW, wrong), NOW, at))).toEqual(call);
    expect(inEngine(() => newAction(pressed(POST, SHOW, wrong), NOW, at))).toEqual(call);
    expect(inEngine(() => action(pressed(POST, 'text:title', typed), NOW, at))).toBeNull();
  });

  it.each([
    [200, { html: '<p><strong>a</strong></p>' }, '<p><strong>a</strong></p>', ''],
    [400, problemOf(400, 'INVALID', [{ field: 'text', message: 'must be shorter' }]), '', 'The text must be shorter'],
    [503, null, '', 'We can’t show the text at the moment. What you typed is kept. Please try again.'],
    [403, null, '', 'Your role doesn’t include changes of the website’s content.'],
    [429, null, '', 'We can’t show the text at the moment. Wait a minute, then try again.'],
  ])('keeps what was typed after %i', (code, body, html, words) => {
    serve('saved', acted(pressed(POST, SHOW, typed), code, body));
    expect([area().value, shown(), problem()]).toEqual(['**a**', html, words]);
    expect(document.querySelector<HTMLInputElement>('[name="body.title"]')?.value).toBe('');
    expect(document.querySelector('[name="etag"]')?.getAttribute('value')).toBe('e1');
  });
});

describe('the tools', () => {
  /** The selection is between bars, before and after. */
  function used(typed: string, tool: Tool): string {
    const [start, end] = [typed.indexOf('|'), typed.lastIndexOf('|') - 1];
    const text = typed.replaceAll('|', '');
    const edit = marked(text, start, Math.max(start, end), tool);
    const changed = text.slice(0, edit.from) + edit.text + text.slice(edit.to);
    return `${changed.slice(0, edit.start)}|${changed.slice(edit.start, edit.end)}|${changed.slice(edit.end)}`;
  }

  it.each<[string, Tool, string]>([
    ['a |b |c', 'bold', 'a **|b|** c'],
    ['a **|b|** c', 'bold', 'a |b| c'],
    ['**|b|**', 'italic', '***|b|***'],
    ['a *|b|*', 'italic', 'a |b|'],
    ['||', 'bold', '**||**'],
    ['see |us|', 'link', 'see [us](|https://|)'],
    ['see ||', 'link', 'see [||](https://)'],
    ['a\n|b\n\nc\n|d', 'list', 'a\n|- b\n\n- c|\nd'],
    ['|- b\n- c|', 'list', '|b\nc|'],
    ['a ||b', 'heading', '## a b||'],
    ['||', 'quote', '> ||'],
    ['<p>a |b|</p>', 'bold', '<p>a <strong>|b|</strong></p>'],
    ['<p>a</p>\n|b\nc|', 'list', '<p>a</p>\n|<ul>\n<li>b</li>\n<li>c</li>\n</ul>|'],
    ['<p>a</p>\n||', 'heading', '<p>a</p>\n<h2>||</h2>'],
    ['<p>|a|</p>', 'link', '<p><a href="|https://|">a</a></p>'],
  ])('change %j by %s to %j', (before, tool, after) => {
    expect(used(before, tool)).toBe(after);
  });

  it('act on the selection by press and by key, and count as typing', () => {
    enliven(serve('a b'));
    Request.all[0]?.answer(200, shownAs(''));
    area().setSelectionRange(2, 3);
    document.querySelector<HTMLElement>('[data-tool="bold"]')?.click();
    expect(area().value).toBe('a **b**');
    area().setSelectionRange(0, 1);
    area().dispatchEvent(new KeyboardEvent('keydown', { key: 'i', ctrlKey: true, bubbles: true, cancelable: true }));
    expect(area().value).toBe('*a* **b**');
    vi.advanceTimersByTime(200);
    expect(Request.all[1]?.sent?.get('body.content')).toBe('*a* **b**');
  });
});
