import { useEffect, useRef } from 'react';
import { Filled } from '@hospital/page/text';
import { LinkButton } from '@hospital/ui/button';
import { Card } from '@hospital/ui/card';
import { Notice } from '@hospital/ui/notice';
import { type Site, emergencyPhone } from '@hospital/ui/site';
import { t, template } from '../messages.ts';
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
        {t('Message Sent!')}
      </h1>
      <p className={styles.lead}>
        {name
          ? t('Thank you, {name}. A member of our staff will read your message and reply.', { name })
          : t('Thank you. A member of our staff will read your message and reply.')}
      </p>
      {earlier && (
        <Notice tone="warning">
          {t('We already have your first message. Your later changes aren’t included, and nothing is sent twice.')}
        </Notice>
      )}
      {reference && (
        <p className={styles.reference}>
          <span className={styles.label}>{t('Reference')}</span>
          <strong className={styles.value}>{reference}</strong>
        </p>
      )}
      {email && (
        <p>
          <Filled
            text={
              reference
                ? template(
                    'A short acknowledgement with this reference is on its way to {email}. If it isn’t there in an hour, check your spam folder. We have your message either way.',
                  )
                : template(
                    'A short acknowledgement is on its way to {email}. If it isn’t there in an hour, check your spam folder. We have your message either way.',
                  )
            }
            with={{ email: <strong>{email}</strong> }}
          />
        </p>
      )}
      <p>
        <Filled
          text={template(
            'If it’s about your health and it gets worse, don’t wait for our reply. Call {phone} any time.',
          )}
          with={{ phone: <a href={`tel:${emergency.e164}`}>{emergency.display}</a> }}
        />
      </p>
      <div className={styles.actions}>
        <LinkButton href="/">{t('Go to the home page')}</LinkButton>
        <LinkButton tone="secondary" href="/contact">
          {t('Write another message')}
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
