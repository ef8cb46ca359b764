/**
 * The text of a post: tools, and the text as visitors see it while it is typed. The service renders it, by the form of a
 * new record, which stores nothing. Without the script, a button shows the text.
 */
import { type Tool, marked } from './marks.ts';

/** Pause in typing after which the text is rendered, in milliseconds. Fewer than the 300 calls that staff have in 60 s. */
const PAUSE_MS = 200;
/** Time limit of a rendering, in milliseconds. */
const RENDER_MS_MAX = 8_000;
const KEYS: Readonly<Record<string, Tool | undefined>> = { b: 'bold', i: 'italic' };

export default function enliven(root: HTMLElement): void {
  for (const editor of root.querySelectorAll<HTMLElement>('[data-editor]')) {
    const area = editor.querySelector('textarea');
    if (!area) continue;
    addTools(editor, area);
    keepShown(editor, area);
  }
}

function addTools(editor: HTMLElement, area: HTMLTextAreaElement): void {
  const tools = editor.querySelector('template')?.content.cloneNode(true);
  if (tools) area.before(tools);
  editor.addEventListener('click', ({ target }) => {
    const tool = (target as Element).closest<HTMLElement>('[data-tool]')?.dataset.tool;
    if (tool) use(area, tool as Tool);
  });
  area.addEventListener('keydown', (event) => {
    const tool = KEYS[event.key.toLowerCase()];
    if (!tool || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    use(area, tool);
  });
}

function use(area: HTMLTextAreaElement, tool: Tool): void {
  const { from, to, text, start, end } = marked(area.value, area.selectionStart, area.selectionEnd, tool);
  area.focus();
  area.setSelectionRange(from, to);
  // Only a command can be undone by Ctrl+Z.
  if (!command(text)) {
    area.setRangeText(text, from, to);
    area.dispatchEvent(new Event('input', { bubbles: true }));
  }
  area.setSelectionRange(start, end);
}

function command(text: string): boolean {
  try {
    return text ? document.execCommand('insertText', false, text) : document.execCommand('delete');
  } catch {
    return false;
  }
}

function keepShown(editor: HTMLElement, area: HTMLTextAreaElement): void {
  const region = editor.querySelector('section');
  const button = editor.querySelector<HTMLButtonElement>('button[name]');
  const problem = region?.querySelector<HTMLElement>('[data-problem]');
  const shown = region?.querySelector<HTMLElement>('[data-shown]');
  if (!region || !button || !problem || !shown) return;
  let timer = 0;
  let isSent = false;
  let rendered: string | null = null;

  const run = () => {
    if (isSent || area.value === rendered) return;
    const text = area.value;
    isSent = true;
    render(editor, button.value, area.name, text, (fresh) => {
      isSent = false;
      rendered = text;
      const words = fresh ? (fresh.querySelector('[data-problem]')?.textContent ?? '') : (editor.dataset.failed ?? '');
      problem.textContent = words;
      // Without a problem, the text is current, and the button has nothing to do.
      (button.parentElement as HTMLElement).hidden = !words;
      region.hidden = !words && !text.trim();
      if (!words) shown.replaceChildren(...(fresh?.querySelector('[data-shown]')?.childNodes ?? []));
      openApart(shown);
      if (area.value !== text) later();
    });
  };
  const later = () => {
    clearTimeout(timer);
    timer = window.setTimeout(run, PAUSE_MS);
  };
  area.addEventListener('input', later);
  openApart(shown);
  if (area.value.trim()) run();
}

/** A link must not replace the page with what was typed. */
function openApart(shown: HTMLElement): void {
  for (const link of shown.querySelectorAll('a')) link.target = '_blank';
}

/** Reads a text as the page shows it. Null if that fails. `XMLHttpRequest` parses HTML without a Trusted Types policy. */
function render(
  editor: HTMLElement,
  intent: string,
  name: string,
  text: string,
  done: (fresh: Element | null) => void,
) {
  const form = new FormData();
  const fields = { part: editor.dataset.part ?? '', intent, [name]: text };
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  const request = new XMLHttpRequest();
  request.open('POST', editor.dataset.editor ?? '');
  request.responseType = 'document';
  request.timeout = RENDER_MS_MAX;
  request.addEventListener('loadend', () => {
    done(request.status === 200 ? (request.responseXML?.querySelector('[data-editor] section') ?? null) : null);
  });
  request.send(form);
}
