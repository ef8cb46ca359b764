import type { Service } from '@hospital/api/types';
import { VisuallyHidden } from '@hospital/ui/visually-hidden';
import { phoneFor, type Site } from '@hospital/ui/site';
import styles from './service-facts.module.css';

/** Where a service is, when it is open and whom to call. Omits what is unknown. */
export function ServiceFacts({ service, site }: { service: Service; site: Site }) {
  const { name, place, hours, phonePurpose } = service;
  const number = phonePurpose ? phoneFor(site, phonePurpose) : undefined;
  if (!place && !hours && !number) return null;
  return (
    <dl className={styles.facts}>
      {place && (
        <div>
          <dt>Where</dt>
          <dd>{place}</dd>
        </div>
      )}
      {hours && (
        <div>
          <dt>Open</dt>
          <dd>{hours}</dd>
        </div>
      )}
      {number && (
        <div>
          <dt>Call</dt>
          <dd>
            <a href={`tel:${number.e164}`}>
              {number.display}
              <VisuallyHidden> about {name}</VisuallyHidden>
            </a>
          </dd>
        </div>
      )}
    </dl>
  );
}
