/** Advances every 3500 ms and wraps; whatever is chosen by hand starts the 3500 ms anew. */
const PERIOD_MS = 3500;

/** Not in every browser. */
type Connected = Navigator & { connection?: { saveData?: boolean } };

const asks = (query: string) => matchMedia(query).matches;

export default function advance(root: HTMLElement): void {
  const [track, controls] = (root.querySelector('[data-carousel]')?.children ?? []) as Iterable<HTMLElement>;
  const place = controls?.querySelector('span');
  const [previous, next, pause] = controls?.querySelectorAll('button') ?? [];
  if (!track || !controls || !place || !previous || !next || !pause) return;
  const slides = [...track.children] as HTMLElement[];
  if ((navigator as Connected).connection?.saveData || asks('(prefers-reduced-data: reduce)')) {
    for (const slide of slides.slice(1)) slide.remove();
    return;
  }
  const still = asks('(prefers-reduced-motion: reduce)');
  let [index, timer, paused, swiped] = [0, 0, still, false];

  const note = (to: number) => {
    index = to;
    place.textContent = `${to + 1} / ${slides.length}`;
  };
  const go = (step: number) => {
    const from = index;
    swiped = false;
    note((from + step + slides.length) % slides.length);
    const behavior = still || index !== from + step ? 'instant' : 'smooth';
    track.scrollTo({ left: (slides[index]?.offsetLeft ?? 0) - track.offsetLeft, behavior });
  };
  const start = () => {
    clearInterval(timer);
    if (!paused) timer = window.setInterval(go, PERIOD_MS, 1);
  };
  const byHand = (step: number) => () => {
    go(step);
    start();
  };
  previous.onclick = byHand(-1);
  next.onclick = byHand(1);
  pause.onclick = () => {
    paused = !paused;
    pause.setAttribute('aria-pressed', String(paused));
    start();
  };
  // After a swipe the timer goes on from what is seen. Not after a move of its own: two quick ones end only the last.
  for (const touch of ['pointerdown', 'wheel', 'keydown']) {
    track.addEventListener(touch, () => (swiped = true), { passive: true });
  }
  track.addEventListener('scrollend', () => {
    if (!swiped) return;
    note(Math.round(track.scrollLeft / track.clientWidth));
    start();
  });
  pause.hidden = still;
  controls.hidden = false;
  start();
}
