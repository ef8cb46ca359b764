import { addKeys } from '@hospital/ui/desk-keys';

/** Adds the desk's keys to messages and deliveries. */
export default function addMessageKeys(root: HTMLElement): void {
  addKeys(root, { t: 'taken', d: 'done', s: 'spam', n: 'new', r: 'resend', l: 'lift' });
}
