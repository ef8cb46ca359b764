import { addKeys } from '@hospital/ui/desk-keys';

/** Adds the desk's keys to a list of appointments. */
export default function addChangeKeys(root: HTMLElement): void {
  addKeys(root, { a: 'arrived', d: 'in_consultation', c: 'completed', n: 'no_show', x: 'cancelled' });
}
