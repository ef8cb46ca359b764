import { toasterIn } from './toaster.ts';
import button from './close-button.module.css';
import styles from './toast.module.css';

export interface Toast {
  title: string;
  description?: string;
  /** `error` is announced at once and stays 5 s; anything else waits its turn and stays 4 s. */
  tone?: 'success' | 'error';
}

// Screen readers watch only live regions that they knew empty: they are in the document from the moment this file is read.
const toaster = typeof document === 'undefined' ? null : toasterIn(document, { ...styles, ...button });

/**
 * Shows a passing message in the corner. What a visitor must act on belongs beside its form instead, and what happens
 * in a modal dialog into the dialog: all else is inert meanwhile. Does nothing while the server renders.
 */
export function showToast(toast: Toast): void {
  toaster?.show(toast);
}
