import type { ReactNode } from 'react';
import { LinkButton } from '@hospital/ui/button';
import { CheckList } from './lists.tsx';
import { MailLink } from './mail-link.tsx';
import { addressLine, email, phone, type SiteResult } from './site.ts';
import styles from './call-to-action.module.css';

interface CallToActionProps {
  title: string;
  text: string;
  /** With it, telephone, e-mail and address stand below the text. */
  site?: SiteResult;
  /** The buttons. */
  children: ReactNode;
}

/** The warm card at the end of a page: what to do next. */
export function CallToAction({ title, text, site, children }: CallToActionProps) {
  return (
    <section className={styles.card} aria-labelledby="next">
      <div>
        <h2 className={styles.title} id="next">{title}</h2>
        <p className={styles.text}>{text}</p>
        {site && <Ways site={site} />}
      </div>
      <div className={styles.actions}>{children}</div>
    </section>
  );
}

function Ways({ site }: { site: SiteResult }) {
  const numbers = [phone(site, 'appointments'), phone(site, 'reception')];
  const mail = email(site, 'appointments', 'general');
  const address = addressLine(site);
  return (
    <ul className={styles.ways}>
      {numbers.map((number) => number && <li key={number.purpose}><a href={`tel:${number.e164}`}>{number.display}</a></li>)}
      {mail && <li><MailLink email={mail} /></li>}
      {address && <li>{address}</li>}
    </ul>
  );
}

/** The way to help now, where a list could be taken for one. */
export function EmergencyCard({ site, text, signs }: { site: SiteResult; text: string; signs: string[] }) {
  const number = phone(site, 'emergency');
  return (
    <section className={styles.emergency} aria-labelledby="emergency">
      <h2 className={styles.title} id="emergency">24/7 Emergency</h2>
      <p className={styles.text}>{text}</p>
      <CheckList items={signs} />
      <div className={styles.actions}>
        {number && <LinkButton tone="emergency" href={`tel:${number.e164}`}>Call {number.display}</LinkButton>}
        <LinkButton tone="secondary" href="/contact">Contact Emergency</LinkButton>
      </div>
    </section>
  );
}

/** A bordered card beside a page's words. */
export function AsideCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.aside} aria-label={title}>
      <h2 className={styles.asideTitle}>{title}</h2>
      {children}
    </section>
  );
}
