/** The point of a picture that stays visible: a press on the picture chooses it exactly, and the crops follow. */

/** Steps of the crops from edge to edge, as photograph.module.css has them. */
const STEPS = 6;

export default function enliven(root: HTMLElement): void {
  const board = root.querySelector<HTMLElement>('[data-board]');
  const exact = root.querySelector<HTMLElement>('[data-exact]');
  const radio = exact?.querySelector('input');
  const words = exact?.querySelector('span');
  const dot = board?.querySelector<HTMLElement>('[data-dot]');
  if (!board || !exact || !radio || !words || !dot) return;

  const show = () => {
    const focus = root.querySelector<HTMLInputElement>('input[name="focus"]:checked')?.value ?? '50 50';
    const [x = 50, y = 50] = focus.split(' ').map(Number);
    dot.hidden = !radio.checked;
    dot.style.insetInlineStart = `${x}%`;
    dot.style.insetBlockStart = `${y}%`;
    for (const image of root.querySelectorAll<HTMLElement>('img[data-left]')) {
      image.dataset.left = String(Math.round((x * STEPS) / 100));
      image.dataset.top = String(Math.round((y * STEPS) / 100));
    }
  };
  board.addEventListener('click', (event) => {
    // A press on a point, or a key, chooses that point.
    if (event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    const { left, top, width, height } = board.getBoundingClientRect();
    const percent = (at: number, whole: number) => Math.min(100, Math.max(0, Math.round((100 * at) / whole)));
    const [x, y] = [percent(event.clientX - left, width), percent(event.clientY - top, height)];
    radio.value = `${x} ${y}`;
    radio.checked = true;
    words.textContent = (words.dataset.words ?? '').replace('{x}', String(x)).replace('{y}', String(y));
    exact.hidden = false;
    show();
  });
  root.addEventListener('change', show);
  show();
}
