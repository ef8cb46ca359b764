/** Corrects the panel of a cached document, and keeps it correct while the page stays open. */
import { formatTime } from '@hospital/page/format';

/** Maximum age of the displayed time, in milliseconds. */
const AGE_MS_MAX = 10_000;

export default function keepRight(root: HTMLElement): void {
  const correct = () => {
    const now = Date.now();
    for (const clock of root.querySelectorAll('[data-clock]'))
      clock.textContent = `${formatTime(new Date(now).toISOString())}.`;
    for (const entry of root.querySelectorAll<HTMLElement>('[data-starts-at]'))
      entry.hidden = Date.parse(entry.dataset.startsAt ?? '') <= now;
  };
  correct();
  setInterval(correct, AGE_MS_MAX);
  document.addEventListener('visibilitychange', correct);
}
