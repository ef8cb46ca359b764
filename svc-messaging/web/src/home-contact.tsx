import type { PageProps } from '@hospital/page';
import { addressLine, directionsUrl, emergencyPhone, siteOf, type Site } from '@hospital/ui/site';
import { Text } from '@hospital/page/text';
import { t } from './messages.ts';
import styles from './home/home-contact.module.css';
import { StreetMap } from './place/street-map.tsx';
import { NewTab } from '@hospital/ui/new-tab';

/** Address and telephone numbers; the last section of the home page. The footer below it has the hours. */
export default function HomeContact({ data }: PageProps<{ site: unknown }>) {
  const site = siteOf(data.site);
  return (
    <section id="contact" className={styles.section} aria-labelledby="contact-title">
      <div className={styles.inner}>
        <div className={styles.heading}>
          <h2 id="contact-title">{t('Find us or call us')}</h2>
          <p>{t('We speak Kannada, Hindi, Tamil, Telugu and English.')}</p>
        </div>
        <div className={styles.columns}>
          <div className={styles.place}>
            <StreetMap className={styles.map} />
            <address>
              <strong>{site.name}</strong>
              <br />
              {addressLine(site)}
            </address>
            <p className={styles.actions}>
              <a className={styles.primary} href="/contact">
                {t('Contact Us')}
              </a>
              <a className={styles.secondary} href={directionsUrl(site)} rel="noopener" target="_blank">
                {t('Get Directions')}
                <NewTab />
              </a>
            </p>
          </div>
          <div>
            <h3>{t('Telephone')}</h3>
            <dl className={styles.list}>
              {numbers(site).map(({ purpose, label, display, e164 }) => (
                <div key={purpose}>
                  <dt>
                    <Text>{label}</Text>
                  </dt>
                  <dd>
                    <a href={`tel:${e164}`}>{display}</a>
                  </dd>
                </div>
              ))}
            </dl>
          </div>
        </div>
      </div>
    </section>
  );
}

/** Returns the phone numbers with the emergency number first. */
function numbers(site: Site): Site['phones'] {
  const emergency = emergencyPhone(site);
  return [emergency, ...site.phones.filter(({ purpose }) => purpose !== 'emergency')];
}
