/** Quick links to the most requested specialties, in the hero of the home page. */
import type { PageProps } from '@hospital/page';
import type { ListSpecialtiesResponse, Site } from '@hospital/api/types';
import { isBuiltInHospital } from '../parts/built-in-hospital.ts';
import styles from './specialties.module.css';
import { Text } from '@hospital/page/text';
import { t } from '../messages.ts';

type SpecialtiesProps = PageProps<{ specialties: ListSpecialtiesResponse; site: Site }>;

const SHOWN = 4;

/** Of the built-in hospital. Another one shows the first of its list. */
const SPECIALTIES = [
  ['cardiology', 'Cardiology', 'Heart, blood pressure'],
  ['neurology', 'Neurology', 'Brain, nerves, headache'],
  ['pediatrics', 'Pediatrics', 'Babies, children'],
  ['orthopedics', 'Orthopedics', 'Bones, joints, sports'],
] as const;

function linked({ specialties, site }: SpecialtiesProps['data']): readonly (readonly [string, string, string?])[] {
  if (isBuiltInHospital(site)) return SPECIALTIES.map(([slug, name, field]) => [slug, t(name), t(field)]);
  const listed = specialties.ok ? specialties.body.specialties : [];
  return listed.slice(0, SHOWN).map(({ slug, name }) => [slug, name]);
}

export default function HomeSpecialties({ data }: SpecialtiesProps) {
  return (
    <nav aria-label={t('Specialties')}>
      <ul className={styles.links}>
        {linked(data).map(([slug, name, field]) => (
          <li key={slug}>
            <a className={styles.link} href={`/specialty/${slug}`}>
              <strong>
                <Text>{name}</Text>
              </strong>{' '}
              {field && <span>{field}</span>}
            </a>
          </li>
        ))}
        <li>
          <a className={styles.link} href="/specialties">
            <strong>{t('All specialties')}</strong>
          </a>
        </li>
      </ul>
    </nav>
  );
}
