// Advances every 3500 ms and wraps; whatever is chosen by hand starts the 3500 ms anew.
for (const carousel of document.querySelectorAll('[data-carousel]')) {
  const [track, controls] = carousel.children;
  const slides = [...track.children];
  const [previous, next, pause] = controls.querySelectorAll('button');
  const asks = (query) => matchMedia(query).matches;
  if (navigator.connection?.saveData || asks('(prefers-reduced-data: reduce)')) {
    for (const slide of slides.slice(1)) slide.remove();
    continue;
  }
  const still = asks('(prefers-reduced-motion: reduce)');
  let index = 0;
  let timer;
  let paused = still;
  let swiped;
  const note = (to) => {
    index = to;
    controls.querySelector('span').textContent = `${to + 1} / ${slides.length}`;
  };
  const go = (step) => {
    const from = index;
    swiped = false;
    note((from + step + slides.length) % slides.length);
    const behavior = still || index !== from + step ? 'instant' : 'smooth';
    track.scrollTo({ left: slides[index].offsetLeft - track.offsetLeft, behavior });
  };
  const start = () => {
    clearInterval(timer);
    if (!paused) timer = setInterval(go, 3500, 1);
  };
  const byHand = (step) => () => {
    go(step);
    start();
  };
  previous.onclick = byHand(-1);
  next.onclick = byHand(1);
  pause.onclick = () => {
    paused = !paused;
    pause.setAttribute('aria-pressed', paused);
    start();
  };
  // After a swipe the timer goes on from what is seen. Not after a move of its own: two quick ones end only the last.
  track.onpointerdown =
    track.onwheel =
    track.onkeydown =
      () => {
        swiped = true;
      };
  track.onscrollend = () => {
    if (!swiped) return;
    note(Math.round(track.scrollLeft / track.clientWidth));
    start();
  };
  pause.hidden = still;
  controls.hidden = false;
  start();
}
