import { toasterIn } from './toaster.ts';
import button from './close-button.module.css';
import styles from './toast.module.css';

export interface Toast {
  title: string;
  description?: string;
  /** `error` is announced at once and stays for 5 s. Other toasts are announced politely and stay for 4 s. */
  tone?: 'success' | 'error';
}

// Screen readers announce only changes of live regions that were empty before. Importing this file adds the regions.
const toaster = typeof document === 'undefined' ? null : toasterIn(document, { ...styles, ...button });

/**
 * Shows a temporary message in the corner. Messages that require action belong beside their form instead. Messages of a
 * modal dialog belong in the dialog, because everything else is inert. Does nothing on the server.
 */
export function showToast(toast: Toast): void {
  toaster?.show(toast);
}
