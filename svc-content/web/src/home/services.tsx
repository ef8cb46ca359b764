/** Six services on the home page, each linked to its page. */
import type { PageProps } from '@hospital/page';
import type { ListServicesResponse } from '@hospital/api/types';
import { emergencyPhone, siteOf, type Site } from '@hospital/ui/site';
import { isBuiltInHospital } from '../parts/built-in-hospital.ts';
import { HomeIcon } from './icon.tsx';
import { HomeSection } from './section.tsx';
import { BUILT_IN_SERVICES } from './services.built-in.ts';
import styles from './services.module.css';

type ServicesProps = PageProps<{ services: ListServicesResponse; site: Site }>;

const SHOWN = 6;
const EMERGENCY = 'emergency-services';

export default function HomeServices({ data: { services, site } }: ServicesProps) {
  const listed = services?.ok ? services.body.services.filter(({ onHome }) => onHome).slice(0, SHOWN) : [];
  const emergency = emergencyPhone(siteOf(site));
  const builtIn = isBuiltInHospital(site) ? BUILT_IN_SERVICES : [];
  const shown = listed.length > 0 ? listed : builtIn;
  if (shown.length === 0) return null;
  return (
    <HomeSection
      id="services"
      title="What we do for you"
      lead="In one building, day and night."
      more={{ label: 'View All Services', path: '/services' }}
    >
      <ul className={styles.grid}>
        {shown.map(({ slug, name, homeName, description, icon }) => (
          <li className={`${styles.card}${slug === EMERGENCY ? ` ${styles.emergency}` : ''}`} key={slug}>
            <span className={styles.icon}>
              <HomeIcon name={icon} />
            </span>
            <h3 className={styles.name}>
              <a href={`/service/${slug}`}>{homeName || name}</a>
            </h3>
            <p className={styles.text}>{description}</p>
            {slug === EMERGENCY && (
              <p className={styles.call}>
                <a href={`tel:${emergency.e164}`}>Call {emergency.display}</a>
              </p>
            )}
          </li>
        ))}
      </ul>
    </HomeSection>
  );
}
