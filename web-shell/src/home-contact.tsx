import type { PageProps } from '@hospital/page';
import styles from './home-contact.module.css';
import { addressLine, directionsUrl, emergencyPhone, siteOf, type Site } from '@hospital/ui/site';

/** Purposes of the hours that a visitor plans with. */
const HOURS = ['opd', 'booking', 'visiting', 'emergency'];

/** Where we are and who answers; the last section of the home page. */
export default function HomeContact({ data }: PageProps<{ site: unknown }>) {
  const site = siteOf(data.site);
  const emergency = emergencyPhone(site);
  const hours = HOURS.flatMap((purpose) => site.hours.filter((entry) => entry.purpose === purpose));
  return (
    <section id="contact" className={styles.section} aria-labelledby="contact-title">
      <div className={styles.inner}>
        <div className={styles.heading}>
          <h2 id="contact-title">Find us, or talk to somebody</h2>
          <p>
            Our front desk books for you, finds the right doctor, and answers in Kannada, Hindi, Tamil, Telugu and
            English.
          </p>
        </div>
        <div className={styles.columns}>
          <div className={styles.place}>
            <Map />
            <address>
              <strong>{site.name}</strong>
              <br />
              {addressLine(site)}
            </address>
            <p className={styles.actions}>
              <a className={styles.primary} href="/contact">
                Contact Us
              </a>
              <a className={styles.secondary} href={directionsUrl(site)} rel="noopener" target="_blank">
                Get Directions
              </a>
            </p>
          </div>
          <div>
            <h3>Telephone</h3>
            <dl className={styles.list}>
              {numbers(site).map(({ purpose, label, display, e164 }) => (
                <div key={purpose}>
                  <dt>{label}</dt>
                  <dd>
                    <a href={`tel:${e164}`}>{display}</a>
                  </dd>
                </div>
              ))}
            </dl>
            <p className={styles.urgent}>
              Chest pain, trouble breathing, heavy bleeding, a stroke? Do not book: call{' '}
              <a href={`tel:${emergency.e164}`}>{emergency.display}</a> now.
            </p>
          </div>
          <div>
            <h3>Hours</h3>
            <dl className={styles.list}>
              {hours.map(({ purpose, label, hours: text }) => (
                <div key={purpose}>
                  <dt>{label}</dt>
                  <dd>{text}</dd>
                </div>
              ))}
            </dl>
          </div>
        </div>
      </div>
    </section>
  );
}

/** The emergency number first, whatever the order of the data. */
function numbers(site: Site): Site['phones'] {
  const emergency = emergencyPhone(site);
  return [emergency, ...site.phones.filter(({ purpose }) => purpose !== 'emergency')];
}

/** The corner of the park, drawn; decoration beside the address. */
function Map() {
  return (
    <svg
      className={styles.map}
      viewBox="0 0 360 160"
      width="360"
      height="160"
      fill="none"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d="M0 0h360v160H0z" fill="#e1f0f1" />
      <path d="M0 0h104v66H0zM0 96h104v64H0z" fill="#d3e7e9" />
      <path d="M232 98c40-18 92-10 128-20v82H216z" fill="#c3dfe0" />
      <path d="M-8 80h376M118-8v176M226-8l-22 176M118 40h240" stroke="#fff" strokeWidth="14" />
      <path
        d="M20 18h30v24H20zM60 18h26v40H60zM24 112h46v30H24zM140 98h46v44h-46zM246 8h40v20h-40zM300 8h40v20h-40z"
        fill="#bcd8db"
      />
      <path d="M262 128h0M290 116h0M318 132h0M340 112h0M246 150h0M296 146h0" stroke="#0f6b72" strokeWidth="15" />
      <path d="M262 124h0M290 112h0M318 128h0M340 108h0" stroke="#e6a52e" strokeWidth="4" />
      <path d="M164 86s-22-20-22-37a22 22 0 0 1 44 0c0 17-22 37-22 37Z" fill="#0b5563" />
      <path d="M164 40v18M155 49h18" stroke="#fff" strokeWidth="5" />
    </svg>
  );
}
