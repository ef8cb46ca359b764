// Comments of a blog post, kept in this browser with a copy to the hospital; and the button that copies the address.
{
  const STORAGE_PREFIX = 'blog-comments:';
  const CALLS_MAX = 10;
  const CALLS_WINDOW_MS = 60000;
  const TIMEOUT_MS = 8000;

  const section = document.querySelector('[data-thread]');
  const copy = document.querySelector('[data-copy]');
  if (section) discuss(section);
  if (copy && navigator.clipboard) offerCopy(copy);

  function discuss(section) {
    const { thread } = section.dataset;
    const form = section.querySelector('form');
    const list = section.querySelector('ol');
    const template = section.querySelector('template');
    const problem = form.querySelector('[role=alert]');
    const done = section.querySelector('[role=status]');
    let comments = read(thread);

    form.hidden = false;
    show();
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const fields = [form.elements.name, form.elements.content];
      const [name, content] = fields.map((field) => field.value.trim());
      for (const field of fields) {
        if (field.value.trim()) field.removeAttribute('aria-invalid');
        else field.setAttribute('aria-invalid', 'true');
      }
      problem.textContent = name && content ? '' : 'Please enter your name and a comment.';
      if (problem.textContent) return fields.find((field) => !field.value.trim()).focus();
      const now = new Date();
      const comment = { id: now.getTime(), name, content, createdAt: now.toISOString() };
      // Another tab may have added to the list meanwhile.
      comments = [comment, ...read(thread, comments)];
      done.textContent = write(thread, comments) ? 'Your comment has been saved in this browser.' : 'Your browser keeps nothing: your comment is gone when you leave this page.';
      form.elements.content.value = '';
      show();
      notify(thread, comment);
    });

    function show() {
      list.replaceChildren(...comments.map(entry));
    }

    function entry(comment) {
      const item = template.content.firstElementChild.cloneNode(true);
      const time = item.querySelector('time');
      item.querySelector('[data-name]').textContent = comment.name;
      item.querySelector('[data-content]').textContent = comment.content;
      time.dateTime = comment.createdAt;
      time.textContent = new Date(comment.createdAt).toLocaleString('en-IN', { dateStyle: 'long', timeStyle: 'short', timeZone: 'Asia/Kolkata' });
      const remove = item.querySelector('[data-remove]');
      remove.setAttribute('aria-label', `Remove the comment of ${comment.name}`);
      remove.addEventListener('click', () => {
        comments = read(thread, comments).filter(({ id }) => id !== comment.id);
        write(thread, comments);
        show();
        done.textContent = 'The comment has been removed from this browser.';
        done.focus();
      });
      return item;
    }
  }

  /** Newest first. `otherwise` where storage is forbidden or holds something else. */
  function read(thread, otherwise = []) {
    try {
      const kept = JSON.parse(localStorage.getItem(STORAGE_PREFIX + thread) ?? '[]');
      return Array.isArray(kept) ? kept.sort((a, b) => b.id - a.id) : otherwise;
    } catch (error) {
      console.info('comments cannot be read', error);
      return otherwise;
    }
  }

  function write(thread, comments) {
    try {
      localStorage.setItem(STORAGE_PREFIX + thread, JSON.stringify(comments));
      return true;
    } catch (error) {
      console.info('comments cannot be kept', error);
      return false;
    }
  }

  /** The copy for the hospital. The comment is kept either way, so a failure is only logged. */
  async function notify(thread, { name, content, createdAt }) {
    try {
      countCall();
      const response = await fetch('/api/messages', {
        method: 'POST',
        credentials: 'include',
        keepalive: true,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: {
          'Content-Type': 'application/json',
          'X-Requested-With': 'fetch',
          'X-Client-Id': clientId(),
          'Idempotency-Key': randomHex(),
        },
        body: JSON.stringify({ subject: `New blog comment on ${thread}`, name, message: content, meta: { threadId: thread, createdAt } }),
      });
      if (!response.ok) throw new Error(`API call failed: ${response.status} ${response.statusText}`);
    } catch (error) {
      console.warn('the hospital was not notified of the comment', error);
    }
  }

  function countCall() {
    const now = performance.now();
    const calls = (discuss.calls ??= []);
    while (calls.length && now - calls[0] >= CALLS_WINDOW_MS) calls.shift();
    if (calls.length >= CALLS_MAX) throw new Error('Rate limit exceeded. Please try again later.');
    calls.push(now);
  }

  function clientId() {
    return (discuss.client ??= randomHex());
  }

  function randomHex() {
    return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
  }

  function offerCopy(button) {
    button.hidden = false;
    button.addEventListener('click', async () => {
      const said = document.querySelector('[data-copied]');
      try {
        await navigator.clipboard.writeText(button.dataset.copy);
        said.textContent = 'The link has been copied.';
      } catch (error) {
        console.info('the link was not copied', error);
        said.textContent = `Your browser did not allow it. The link is ${button.dataset.copy}`;
      }
    });
  }
}
