/** Opens the assessment where it has room beside the text, and in a tab in which it was begun. */

/** Width from which the card is open, equal to the one in home-assessment.module.css. */
const WIDE = '(width >= 60rem)';

export default function open(root: HTMLElement): void {
  const card = root.querySelector('details');
  const key = root.querySelector<HTMLElement>('[data-resume]')?.dataset.resume ?? '';
  if (card && (matchMedia(WIDE).matches || isKept(key))) card.open = true;
}

function isKept(key: string): boolean {
  try {
    return sessionStorage.getItem(key) !== null;
  } catch {
    // Storage is forbidden (policies, private windows), so nothing was stored.
    return false;
  }
}
