import { useEffect, useRef } from 'react';
import { LinkButton } from '@hospital/ui/button';
import { Card } from '@hospital/ui/card';
import { Notice } from '@hospital/ui/notice';
import { type Site, emergencyPhone } from '@hospital/ui/site';
import type { Sent as Message } from './form.ts';
import styles from './sent.module.css';

interface SentProps {
  message: Message;
  site: Site;
  /** Whether an earlier attempt sent the message, so that later changes are not in it. */
  earlier?: boolean;
  /** Whether it replaces the form in place. It then takes the focus, so that screen readers announce it. */
  focus: boolean;
}

/** Confirmation that replaces the form. */
export function Sent({ message: { name, email, reference }, site, earlier, focus }: SentProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (focus) heading.current?.focus();
  }, [focus]);
  const emergency = emergencyPhone(site);
  return (
    <Card as="section" className={styles.panel} aria-labelledby="sent">
      <Tick />
      <h1 className={styles.title} id="sent" tabIndex={-1} ref={heading}>
        Message Sent!
      </h1>
      <p className={styles.lead}>
        Thank you{name && `, ${name}`}. A member of our staff will read your message and reply.
      </p>
      {earlier && (
        <Notice tone="warning">
          We already have your first message. Your later changes aren’t included, and nothing is sent twice.
        </Notice>
      )}
      {reference && (
        <p className={styles.reference}>
          <span className={styles.label}>Reference</span>
          <strong className={styles.value}>{reference}</strong>
        </p>
      )}
      {email && (
        <p>
          A short acknowledgement{reference && ' with this reference'} is on its way to <strong>{email}</strong>. If it
          isn’t there in an hour, check your spam folder. We have your message either way.
        </p>
      )}
      <p>
        If it’s about your health and it gets worse, don’t wait for our reply. Call{' '}
        <a href={`tel:${emergency.e164}`}>{emergency.display}</a> any time.
      </p>
      <div className={styles.actions}>
        <LinkButton href="/">Go to the home page</LinkButton>
        <LinkButton tone="secondary" href="/contact">
          Write another message
        </LinkButton>
      </div>
    </Card>
  );
}

function Tick() {
  return (
    <svg className={styles.tick} viewBox="0 0 48 48" width="48" height="48" fill="none" aria-hidden="true">
      <circle cx="24" cy="24" r="24" fill="currentColor" />
      <path
        d="m14 24.5 7 7 13-14"
        stroke="var(--on-strong)"
        strokeWidth="4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
