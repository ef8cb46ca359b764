/** Corrects the panel of a cached document, and keeps it correct while the page stays open. */
import { timeOf } from '@hospital/page/clock';

/** Maximum age of the displayed time, in milliseconds. */
const AGE_MS_MAX = 10_000;

export default function keepRight(root: HTMLElement): void {
  const correct = () => {
    const now = Date.now();
    for (const clock of root.querySelectorAll<HTMLElement>('[data-clock]'))
      clock.textContent = `${timeOf(new Date(now).toISOString(), clock.dataset.times)}.`;
    const times = [...root.querySelectorAll<HTMLElement>('[data-starts-at]')];
    for (const entry of times) entry.hidden = Date.parse(entry.dataset.startsAt ?? '') <= now;
    const isOver = times.length > 0 && times.every(({ hidden }) => hidden);
    for (const part of root.querySelectorAll<HTMLElement>('[data-free]')) part.hidden = isOver;
  };
  correct();
  setInterval(correct, AGE_MS_MAX);
  document.addEventListener('visibilitychange', correct);
}
