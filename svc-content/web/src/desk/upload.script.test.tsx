// @vitest-environment happy-dom
/** The script of the form that uploads a picture. */
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { inEngine } from '@hospital/form/testing';
import { brokenRules } from '@hospital/ui/accessibility';
import { UploadForm } from './media-parts.tsx';
import { uploadView } from './upload.ts';
import enliven from './upload.script.ts';

class Request extends EventTarget {
  static all: Request[] = [];
  upload = new EventTarget();
  responseURL = '';
  responseXML: Document | null = null;
  open = vi.fn();
  abort = () => this.dispatchEvent(new Event('abort'));
  send() {
    Request.all.push(this);
  }
  answer(address: string, html: string) {
    this.responseURL = new URL(address, location.href).href;
    this.responseXML = new DOMParser().parseFromString(html, 'text/html');
    this.dispatchEvent(new Event('load'));
  }
}

const PAGE = '/staff/media';
const form = () => document.querySelector('form') as HTMLFormElement;
const text = (part: string) => document.querySelector(`[data-${part}]`)?.textContent;
const isSending = () => document.querySelector<HTMLElement>('[data-sending]')?.hidden === false;
const assign = vi.fn();
const submitted = vi.fn();

/** Presses the button. Returns whether the browser itself sends the form. */
const press = () => form().dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));

function choose(bytes: number) {
  const file = document.querySelector('input[type="file"]') as HTMLInputElement;
  Object.defineProperty(file, 'files', { configurable: true, value: [{ size: bytes }] });
  file.dispatchEvent(new Event('change'));
}

beforeEach(() => {
  vi.stubGlobal('XMLHttpRequest', Request);
  vi.spyOn(location, 'assign').mockImplementation(assign);
  vi.spyOn(console, 'info').mockReturnValue();
  assign.mockReset();
  submitted.mockReset();
  Request.all = [];
  const root = document.createElement('main');
  root.dataset.module = 'content/./staff-media';
  root.innerHTML = inEngine(() =>
    renderToString(<UploadForm view={uploadView(null)} action={PAGE} part="content:/staff/media" />),
  );
  document.body.replaceChildren(root);
  enliven(root);
  form().submit = submitted;
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

it('shows how much is sent, then leads to where the response is', async () => {
  expect(press()).toBe(false);
  expect([isSending(), text('phase')]).toEqual([true, 'The picture is being sent.']);
  const sent = new ProgressEvent('progress', { loaded: 42, total: 100 });
  Request.all[0]?.upload.dispatchEvent(sent);
  expect([text('sent'), document.querySelector('progress')?.value]).toEqual(['42 % sent.', 42]);
  expect(await brokenRules(document.body)).toEqual([]);
  Request.all[0]?.upload.dispatchEvent(new Event('load'));
  expect([text('sent'), text('phase')]).toEqual(['', 'The picture is being read…']);
  press();
  expect(Request.all).toHaveLength(1);
  Request.all[0]?.answer(`${PAGE}/abc`, '<main></main>');
  expect(assign.mock.calls).toEqual([[new URL(`${PAGE}/abc`, location.href).href]]);
});

it('refuses a picture that is too large without a request', () => {
  choose(20 * 1024 * 1024 + 1);
  expect(text('problem')).toBe('This picture has more than 20 MB. Choose a smaller one.');
  expect(press()).toBe(false);
  expect(Request.all).toHaveLength(0);
  choose(20 * 1024 * 1024);
  expect(text('problem')).toBe('');
  press();
  expect(Request.all).toHaveLength(1);
});

it('shows a refusal as the page does', () => {
  press();
  const html =
    '<title>Error</title><main data-module="content/./staff-media"><p id="result" tabindex="-1">No</p></main>';
  Request.all[0]?.answer(`${PAGE}#result`, html);
  expect(document.activeElement?.textContent).toBe('No');
  expect(document.title).toBe('Error');
  expect(location.hash).toBe('#result');
});

it('lets the browser send the form if the response is another page', () => {
  press();
  Request.all[0]?.answer(PAGE, '<h1>Sign in</h1>');
  expect(submitted).toHaveBeenCalledOnce();
});

it('can be cancelled, and sent again', () => {
  press();
  document.querySelector<HTMLElement>('[data-cancel]')?.click();
  expect([isSending(), text('problem')]).toEqual([
    false,
    'You stopped the upload. Sent again, the picture is stored only once.',
  ]);
  expect(press()).toBe(false);
  expect(Request.all).toHaveLength(2);
  Request.all[1]?.dispatchEvent(new Event('error'));
  expect([isSending(), text('problem')]).toEqual([
    false,
    'The connection was lost. Upload it again: it is stored only once.',
  ]);
  expect(press()).toBe(true);
});
