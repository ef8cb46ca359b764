/** Six services on the home page, each linked to its page. */
import type { PageProps } from '@hospital/page';
import type { ListServicesResponse } from '@hospital/api/types';
import { emergencyPhone, siteOf, type Site } from '@hospital/ui/site';
import { isBuiltInHospital } from '../parts/built-in-hospital.ts';
import { HomeIcon } from './icon.tsx';
import { HomeSection } from './section.tsx';
import { BUILT_IN_SERVICES } from './services.built-in.ts';
import styles from './services.module.css';
import { Text } from '@hospital/page/text';
import { builtInText } from '../parts/built-in-text.ts';
import { t } from '../messages.ts';

type ServicesProps = PageProps<{ services: ListServicesResponse; site: Site }>;

const SHOWN = 6;
const EMERGENCY = 'emergency-services';

function builtInServices() {
  return BUILT_IN_SERVICES.map(({ name, description, ...service }) => ({
    ...service,
    name: builtInText(name),
    description: builtInText(description),
  }));
}

export default function HomeServices({ data: { services, site } }: ServicesProps) {
  const listed = services?.ok ? services.body.services.filter(({ onHome }) => onHome).slice(0, SHOWN) : [];
  const emergency = emergencyPhone(siteOf(site));
  const builtIn = isBuiltInHospital(site) ? builtInServices() : [];
  const shown = listed.length > 0 ? listed : builtIn;
  if (shown.length === 0) return null;
  return (
    <HomeSection
      id="services"
      title={t('What we do for you')}
      lead={t('In one building, day and night.')}
      more={{ label: t('View All Services'), path: '/services' }}
    >
      <ul className={styles.grid}>
        {shown.map(({ slug, name, homeName, description, icon }) => (
          <li className={`${styles.card}${slug === EMERGENCY ? ` ${styles.emergency}` : ''}`} key={slug}>
            <span className={styles.icon}>
              <HomeIcon name={icon} />
            </span>
            <h3 className={styles.name}>
              <a href={`/service/${slug}`}>
                <Text>{homeName || name}</Text>
              </a>
            </h3>
            <p className={styles.text}>
              <Text>{description}</Text>
            </p>
            {slug === EMERGENCY && (
              <p className={styles.call}>
                <a href={`tel:${emergency.e164}`}>{t('Call {number}', { number: emergency.display })}</a>
              </p>
            )}
          </li>
        ))}
      </ul>
    </HomeSection>
  );
}
