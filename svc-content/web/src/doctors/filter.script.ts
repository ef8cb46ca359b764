/** Filters the directory while the visitor types. Without script the form is submitted, with the same result. */
import { counted, matches } from './matching.ts';

/** Debounce of URL updates in milliseconds, because browsers limit their rate. */
const ADDRESS_PAUSE_MS = 300;

export default function filterDoctors(root: HTMLElement): void {
  const find = <Found extends HTMLElement>(selector: string) => root.querySelector<Found>(selector);
  const form = find<HTMLFormElement>('form');
  const words = find<HTMLInputElement>('[name=q]');
  const specialty = find<HTMLSelectElement>('[name=specialty]');
  const [found, showAll, nobody] = [find('[data-found]'), find('[data-show-all]'), find('[data-nobody]')];
  const instead = find('[data-instead]');
  const cards = [...root.querySelectorAll<HTMLElement>('[data-card]')];
  // Without the cards, if data was missing, only the form filters.
  if (!form || !words || !specialty || !found || !showAll || !nobody || !cards.length) return;

  const filter = () => {
    const key = specialty.selectedOptions[0]?.dataset.key || form.dataset.asked || '';
    for (const card of cards) {
      const { key: own = '', words: text = '' } = card.dataset;
      card.hidden = !matches({ key: own, text }, words.value, key);
    }
    const shown = cards.filter(({ hidden }) => !hidden).length;
    found.textContent = counted(shown, form.dataset.of);
    showAll.hidden = !words.value.trim() && !key;
    if (instead) instead.hidden = shown > 0 || !form.dataset.asked;
    nobody.hidden = shown > 0 || instead?.hidden === false;
  };
  let pause: ReturnType<typeof setTimeout> | undefined;
  form.addEventListener('input', () => {
    // From now on only the form's fields decide.
    delete form.dataset.asked;
    filter();
    clearTimeout(pause);
    pause = setTimeout(() => {
      const chosen = [words, specialty].filter(({ value }) => value.trim()).map(({ name, value }) => [name, value]);
      history.replaceState(null, '', chosen.length ? `?${new URLSearchParams(chosen)}` : location.pathname);
    }, ADDRESS_PAUSE_MS);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    filter();
    found.focus();
  });
  // Browsers restore the fields when a visitor navigates back.
  addEventListener('pageshow', filter);
}
