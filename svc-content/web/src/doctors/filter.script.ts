/** The filter of the directory while one types. Without it the form asks the server, which answers the same. */
import { counted, matches } from './matching.ts';

/** Browsers refuse many changes of the address in a row: it follows when one stops to type. */
const ADDRESS_PAUSE_MS = 300;

export default function filterDoctors(root: HTMLElement): void {
  const find = <Found extends HTMLElement>(selector: string) => root.querySelector<Found>(selector);
  const form = find<HTMLFormElement>('form');
  const words = find<HTMLInputElement>('[name=q]');
  const specialty = find<HTMLSelectElement>('[name=specialty]');
  const [found, showAll, nobody] = [find('[data-found]'), find('[data-show-all]'), find('[data-nobody]')];
  const instead = find('[data-instead]');
  const cards = [...root.querySelectorAll<HTMLElement>('[data-card]')];
  // Without all cards, for want of data, the form alone filters.
  if (!form || !words || !specialty || !found || !showAll || !nobody || !cards.length) return;

  const filter = () => {
    const key = specialty.selectedOptions[0]?.dataset.key || form.dataset.asked || '';
    for (const card of cards) {
      const { key: own = '', words: text = '' } = card.dataset;
      card.hidden = !matches({ key: own, text }, words.value, key);
    }
    const shown = cards.filter(({ hidden }) => !hidden).length;
    found.textContent = counted(shown);
    showAll.hidden = !words.value.trim() && !key;
    if (instead) instead.hidden = shown > 0 || !form.dataset.asked;
    nobody.hidden = shown > 0 || instead?.hidden === false;
  };
  let pause = 0;
  form.addEventListener('input', () => {
    // From now on the form alone says what is shown.
    delete form.dataset.asked;
    filter();
    clearTimeout(pause);
    pause = window.setTimeout(() => {
      const chosen = [words, specialty].filter(({ value }) => value.trim()).map(({ name, value }) => [name, value]);
      history.replaceState(null, '', chosen.length ? `?${new URLSearchParams(chosen)}` : location.pathname);
    }, ADDRESS_PAUSE_MS);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    filter();
    found.focus();
  });
  // The browser puts back what was typed when somebody returns.
  addEventListener('pageshow', filter);
}
