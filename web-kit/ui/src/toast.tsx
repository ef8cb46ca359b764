import { type Toast, toasterIn } from './toaster.ts';
import button from './close-button.module.css';
import styles from './toast.module.css';

// Screen readers announce only changes of live regions that were empty before. Importing this file adds the regions.
const toaster = typeof document === 'undefined' ? null : toasterIn(document, { ...styles, ...button });

/**
 * Shows a temporary message in the corner. Messages that require action belong beside their form instead. Messages of a
 * modal dialog belong in the dialog, because everything else is inert. Does nothing on the server.
 */
export function showToast(toast: Toast): void {
  toaster?.show(toast);
}
