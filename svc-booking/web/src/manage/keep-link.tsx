import { useEffect, useState } from 'react';
import { Button } from '@hospital/ui/button';
import { Notice } from '@hospital/ui/notice';
import { MANAGE_PATH, type ManageLink, fragmentOf } from './link.ts';
import styles from './manage.module.css';

interface KeepLinkProps {
  link: ManageLink;
  /** Of the site, without a slash at its end. */
  origin: string;
  /** What is said first, if the link is a new one. */
  title: string;
}

/** The link by which one comes back. It is not printed: whoever finds the paper could change the appointment. */
export function KeepLink({ link, origin, title }: KeepLinkProps) {
  const [can, setCan] = useState({ copy: false, share: false });
  const [copied, setCopied] = useState('');
  const path = MANAGE_PATH + fragmentOf(link);
  const address = origin + path;

  useEffect(() => {
    // Both need script, and not every browser has them.
    // eslint-disable-next-line react-hooks/set-state-in-effect
    setCan({ copy: 'clipboard' in navigator, share: 'share' in navigator });
  }, []);

  async function copy() {
    try {
      await navigator.clipboard.writeText(address);
      setCopied('Copied.');
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      setCopied('It could not be copied. Please select the link and copy it.');
    }
  }

  async function share() {
    try {
      await navigator.share({ title: 'Hospital appointment', url: address });
    } catch (error) {
      // Closing the share sheet is one too.
      if (!(error instanceof DOMException)) throw error;
    }
  }

  return (
    <Notice className={styles.unprinted} title={title}>
      <p>Whoever has this link can see, move and cancel the appointment. Give it only to people you trust.</p>
      <p className={styles.link}>
        <a href={path}>{address}</a>
      </p>
      <div className={styles.actions}>
        {can.copy && (
          <Button tone="secondary" onClick={() => void copy()}>
            Copy the link
          </Button>
        )}
        {can.share && (
          <Button tone="secondary" onClick={() => void share()}>
            Share
          </Button>
        )}
      </div>
      <p className={styles.soft} role="status">
        {copied}
      </p>
    </Notice>
  );
}
