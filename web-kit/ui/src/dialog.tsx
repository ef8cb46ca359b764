import { type ReactNode, type RefObject, type SyntheticEvent, useEffect, useId, useRef } from 'react';
import button from './close-button.module.css';
import styles from './dialog.module.css';

export interface DialogProps {
  open: boolean;
  title: string;
  /** Called on Escape and the close button; sets `open` to false. */
  onClose: () => void;
  /** Takes the focus when the dialog opens, for example the first field. Default: the title. */
  initialFocus?: RefObject<HTMLElement | null>;
  children: ReactNode;
}

/**
 * A modal native `<dialog>`: the browser keeps the focus in it and everything else inert. Needs script, so it never holds
 * the only way to something. A tap beside it closes nothing, as that could lose what was typed.
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
      // Browsers do it too, but not where the dialog leaves the document at the same time.
      if (cameFrom?.isConnected) cameFrom.focus();
    };
  }, [open, initialFocus]);

  /** The owner of `open` decides: the element must not close by itself and `open` stay true. */
  function cancel(event: SyntheticEvent<HTMLDialogElement>) {
    // A file field in the dialog has an event of this name too.
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
      // Chrome closes at the second Escape, whatever became of the first.
      onClose={(event) => event.target === event.currentTarget && open && onClose()}
    >
      {open && (
        <>
          <div className={styles.head}>
            <h2 ref={heading} id={titleId} className={styles.title} tabIndex={-1}>
              {title}
            </h2>
            <button type="button" className={button.close} aria-label="Close" onClick={onClose}>
              ×
            </button>
          </div>
          <div className={styles.body}>{children}</div>
        </>
      )}
    </dialog>
  );
}
