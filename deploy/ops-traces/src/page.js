/* global document, fetch, location, AbortSignal, DOMParser, setInterval, getSelection, INTERVAL_MS */
const parts = () => [...document.querySelectorAll('[data-part]')];
const focusable = (part) => [...part.querySelectorAll('a[href]:not([tabindex="-1"]), summary, [tabindex="0"]')];
const refresh = async () => {
  const lost = document.getElementById('lost');
  try {
    const answer = await fetch(location.href, { signal: AbortSignal.timeout(INTERVAL_MS) });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const next = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const known = new Set(parts().map(({ id }) => id));
    if ([...next.querySelectorAll('[data-part]')].some(({ id }) => !known.has(id))) return location.reload();
    for (const part of parts()) replace(part, next.getElementById(part.id)?.innerHTML ?? '');
    lost.hidden = true;
  } catch {
    lost.hidden = false;
  }
};
const replace = (part, html) => {
  if (part.served === html) return;
  part.served = html;
  const open = [...part.querySelectorAll('details[open]')].map(({ id }) => id);
  const focused = focusable(part).indexOf(document.activeElement);
  part.innerHTML = html;
  for (const id of open) document.getElementById(id)?.setAttribute('open', '');
  focusable(part)[focused]?.focus({ preventScroll: true });
};
for (const part of parts()) part.served = part.innerHTML;
setInterval(() => {
  // A selection would be lost.
  if (!document.hidden && getSelection().isCollapsed) refresh();
}, INTERVAL_MS);
