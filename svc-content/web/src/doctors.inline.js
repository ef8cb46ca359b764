// The filter of the directory while typing. Without it the form asks the server, which answers the same.
const form = document.querySelector('[data-filter]');
const cards = [...document.querySelectorAll('[data-card]')];
const [count, showAll, nobody] = ['count', 'show-all', 'nobody'].map((name) =>
  document.querySelector(`[data-${name}]`),
);

function filter() {
  const { q, specialty } = form.elements;
  const words = q.value.trim().toLowerCase();
  // Labels of one meaning share a key; a label that nobody has finds nobody.
  const key = specialty.selectedOptions[0].dataset.key ?? specialty.value;
  let found = 0;
  for (const card of cards) {
    card.hidden = Boolean(
      (key && card.dataset.key !== key) || !card.dataset.words.split('\n').some((text) => text.includes(words)),
    );
    if (!card.hidden) found += 1;
  }
  count.textContent = `${found} ${found === 1 ? 'doctor' : 'doctors'}`;
  showAll.hidden = !words && !key;
  nobody.hidden = found > 0;
}

// Without all cards, for want of data, the form alone filters.
if (form && cards.length && count) {
  let pause;
  form.addEventListener('input', () => {
    filter();
    // The address follows when one stops to type: browsers refuse many changes of it in a row.
    clearTimeout(pause);
    pause = setTimeout(() => {
      const chosen = [...new FormData(form)].filter(([, value]) => value.trim());
      history.replaceState(null, '', chosen.length ? `?${new URLSearchParams(chosen)}` : location.pathname);
    }, 300);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    filter();
    count.focus();
  });
  // The browser puts back what was typed when somebody returns.
  addEventListener('pageshow', filter);
}
