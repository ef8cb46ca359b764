import type { Service } from '@hospital/api/types';
import { PartlyHidden } from '@hospital/ui/visually-hidden';
import { phoneFor, type Site } from '@hospital/ui/site';
import styles from './service-facts.module.css';
import { Text } from '@hospital/page/text';
import { t } from '../messages.ts';

/** Where a service is, when it is open and whom to call. Omits what is unknown. */
export function ServiceFacts({ service, site }: { service: Service; site: Site }) {
  const { name, place, hours, phonePurpose } = service;
  const number = phonePurpose ? phoneFor(site, phonePurpose) : undefined;
  if (!place && !hours && !number) return null;
  return (
    <dl className={styles.facts}>
      {place && (
        <div>
          <dt>{t('Where')}</dt>
          <dd>
            <Text>{place}</Text>
          </dd>
        </div>
      )}
      {hours && (
        <div>
          <dt>{t('Open')}</dt>
          <dd>
            <Text>{hours}</Text>
          </dd>
        </div>
      )}
      {number && (
        <div>
          <dt>{t('Call')}</dt>
          <dd>
            <a href={`tel:${number.e164}`}>
              <PartlyHidden text={t('{number}[ about {name}]', { number: number.display, name })} />
            </a>
          </dd>
        </div>
      )}
    </dl>
  );
}
