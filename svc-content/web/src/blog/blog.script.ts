/** Comments of a blog post, stored in this browser with a copy to the hospital, and the button that copies the URL. */
import { newIdempotencyKey } from '@hospital/api/call';
import { createMessage } from '@hospital/api/create-message';

interface Comment {
  /** Time of writing, in milliseconds; also the id. */
  id: number;
  name: string;
  content: string;
  createdAt: string;
}

/** Returns a text in the page's language, with `value` for its only parameter. */
type Translate = (text: string, value?: string) => string;

/** Reads the texts of the page's language; English without any. Not the kit's functions, to keep the script small. */
function translatorOf(messages: string | undefined): Translate {
  const translated: Record<string, string> = messages ? JSON.parse(messages).content : {};
  return (text, value = '') => (translated[text] ?? text).replace(/\{\w+\}/, () => value);
}

export default function enliven(root: HTMLElement): void {
  const translate = translatorOf(root.querySelector<HTMLElement>('[data-messages]')?.dataset.messages);
  const copy = root.querySelector<HTMLButtonElement>('[data-copy]');
  const copied = root.querySelector('[data-copied]');
  if (copy && copied && 'clipboard' in navigator) offerCopy(copy, copied, translate);
  const section = root.querySelector<HTMLElement>('[data-thread]');
  if (section) takeComments(section, section.dataset.thread ?? '', translate);
}

function takeComments(section: HTMLElement, thread: string, translate: Translate) {
  const key = `blog-comments:${thread}`;
  const form = section.querySelector('form');
  const fields = [...section.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('[name]')];
  const problem = section.querySelector('[role=alert]');
  const done = section.querySelector<HTMLElement>('[role=status]');
  if (!form || !problem || !done) return;
  let comments = read([]);

  form.hidden = false;
  show();
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const blank = fields.filter((field) => !field.value.trim());
    for (const field of fields) field.setAttribute('aria-invalid', String(blank.includes(field)));
    problem.textContent = blank.length ? translate('Please enter your name and a comment.') : '';
    if (blank[0]) return blank[0].focus();
    const [name = '', content = ''] = fields.map(({ value }) => value.trim());
    const createdAt = new Date().toISOString();
    const comment = { id: Date.parse(createdAt), name, content, createdAt };
    keep([comment, ...read(comments)], translate('We’ve saved your comment in this browser.'));
    for (const field of fields.slice(1)) field.value = '';
    notify(thread, comment);
  });

  /**
   * Returns the stored comments, newest first, including those from other tabs. Returns `otherwise` if storage is not
   * available.
   */
  function read(otherwise: Comment[]): Comment[] {
    return stored(
      () => (JSON.parse(localStorage.getItem(key) ?? '[]') as Comment[]).sort((a, b) => b.id - a.id),
      otherwise,
    );
  }

  function keep(changed: Comment[], said: string) {
    comments = changed;
    announce(
      stored(() => {
        localStorage.setItem(key, JSON.stringify(comments));
        return said;
      }, translate('Your browser can’t save comments. They’ll be gone when you leave this page.')),
    );
    show();
  }

  function announce(said: string) {
    if (done) done.textContent = said;
  }

  function show() {
    section.querySelector('ol')?.replaceChildren(...comments.map(entry));
  }

  function entry({ id, name, content, createdAt }: Comment): Node {
    const item = section.querySelector('template')?.content.cloneNode(true) as DocumentFragment;
    const fill = (selector: string, text: string) => {
      const part = item.querySelector(selector);
      if (part) part.textContent = text;
    };
    fill('strong', name);
    fill('[data-content]', content);
    fill(
      'time',
      new Date(createdAt).toLocaleString(`${document.documentElement.lang.slice(0, 2) || 'en'}-IN`, {
        dateStyle: 'long',
        timeStyle: 'short',
        timeZone: 'Asia/Kolkata',
      }),
    );
    item.querySelector('time')?.setAttribute('datetime', createdAt);
    const remove = item.querySelector('button');
    remove?.setAttribute('aria-label', translate('Remove the comment by {name}', name));
    remove?.addEventListener('click', () => {
      keep(
        read(comments).filter((comment) => comment.id !== id),
        translate('We’ve removed the comment.'),
      );
      done?.focus();
    });
    return item;
  }
}

/** Accesses storage, which can be full or forbidden. */
function stored<Result>(access: () => Result, otherwise: Result): Result {
  try {
    return access();
  } catch (error) {
    console.info(error);
    return otherwise;
  }
}

/** Sends a copy to the hospital. The comment is stored either way, so a failure is only logged. */
function notify(threadId: string, { name, content, createdAt }: Comment) {
  createMessage(
    { subject: `New blog comment on ${threadId}`, name, message: content, meta: { threadId, createdAt } },
    // `keepalive`, because visitors often leave the page right after commenting.
    { idempotencyKey: newIdempotencyKey(), keepalive: true },
  ).catch((error: unknown) => console.warn('comment not sent', error));
}

function offerCopy(button: HTMLButtonElement, said: Element, translate: Translate) {
  button.hidden = false;
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(button.dataset.copy ?? '').then(
      () => (said.textContent = translate('We’ve copied the link.')),
      (error: unknown) => {
        // The browser's reason is meant for developers.
        console.info('not copied', error);
        said.textContent = translate('We couldn’t copy the link. Copy it from here: {url}', button.dataset.copy);
      },
    );
  });
}
