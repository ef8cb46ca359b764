/** What the section says about being open stays right while the page does. */
import { correct, onEachHalfMinute } from './place/keep-open-now.ts';

export default function keepRight(root: HTMLElement): void {
  onEachHalfMinute(() => correct(root));
}
