import { type ReactNode, type RefObject, type SyntheticEvent, useEffect, useId, useRef } from 'react';
import { t } from '@hospital/page/messages';
import button from './close-button.module.css';
import styles from './dialog.module.css';

export interface DialogProps {
  open: boolean;
  title: string;
  /** Called on Escape and by the close button. Must set `open` to false. */
  onClose: () => void;
  /** Takes the focus when the dialog opens, for example the first field. Default: the title. */
  initialFocus?: RefObject<HTMLElement | null>;
  children: ReactNode;
}

/**
 * Renders a modal native `<dialog>`: the browser keeps the focus inside and everything else inert. It needs script, so
 * it must never be the only way to do something. A tap on the backdrop does not close it, because typed text could be
 * lost.
 */
export function Dialog({ open, title, onClose, initialFocus, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const titleId = useId();

  useEffect(() => {
    const element = dialog.current;
    if (!open || !element) return undefined;
    const cameFrom = document.activeElement as HTMLElement | null;
    element.showModal();
    (initialFocus?.current ?? heading.current)?.focus();
    return () => {
      element.close();
      // Browsers restore the focus too, but not if the dialog is removed from the document at the same time.
      if (cameFrom?.isConnected) cameFrom.focus();
    };
  }, [open, initialFocus]);

  /** Leaves closing to the owner of `open`: the element must not be closed while `open` is true. */
  function cancel(event: SyntheticEvent<HTMLDialogElement>) {
    // A file input in the dialog fires an event of this name too.
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
    onClose();
  }

  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={titleId}
      onCancel={cancel}
      // Chrome closes on the second Escape even if the first was cancelled.
      onClose={(event) => event.target === event.currentTarget && open && onClose()}
    >
      {open && (
        <>
          <div className={styles.head}>
            <h2 ref={heading} id={titleId} className={styles.title} tabIndex={-1}>
              {title}
            </h2>
            <button type="button" className={button.close} aria-label={t('Close')} onClick={onClose}>
              ×
            </button>
          </div>
          <div className={styles.body}>{children}</div>
        </>
      )}
    </dialog>
  );
}
