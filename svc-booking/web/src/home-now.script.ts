/** Corrects the panel of a cached document, and keeps it correct while the page stays open. */
import { formatTime } from '@hospital/page/format';
import { adoptMessages } from '@hospital/page/language';
import { t } from './messages.ts';

/** Maximum age of the displayed time, in milliseconds. */
const AGE_MS_MAX = 10_000;

export default function keepRight(root: HTMLElement): void {
  adoptMessages(root);
  const correct = () => {
    const now = Date.now();
    for (const clock of root.querySelectorAll('[data-clock]'))
      clock.textContent = t('{time}.', { time: formatTime(new Date(now).toISOString()) });
    const times = [...root.querySelectorAll<HTMLElement>('[data-starts-at]')];
    for (const entry of times) entry.hidden = Date.parse(entry.dataset.startsAt ?? '') <= now;
    const isOver = times.length > 0 && times.every(({ hidden }) => hidden);
    for (const part of root.querySelectorAll<HTMLElement>('[data-free]')) part.hidden = isOver;
  };
  correct();
  setInterval(correct, AGE_MS_MAX);
  document.addEventListener('visibilitychange', correct);
}
