/** Keeps the section's opening status current while the page is open. */
import { correct, onEachHalfMinute } from './place/keep-open-now.ts';

export default function keepRight(root: HTMLElement): void {
  onEachHalfMinute(() => correct(root));
}
