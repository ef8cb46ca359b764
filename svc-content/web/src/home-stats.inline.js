// Counts from 0 to what stands there, in 2 seconds, when it comes into view. '24/7' is no count.
if (!matchMedia('(prefers-reduced-motion: reduce)').matches) {
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      observer.unobserve(target);
      const text = target.textContent;
      const [, end, unit] = /^(\d+)(\D*)$/.exec(text) || [];
      if (!end) continue;
      let start;
      const step = (time) => {
        start ??= time;
        const share = Math.min((time - start) / 2000, 1);
        target.textContent = share < 1 ? Math.floor(end * (1 - (1 - share) ** 3)) + unit : text;
        if (share < 1) requestAnimationFrame(step);
      };
      requestAnimationFrame(step);
    }
  });
  for (const number of document.querySelectorAll('[data-count]')) observer.observe(number);
}
