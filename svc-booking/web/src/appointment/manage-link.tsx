import { type ReactNode, useEffect, useState } from 'react';
import { inLanguage } from '@hospital/page/language';
import { Button, LinkButton } from '@hospital/ui/button';
import { t } from '../messages.ts';
import styles from './confirmation.module.css';

interface ManageLinkProps {
  /** Contains the secret after `#`, which keeps it out of server logs and other pages. */
  path: string;
  /** Origin from the site's data, for visitors without script. */
  origin: string;
  label: string;
  /** Advice on sharing the link. */
  children: ReactNode;
}

/** The link to the appointment or waitlist entry, and its text to copy. Not printed. */
export function ManageLink({ path, origin, label, children }: ManageLinkProps) {
  const [here, setHere] = useState('');
  const [copied, setCopied] = useState('');
  useEffect(() => {
    // The actual origin, which may differ from the one in the site's data.
    // eslint-disable-next-line react-hooks/set-state-in-effect
    setHere(location.origin);
  }, []);
  const address = `${here || origin}${inLanguage(path)}`;
  async function copy() {
    try {
      await navigator.clipboard.writeText(address);
      setCopied(t('Copied.'));
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      setCopied(t('Your browser doesn’t allow this. Select the link above and copy it.'));
    }
  }
  return (
    <div className={styles.manage}>
      <p>{children}</p>
      <p className={styles.address}>{address}</p>
      <div className={styles.manageActions}>
        {/* The gateway adds the language to links of the served page only. */}
        <LinkButton tone="secondary" href={here ? inLanguage(path) : path}>
          {label}
        </LinkButton>
        {here && 'clipboard' in navigator && (
          <Button tone="secondary" onClick={() => void copy()}>
            {t('Copy the link')}
          </Button>
        )}
      </div>
      <p role="status" className={styles.copied}>
        {copied}
      </p>
    </div>
  );
}
