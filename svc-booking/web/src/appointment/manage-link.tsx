import { type ReactNode, useEffect, useState } from 'react';
import { Button, LinkButton } from '@hospital/ui/button';
import styles from './confirmation.module.css';

interface ManageLinkProps {
  /** With the secret behind its `#`, so that no server's log and no other page gets it. */
  path: string;
  /** Of the site as it knows itself, for who has no script. */
  origin: string;
  label: string;
  /** Who may use it. */
  children: ReactNode;
}

/** The link by which a person changes what they have, and its text to keep. It is not printed. */
export function ManageLink({ path, origin, label, children }: ManageLinkProps) {
  const [here, setHere] = useState('');
  const [copied, setCopied] = useState('');
  useEffect(() => {
    // Where the page really is, which the site's own data need not say.
    // eslint-disable-next-line react-hooks/set-state-in-effect
    setHere(location.origin);
  }, []);
  const address = `${here || origin}${path}`;
  async function copy() {
    try {
      await navigator.clipboard.writeText(address);
      setCopied('Copied.');
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      setCopied('This browser does not allow it. Mark the link above and copy it.');
    }
  }
  return (
    <div className={styles.manage}>
      <p>{children}</p>
      <p className={styles.address}>{address}</p>
      <div className={styles.manageActions}>
        <LinkButton tone="secondary" href={path}>
          {label}
        </LinkButton>
        {here && 'clipboard' in navigator && (
          <Button tone="secondary" onClick={() => void copy()}>
            Copy the link
          </Button>
        )}
      </div>
      <p role="status" className={styles.copied}>
        {copied}
      </p>
    </div>
  );
}
