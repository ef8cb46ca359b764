/** Counts from 0 to the displayed number in 2 seconds, when it scrolls into view. '24/7' is not animated. */
const DURATION_MS = 2000;

export default function countUp(root: HTMLElement): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      observer.unobserve(target);
      run(target);
    }
  });
  for (const number of root.querySelectorAll('[data-count]')) observer.observe(number);
}

function run(target: Element) {
  const text = target.textContent ?? '';
  const [, end, unit] = /^(\d+)(\D*)$/.exec(text) ?? [];
  if (!end) return;
  let start: number | undefined;
  const step = (time: number) => {
    start ??= time;
    const share = Math.min((time - start) / DURATION_MS, 1);
    target.textContent = share < 1 ? `${Math.floor(Number(end) * (1 - (1 - share) ** 3))}${unit}` : text;
    if (share < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}
