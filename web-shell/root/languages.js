/**
 * Keeps the visitor in the page's language: links made by scripts get its prefix, as the gateway gives it to links of the
 * document. Offers the page in the language that the browser prefers, until the visitor dismisses the hint or chooses
 * one.
 */
(() => {
  /** Paths that have no language: the API, staff, files, and addresses with a language already, a code of two letters. */
  const WITHOUT_LANGUAGE = /^\/(api|staff|preview|remotes|[a-z]{2})(\/|$)|\.\w+$/;
  const CHOSEN = 'language';
  const HINTS = {
    en: ['This page is also in English.', 'Not now'],
    kn: ['ಈ ಪುಟ ಕನ್ನಡದಲ್ಲೂ ಇದೆ.', 'ಈಗ ಬೇಡ'],
    hi: ['यह पेज हिन्दी में भी है।', 'अभी नहीं'],
  };
  /** Styles of the hint: here, so that other visitors don't get them. */
  const STYLE = `@layer kit {
  .language-hint {
    position: fixed;
    inset: auto var(--space-3) calc(var(--bar-foot) + var(--space-3));
    z-index: 28;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0 var(--space-4);
    max-inline-size: 27rem;
    margin: 0;
    padding: var(--space-1) var(--space-4);
    border-radius: var(--radius-card);
    background: var(--accent-soft);
    box-shadow: var(--shadow);
  }
  .language-hint > * {
    min-block-size: var(--target);
    padding: 0;
    border: 0;
    background: none;
    line-height: var(--target);
    text-decoration: underline;
    cursor: pointer;
  }
  @media print {
    .language-hint {
      display: none;
    }
  }
}`;

  /** Returns whether the visitor has chosen in this tab, and stores a choice. */
  function chosen(isNow) {
    try {
      if (isNow) sessionStorage.setItem(CHOSEN, '1');
      return sessionStorage.getItem(CHOSEN) !== null;
    } catch {
      // Storage is forbidden (policies, private windows). Without it, the hint would return on each page.
      return true;
    }
  }

  function keep({ target }) {
    const link = target.closest?.('a');
    const [prefix] = /^\/[a-z]{2}(?![^/])/.exec(location.pathname) ?? [];
    if (!prefix || !link || link.origin !== location.origin || link.hreflang || WITHOUT_LANGUAGE.test(link.pathname))
      return;
    link.pathname = prefix + link.pathname.replace(/^\/$/, '');
  }

  // Before the click too: a link opened in a new tab or copied gets no click.
  for (const type of ['focusin', 'pointerdown', 'click']) addEventListener(type, keep, true);

  const links = [...document.querySelectorAll('header nav a[hreflang]')];
  const preferred = navigator.languages.map((code) => code.slice(0, 2)).find((code) => code in HINTS);
  const link = links.find(({ hreflang }) => hreflang === preferred);
  // Who comes from a page of the site has seen the switch, or used it.
  if (link && !chosen() && !document.referrer.startsWith(`${location.origin}/`)) {
    for (const each of links) each.addEventListener('click', () => chosen(true));
    const [words, dismiss] = HINTS[preferred];
    const box = document.createElement('p');
    box.className = 'language-hint';
    box.lang = preferred;
    const there = link.cloneNode();
    there.textContent = words;
    there.addEventListener('click', () => chosen(true));
    const button = document.createElement('button');
    button.textContent = dismiss;
    button.addEventListener('click', () => {
      chosen(true);
      box.remove();
    });
    box.append(there, button);
    const sheet = new globalThis.CSSStyleSheet();
    sheet.replaceSync(STYLE);
    document.adoptedStyleSheets.push(sheet);
    link.closest('header').append(box);
  }
})();
