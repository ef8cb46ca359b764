import styles from './toast.module.css';

export interface Toast {
  title: string;
  description?: string;
  /** `error` is announced at once and stays 5 s; anything else waits its turn and stays 4 s. */
  tone?: 'success' | 'error';
}

/** Shows a passing message in the corner. What a visitor must act on belongs beside its form instead. */
export async function showToast(toast: Toast): Promise<void> {
  const { toasterIn } = await import('./toaster.ts');
  toasterIn(document, styles).show(toast);
}
