/** Advances every 3500 ms and wraps around; a manual change restarts the period. */
const PERIOD_MS = 3500;

/** `connection` is not available in every browser. */
type Connected = Navigator & { connection?: { saveData?: boolean } };

const asks = (query: string) => matchMedia(query).matches;

export default function advance(root: HTMLElement): void {
  const carousel = root.querySelector('[data-carousel]');
  const track = carousel?.querySelector('ul');
  const controls = carousel?.querySelector('div');
  const place = controls?.querySelector('span');
  const [previous, next, pause] = controls?.querySelectorAll('button') ?? [];
  if (!track || !controls || !place || !previous || !next || !pause) return;
  const slides = [...track.children] as HTMLElement[];
  if ((navigator as Connected).connection?.saveData || asks('(prefers-reduced-data: reduce)')) {
    for (const slide of slides.slice(1)) slide.remove();
    return;
  }
  const still = asks('(prefers-reduced-motion: reduce)');
  let index = 0;
  let timer = 0;
  let isPaused = still;
  /** A finger is on the strip. */
  let isHeld = false;
  /** The visitor has scrolled since the last automatic change. */
  let isScrolled = false;

  const note = (to: number) => {
    index = to;
    place.textContent = `${to + 1} / ${slides.length}`;
  };
  const go = (step: number) => {
    const from = index;
    isScrolled = false;
    note((from + step + slides.length) % slides.length);
    const behavior = still || index !== from + step ? 'instant' : 'smooth';
    track.scrollTo({ left: (slides[index]?.offsetLeft ?? 0) - track.offsetLeft, behavior });
  };
  const start = () => {
    clearInterval(timer);
    if (!isPaused && !isHeld) timer = window.setInterval(go, PERIOD_MS, 1);
  };
  const byHand = (step: number) => () => {
    go(step);
    start();
  };
  previous.onclick = byHand(-1);
  next.onclick = byHand(1);
  pause.onclick = () => {
    isPaused = !isPaused;
    pause.setAttribute('aria-pressed', String(isPaused));
    start();
  };
  const on = (kinds: string, target: EventTarget, listener: () => void) => {
    for (const kind of kinds.split(' ')) target.addEventListener(kind, listener, { passive: true });
  };
  const grab = () => {
    isScrolled = true;
    note(Math.round(track.scrollLeft / track.clientWidth) || 0);
    start();
  };
  // The timer is paused while a finger is on the strip; afterwards it continues from the visible banner.
  on('pointerdown touchstart', track, () => {
    isHeld = true;
    grab();
  });
  on('pointerup touchend touchcancel', window, () => {
    if (!isHeld) return;
    isHeld = false;
    start();
  });
  on('wheel keydown', track, grab);
  on('scroll', track, () => isScrolled && start());
  // An observer, because Safari lacks `scrollend`. Automatic scrolling passes other banners, so only the visitor's
  // scrolling counts.
  const seen = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries)
        if (isIntersecting && isScrolled) note(slides.indexOf(target as HTMLElement));
    },
    { root: track, threshold: 0.6 },
  );
  for (const slide of slides) seen.observe(slide);
  pause.hidden = still;
  controls.hidden = false;
  start();
}
