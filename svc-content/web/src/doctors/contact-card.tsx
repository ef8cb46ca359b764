import type { Site } from '@hospital/api/get-site';
import { LinkButton } from '@hospital/ui/button';
import styles from './doctors.module.css';

/** Help to choose, below the list. Without the site's data the way to a booking remains. */
export function ContactCard({ site }: { site: Site | null }) {
  const phone = site?.phones.find(({ purpose }) => purpose === 'appointments') ?? site?.phones.find(({ purpose }) => purpose === 'reception');
  const email = site?.emails.find(({ purpose }) => purpose === 'appointments') ?? site?.emails[0];
  const address = site?.address;
  return (
    <section className={styles.contact} aria-labelledby="help">
      <div>
        <h2 className={styles.contactTitle} id="help">Not sure whom to see?</h2>
        <p className={styles.contactText}>Tell us what is wrong, and we name the right doctor.</p>
        <ul className={styles.ways}>
          {phone && <li><a href={`tel:${phone.e164}`}>{phone.display}</a></li>}
          {email && <li><a href={`mailto:${email.address}`}>{email.address.replace(/@.*/, '@')}<wbr />{email.address.replace(/.*@/, '')}</a></li>}
          {address && <li>{address.street}, {address.locality}, {address.city} {address.postalCode}</li>}
        </ul>
      </div>
      <LinkButton href="/appointment">Book Appointment Now</LinkButton>
    </section>
  );
}
