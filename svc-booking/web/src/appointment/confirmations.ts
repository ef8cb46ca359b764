/** What replaces the form once it has been sent. Browsers load it later, see `confirmations-later.tsx`. */
export { Confirmation } from './confirmation.tsx';
export { WaitlistConfirmation } from './waitlist-confirmation.tsx';

/** Loads the confirmations before they are shown. Here, they are loaded already. */
export function prepare(): void {
  // Nothing to load.
}
