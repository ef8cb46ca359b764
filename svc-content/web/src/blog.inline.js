// Comments of a blog post, kept in this browser with a copy to the hospital; and the button that copies the address.
{
  const CALLS_MAX = 10;
  const CALLS_WINDOW_MS = 60000;
  const TIMEOUT_MS = 8000;

  const find = (selector, root = document) => root.querySelector(selector);
  const section = find('[data-thread]');
  const copy = find('[data-copy]');
  if (copy && navigator.clipboard) offerCopy();

  if (section) {
    const { thread } = section.dataset;
    const key = `blog-comments:${thread}`;
    const form = find('form', section);
    const fields = [form.elements.name, form.elements.content];
    const problem = find('[role=alert]', section);
    const done = find('[role=status]', section);
    const calls = [];
    const client = randomHex();
    let comments = read([]);

    form.hidden = false;
    show();
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const [name, content] = fields.map(({ value }) => value.trim());
      const blank = fields.filter((field) => !field.value.trim());
      for (const field of fields) field.setAttribute('aria-invalid', blank.includes(field));
      problem.textContent = blank.length ? 'Please enter your name and a comment.' : '';
      if (blank.length) return blank[0].focus();
      const createdAt = new Date().toISOString();
      keep(
        [{ id: Date.parse(createdAt), name, content, createdAt }, ...read(comments)],
        'Your comment is kept in this browser.',
      );
      fields[1].value = '';
      notify({
        subject: `New blog comment on ${thread}`,
        name,
        message: content,
        meta: { threadId: thread, createdAt },
      });
    });

    /** Newest first; another tab may have added some. `otherwise` where storage is forbidden. */
    function read(otherwise) {
      return stored(() => (JSON.parse(localStorage.getItem(key)) ?? []).sort((a, b) => b.id - a.id), otherwise);
    }

    function keep(changed, said) {
      comments = changed;
      done.textContent = stored(() => {
        localStorage.setItem(key, JSON.stringify(comments));
        return said;
      }, 'Your browser keeps no comments: they are gone when you leave this page.');
      show();
    }

    /** Storage can be full or forbidden. */
    function stored(use, otherwise) {
      try {
        return use();
      } catch (error) {
        console.info(error);
        return otherwise;
      }
    }

    function show() {
      find('ol', section).replaceChildren(...comments.map(entry));
    }

    function entry({ id, name, content, createdAt }) {
      const item = find('template', section).content.firstElementChild.cloneNode(true);
      const time = find('time', item);
      const remove = find('button', item);
      find('strong', item).textContent = name;
      find('[data-content]', item).textContent = content;
      time.dateTime = createdAt;
      time.textContent = new Date(createdAt).toLocaleString('en-IN', {
        dateStyle: 'long',
        timeStyle: 'short',
        timeZone: 'Asia/Kolkata',
      });
      remove.setAttribute('aria-label', `Remove the comment of ${name}`);
      remove.addEventListener('click', () => {
        keep(
          read(comments).filter((comment) => comment.id !== id),
          'The comment is removed.',
        );
        done.focus();
      });
      return item;
    }

    /** The copy for the hospital. The comment is kept either way, so a failure is only logged. */
    async function notify(message) {
      try {
        const now = performance.now();
        if (calls.unshift(now) > CALLS_MAX && now - calls[CALLS_MAX] < CALLS_WINDOW_MS)
          throw new Error('Rate limit exceeded. Please try again later.');
        const { ok, status, statusText } = await fetch('/api/messages', {
          method: 'POST',
          keepalive: true,
          signal: AbortSignal.timeout(TIMEOUT_MS),
          headers: {
            'Content-Type': 'application/json',
            'X-Requested-With': 'fetch',
            'X-Client-Id': client,
            'Idempotency-Key': randomHex(),
          },
          body: JSON.stringify(message),
        });
        if (!ok) throw new Error(`API call failed: ${status} ${statusText}`);
      } catch (error) {
        console.warn('comment not sent', error);
      }
    }
  }

  function randomHex() {
    return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  }

  function offerCopy() {
    const said = find('[data-copied]');
    copy.hidden = false;
    copy.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(copy.dataset.copy);
        said.textContent = 'The link has been copied.';
      } catch (error) {
        said.textContent = `It cannot be copied: ${error}`;
      }
    });
  }
}
