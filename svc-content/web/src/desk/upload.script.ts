/**
 * Form for uploading a picture: previews the chosen picture, refuses a large one before sending, and shows the progress.
 * The result is the same as without the script.
 */

/** Width of the shown picture, in pixels. */
const WIDTH = 320;

export default function enliven(root: HTMLElement): void {
  const form = root.querySelector<HTMLFormElement>('form[data-upload]');
  const file = form?.querySelector<HTMLInputElement>('input[type="file"]');
  const added = form?.querySelector('template')?.content.cloneNode(true) as DocumentFragment | undefined;
  if (!form || !file || !added) return;
  const part = <Name extends string>(name: Name) => added.querySelector<HTMLElement>(`[data-${name}]`) as HTMLElement;
  const [chosen, problem, sending, phase] = [part('chosen'), part('problem'), part('sending'), part('phase')];
  const progress = added.querySelector('progress') as HTMLProgressElement;
  const sent = part('sent');
  const cancel = part('cancel');
  form.querySelector('button:not([data-cancel])')?.parentElement?.before(added);

  const isTooLarge = () => (file.files?.[0]?.size ?? 0) > Number(form.dataset.upload);
  file.addEventListener('change', () => {
    problem.textContent = isTooLarge() ? (problem.dataset.large ?? '') : '';
    void show(file.files?.[0], chosen);
  });

  let request: XMLHttpRequest | null = null;
  cancel.addEventListener('click', () => request?.abort());
  form.addEventListener('submit', (event) => {
    if (request) return event.preventDefault();
    if (isTooLarge()) {
      event.preventDefault();
      return file.focus();
    }
    // After a lost connection, the browser sends the form and shows what becomes of it.
    if (form.dataset.lost !== undefined) return;
    event.preventDefault();
    const { action } = form;
    const body = new FormData(form);
    const ends = (words: string | undefined) => {
      request = null;
      sending.hidden = true;
      problem.textContent = words ?? '';
    };
    problem.textContent = '';
    sending.hidden = false;
    progress.value = 0;
    phase.textContent = phase.dataset.begin ?? '';
    sent.textContent = '';
    request = new XMLHttpRequest();
    request.open('POST', action);
    request.responseType = 'document';
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      const percent = Math.floor((100 * loaded) / total);
      progress.value = percent;
      sent.textContent = (sent.dataset.sent ?? '').replace('{percent}', String(percent));
    });
    request.upload.addEventListener('load', () => {
      // Without a value, the bar shows that something is going on.
      progress.removeAttribute('value');
      sent.textContent = '';
      phase.textContent = phase.dataset.read ?? '';
    });
    request.addEventListener('abort', () => ends(problem.dataset.cancelled));
    request.addEventListener('error', () => {
      form.dataset.lost = '';
      ends(problem.dataset.lost);
    });
    request.addEventListener('load', ({ target }) => {
      const { responseURL, responseXML } = target as XMLHttpRequest;
      const [to] = responseURL.split('#');
      if (to !== action.split('#')[0]) return location.assign(responseURL);
      const fresh = responseXML?.querySelector(`[data-module="${root.dataset.module}"]`);
      // For example after the end of the session: the browser shows what the gateway responds.
      if (!fresh || !responseXML) return form.submit();
      document.title = responseXML.title;
      root.replaceChildren(...fresh.childNodes);
      history.replaceState(null, '', action);
      root.querySelector<HTMLElement>('#result')?.focus();
      enliven(root);
    });
    request.send(body);
  });
}

/** Shows a small copy of the picture. A policy of the site forbids addresses of files. Nothing for what is no picture. */
async function show(file: File | undefined, chosen: HTMLElement): Promise<void> {
  chosen.replaceChildren();
  if (!file) return;
  try {
    const bitmap = await createImageBitmap(file, { resizeWidth: WIDTH });
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [WIDTH, Math.round((WIDTH * bitmap.height) / bitmap.width)];
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    const image = new Image(canvas.width, canvas.height);
    image.alt = '';
    image.src = canvas.toDataURL('image/jpeg', 0.8);
    chosen.replaceChildren(image);
  } catch (cause) {
    console.info('not shown', cause);
  }
}
