import styles from './footer.module.css';
import street from '../media/street.svg';
import { CalendarIcon, PhoneIcon } from './icons.tsx';
import { Logo } from './logo.tsx';
import { type Label, t } from './messages.ts';
import { MailLink } from '@hospital/ui/mail-link';
import { NewTab } from '@hospital/ui/new-tab';
import { addressLine, directionsUrl, emergencyPhone, phoneFor, siteOf, type Site } from '@hospital/ui/site';

type Link = readonly [label: Label, path: string];

const QUICK_LINKS = [
  ['Book Appointment', '/appointment'],
  ['Change or cancel', '/appointment/manage'],
  ['Virtual Consultation', '/virtual-consultation'],
  ['Doctors', '/doctors'],
  ['Specialties', '/specialties'],
  ['News & Events', '/events'],
  ['Blogs', '/blogs'],
  ['About us', '/#about'],
  ['Contact', '/contact'],
] as const;

const FIRST_AID = ['First aid', '/emergency'] as const;
const ALL_SERVICES = ['All services', '/services'] as const;
/** Services of the built-in hospital. */
const SERVICES = [
  FIRST_AID,
  ['Emergency Services', '/service/emergency-services'],
  ['Ambulance Services', '/service/ambulance-services'],
  ['ICU', '/service/icu-intensive-care-unit'],
  ['Laboratory Services', '/service/laboratory-services'],
  ['Digital X-Ray', '/service/digital-x-ray'],
  ['Ultrasound Services', '/service/ultrasound-services'],
  ['Deluxe Surgeries', '/deluxe-surgeries'],
  ALL_SERVICES,
] as const;
/** Services that every hospital has. */
const GENERAL_SERVICES = [
  FIRST_AID,
  ['Specialties', '/specialties'],
  ['Deluxe Surgeries', '/deluxe-surgeries'],
  ALL_SERVICES,
] as const;

const LEGAL = [
  ['Privacy', '/privacy'],
  ['Terms', '/terms'],
  ['Cookie', '/cookies'],
] as const;

const BOOKING = '/appointment';

const NEWSLETTER = '/newsletter';
/** The newsletter's page and posts have a subscription form of their own. */
const HAS_SUBSCRIPTION = /^\/(newsletter$|blogs\/.)/;
/** The API's limit. */
const EMAIL_CHARACTERS_MAX = 254;

/** Purposes of the hours shown in the footer, in this order. */
const HOURS = ['emergency', 'footer_weekdays', 'footer_weekend', 'opd', 'visiting'];

/** Renders what follows `main` on every page: the footer and the bottom bar of phones. */
export function Footer({ site, path }: { site: Site; path: string }) {
  const hours = HOURS.flatMap((purpose) => site.hours.filter((entry) => entry.purpose === purpose));
  const reception = phoneFor(site, 'reception');
  const services = site.name === siteOf(undefined).name ? SERVICES : GENERAL_SERVICES;
  return (
    <>
      <footer className={styles.footer}>
        {/* Below the first screen of every page: fetched when it comes near. */}
        <img className={styles.street} src={street} width="1600" height="120" alt="" loading="lazy" decoding="async" />
        <div className={styles.top}>
          <div className={styles.about}>
            <Logo />
            <p>
              <strong>{site.name}</strong>
              <br />
              {t('{tagline} since {year}.', { tagline: site.tagline, year: site.foundedYear })}
            </p>
            {site.accreditations.length > 0 && <p>{site.accreditations.join(' · ')}</p>}
          </div>
          {!HAS_SUBSCRIPTION.test(path) && <Newsletter />}
        </div>
        <div className={styles.columns}>
          <LinkList id="footer-links" title={t('Quick links')} links={QUICK_LINKS} />
          <LinkList id="footer-services" title={t('Medical services')} links={services} />
          <section className={styles.hours} aria-labelledby="footer-hours">
            <h2 id="footer-hours">{t('Operating hours')}</h2>
            <dl>
              {hours.map((entry) => (
                <div key={entry.purpose}>
                  <dt>{entry.label}</dt>
                  <dd>{entry.hours}</dd>
                </div>
              ))}
            </dl>
          </section>
          <Contact site={site} />
        </div>
        {/* The only part of the footer that is printed. */}
        <p className={styles.letterhead}>
          <strong>{site.name}</strong> · {addressLine(site)} · {reception && `${reception.display} · `}
          {t('Emergency {phone}', { phone: emergencyPhone(site).display })}
        </p>
        <div className={styles.legal}>
          <p>
            © {site.name}, {site.address.city}
          </p>
          <ul className={styles.inline}>
            {LEGAL.map(([label, path]) => (
              <li key={path}>
                <a href={path}>{t(label)}</a>
              </li>
            ))}
          </ul>
        </div>
      </footer>
      <PhoneBar site={site} path={path} />
    </>
  );
}

/** Posts to the newsletter page of team messaging, which explains the next step. */
function Newsletter() {
  return (
    <form className={styles.newsletter} method="post" action={NEWSLETTER} aria-labelledby="footer-newsletter">
      <h2 id="footer-newsletter">{t('Newsletter')}</h2>
      <p id="footer-newsletter-hint">
        {t('About once a month. We e-mail you a link to confirm.')}{' '}
        <a href="/privacy#newsletter">{t('What we keep')}</a>
      </p>
      <label htmlFor="footer-email">{t('E-mail address')}</label>
      <p className={styles.subscribe}>
        <input
          id="footer-email"
          name="email"
          type="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={EMAIL_CHARACTERS_MAX}
          required
          aria-describedby="footer-newsletter-hint"
        />
        <button>{t('Subscribe')}</button>
      </p>
      <input type="hidden" name="requestId" value="" />
      <input type="hidden" name="part" value={`messaging:${NEWSLETTER}`} />
    </form>
  );
}

function LinkList({ id, title, links }: { id: string; title: string; links: readonly Link[] }) {
  return (
    <nav aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul className={styles.links}>
        {links.map(([label, path]) => (
          <li key={path}>
            <a href={path}>{t(label)}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Contact({ site }: { site: Site }) {
  return (
    <section aria-labelledby="footer-contact">
      <h2 id="footer-contact">{t('Contact')}</h2>
      <address>
        {addressLine(site)}
        <ul className={styles.links}>
          <li>
            <a href={directionsUrl(site)} rel="noopener" target="_blank">
              {t('Directions')}
              <NewTab />
            </a>
          </li>
          {site.phones.map((phone) => (
            <li key={phone.purpose}>
              <span>{phone.label}</span> <a href={`tel:${phone.e164}`}>{phone.display}</a>
            </li>
          ))}
          {site.emails.map((email) => (
            <li key={email.purpose}>
              <MailLink email={email} />
            </li>
          ))}
        </ul>
      </address>
    </section>
  );
}

/**
 * Renders the fixed bottom bar of phones. Emergency comes first and is one tap away at any scroll position. The header's
 * menu button is drawn in the free third field.
 */
function PhoneBar({ site, path }: { site: Site; path: string }) {
  return (
    <nav className={styles.phoneBar} aria-label={t('Shortcuts')}>
      <a href={`tel:${emergencyPhone(site).e164}`}>
        <PhoneIcon />
        {t('Emergency')}
      </a>
      {path === BOOKING ? (
        <span aria-current="page">
          <CalendarIcon />
          {t('Book')}
        </span>
      ) : (
        <a href={BOOKING}>
          <CalendarIcon />
          {t('Book')}
        </a>
      )}
    </nav>
  );
}
