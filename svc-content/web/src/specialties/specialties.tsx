/** `/specialties`: an index of the specialties, in content order. No script. */
import type { Head, PageProps } from '@hospital/page';
import { LinkButton } from '@hospital/ui/button';
import type { ListDepartmentsResponse, ListSpecialtiesResponse, Site, Specialty } from '@hospital/api/types';
import { trailTo } from '@hospital/ui/breadcrumb';
import { CallToAction } from '@hospital/ui/call-to-action';
import { titled } from '@hospital/ui/head';
import layout from '@hospital/ui/layout.module.css';
import { isBuiltInHospital } from '../parts/built-in-hospital.ts';
import { bookingOf, doctorsOf, type Departments } from '../parts/booking.ts';
import { Badges } from '../parts/badges.tsx';
import { Pictogram } from '../parts/pictogram.tsx';
import { statusOf } from '@hospital/ui/read';
import { structured } from '@hospital/ui/structured';
import { PartlyHidden } from '@hospital/ui/visually-hidden';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { Unavailable } from '@hospital/ui/unavailable';
import styles from './specialties.module.css';
import { sharedBanner } from '../parts/share.ts';
import { shortened } from '../parts/text.ts';
import { siteOf } from '@hospital/ui/site';
import { Text } from '@hospital/page/text';
import { t } from '../messages.ts';

type SpecialtiesProps = PageProps<{
  specialties: ListSpecialtiesResponse;
  departments: ListDepartmentsResponse;
  site: Site;
}>;

const TITLE = 'Our Specialties';
const LEAD =
  '18+ specialties work together here. If you’re not sure which one you need, start with General Medicine. The doctor there will find the right colleague.';

const LEAD_ELSEWHERE =
  'Our doctors work together. If you’re not sure which of them you need, call us and we’ll find the right one.';

export default function SpecialtiesPage({ data: { specialties, departments, site } }: SpecialtiesProps) {
  if (!specialties.ok) return <Unavailable title={t(TITLE)} what={t('The list of specialties')} path="/specialties" />;
  const list = specialties.body.specialties;
  return (
    <>
      <header className={styles.hero}>
        <h1>{t(TITLE)}</h1>
        <p className={styles.lead}>{t(isBuiltInHospital(site) ? LEAD : LEAD_ELSEWHERE)}</p>
      </header>
      <div className={layout.page}>
        {list.length === 0 ? (
          <NothingYet>{t('No specialties to show at the moment.')}</NothingYet>
        ) : (
          <ul className={styles.index}>
            {list.map((specialty, index) => (
              <Entry key={`${specialty.slug}-${index}`} specialty={specialty} departments={departments} />
            ))}
          </ul>
        )}
        <CallToAction
          title={t('Book an Appointment')}
          text={t('Choose a department, a day and a free time. You get your reference straight away.')}
        >
          <LinkButton href="/appointment">{t('Book Appointment')}</LinkButton>
          <LinkButton tone="secondary" href="/doctors">
            {t('Find a Doctor')}
          </LinkButton>
        </CallToAction>
      </div>
    </>
  );
}

function Entry({ specialty, departments }: { specialty: Specialty; departments: Departments }) {
  const { name, slug, description, icon, doctors, services, color } = specialty;
  const booking = bookingOf(departments, specialty);
  // Without listed doctors, the clinics see the patients.
  const people = doctors.length > 0 ? doctors : booking.clinics.map((clinic) => clinic.name);
  return (
    <li className={styles.entry} data-card="">
      <div className={styles.icon}>
        <Pictogram name={icon} tone={color} />
      </div>
      <div className={styles.words}>
        <h2 className={styles.name}>
          <Text>{name}</Text>
        </h2>
        <p className={styles.description}>
          <Text>{description}</Text>
        </p>
        <Badges label={t('Who sees you in {name}', { name })} badges={people} people />
        {booking.kind === 'none' && <p className={styles.none}>{t('Not bookable online. Please ask us.')}</p>}
        <Badges label={t('Services of {name}', { name })} badges={services} />
        <div className={styles.links}>
          <a href={`/specialty/${slug}`}>
            <PartlyHidden text={t('Learn More[ about {name}]', { name })} />
          </a>
          <a href={doctorsOf(name, slug)}>
            <PartlyHidden text={t('View Doctors[ for {name}]', { name })} />
          </a>
        </div>
      </div>
    </li>
  );
}

export function head({ data: { specialties, site } }: SpecialtiesProps): Head {
  const { locality, city } = siteOf(site).address;
  const names = specialties.ok ? [...new Set(specialties.body.specialties.map(({ name }) => name))] : [];
  return {
    title: titled(t(TITLE), site),
    description: shortened(
      t('Our specialties in {place}, with their doctors and services: {names}', {
        place: locality,
        names: names.join(', '),
      }),
      160,
    ),
    keywords: [`medical specialties ${city}`, ...names, `specialist hospital ${locality}`].join(', '),
    canonicalPath: '/specialties',
    image: sharedBanner('ward'),
    jsonLd: structured(site, trailTo([t('Specialties'), '/specialties'])),
  };
}

export function status({ data: { specialties } }: SpecialtiesProps): number {
  return statusOf(specialties);
}
