/** Key of the tab's storage: the visitor has chosen a language or dismissed the hint. */
const CHOSEN = 'language';
/** Paths that have no language: the API, staff, files, and addresses with a language already. */
const WITHOUT_LANGUAGE = /^\/(api|staff|preview|remotes|kn|hi)(\/|$)|\.\w+$/;

/**
 * Keeps the visitor in the page's language: links made by scripts get its prefix, as the gateway gives it to links of
 * the document. Shows a hint if the browser prefers another language of the site.
 */
export function keepLanguage(): void {
  addEventListener('click', keep, true);
  hint();
}

function keep({ target }: Event): void {
  const link = target instanceof Element ? target.closest('a') : null;
  if (!link || link.origin !== location.origin) return;
  const [prefix = ''] = /^\/(kn|hi)(?![^/])/.exec(location.pathname) ?? [];
  if (link.hreflang) {
    link.search = location.search;
    link.hash = location.hash;
    chosen(true);
  } else if (prefix && !WITHOUT_LANGUAGE.test(link.pathname)) {
    link.pathname = prefix + link.pathname.replace(/^\/$/, '');
  }
}

function hint(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('nav a[data-words]')];
  const current = document.documentElement.lang.slice(0, 2);
  const known = [current, ...links.map(({ hreflang }) => hreflang)];
  const preferred = navigator.languages.map((code) => code.slice(0, 2)).find((code) => known.includes(code));
  const link = links.find(({ hreflang }) => hreflang === preferred);
  if (!link || chosen()) return;
  const [words = '', dismiss = ''] = link.dataset.words?.split('|') ?? [];
  const box = document.createElement('p');
  box.className = link.parentElement?.dataset.hint ?? '';
  box.lang = link.lang;
  const there = link.cloneNode() as HTMLAnchorElement;
  there.textContent = words;
  const button = document.createElement('button');
  button.textContent = dismiss;
  button.onclick = () => {
    chosen(true);
    box.remove();
  };
  box.append(there, button);
  link.closest('header')?.append(box);
}

/** Returns whether the visitor has chosen in this tab, and stores a choice. */
function chosen(isNow = false): boolean {
  try {
    if (isNow) sessionStorage.setItem(CHOSEN, '1');
    return sessionStorage.getItem(CHOSEN) !== null;
  } catch {
    // Storage is forbidden (policies, private windows). Without it, the hint would return on each page.
    return true;
  }
}
