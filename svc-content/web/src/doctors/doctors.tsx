/** `/doctors`: the directory. The filter is a form; a small script filters while the visitor types. */
import type { Head, PageProps } from '@hospital/page';
import { LinkButton } from '@hospital/ui/button';
import { siteOf, type Site } from '@hospital/ui/site';
import type {
  ListDepartmentsResponse,
  ListDoctorsResponse,
  ListNextAvailableResponse,
  ListSpecialtiesResponse,
} from '@hospital/api/types';
import { bookDoctor } from '../parts/booking.ts';
import { DoctorCard } from '../parts/doctor-card.tsx';
import { Face } from '../parts/portrait.tsx';
import { freeTimesOf } from '../parts/free-times.ts';
import { Filter, type SpecialtyOption, translatedCount } from './filter.tsx';
import { Instead } from './instead.tsx';
import { counted, matches, searchable } from './matching.ts';
import styles from './doctors.module.css';
import { trailTo } from '@hospital/ui/breadcrumb';
import { CallToAction } from '@hospital/ui/call-to-action';
import { titled } from '@hospital/ui/head';
import layout from '@hospital/ui/layout.module.css';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { statusOf } from '@hospital/ui/read';
import { SEARCH_CHARACTERS_MAX } from '@hospital/ui/address';
import { structured } from '@hospital/ui/structured';
import { Unavailable } from '@hospital/ui/unavailable';
import { sharedBanner } from '../parts/share.ts';
import { t } from '../messages.ts';

interface DoctorsBodies {
  /** All doctors in the directory. */
  all: ListDoctorsResponse;
  /** Doctors that the API returns for the label in the URL. */
  ofSpecialty: ListDoctorsResponse;
  /** Next free times of all bookable doctors. `next`, `departments` and `specialties` are optional. */
  next: ListNextAvailableResponse;
  departments: ListDepartmentsResponse;
  specialties: ListSpecialtiesResponse;
  site: Site;
}

type DoctorsProps = PageProps<DoctorsBodies>;

const TITLE = 'Meet Our Expert Medical Team';
/** Portraits in the first row, loaded eagerly. */
const EAGER_PHOTOS = 3;
/** Faces beside the title in wide windows; the cards below show the same pictures. */
const FACES = 5;

export default function DoctorsPage(props: DoctorsProps) {
  const { all, site } = props.data;
  if (!all.ok) return <Unavailable title={t(TITLE)} what={t('The list of doctors')} path="/doctors" />;
  return (
    <>
      <Directory page={props} all={all.body} />
      <div className={layout.page}>
        <CallToAction
          title={t('Not sure who to see?')}
          text={t('Tell us what’s wrong and we’ll suggest a doctor.')}
          site={siteOf(site)}
        >
          <LinkButton href="/appointment">{t('Book Appointment Now')}</LinkButton>
        </CallToAction>
      </div>
    </>
  );
}

/** The search and its result. */
function Directory({ page, all }: { page: DoctorsProps; all: ListDoctorsResponse }) {
  const { query, now, data } = page;
  const { doctors, specialties } = all;
  const words = wordsOf(query);
  const asked = askedFor(page, all);
  const key = asked?.key ?? '';
  const times = freeTimesOf(data.next, now);
  const listed = doctors.map((doctor) => ({ doctor, by: searchable(doctor) }));
  const shown = listed.filter(({ by }) => matches(by, words, key)).length;
  const keys = new Map(doctors.map(({ specialty: label, specialtyKey }) => [label, specialtyKey]));
  const options = specialties.map((label) => ({ label, key: keys.get(label) ?? label }));
  const chosen = asked && specialties.includes(asked.label) ? asked.label : '';
  const known = data.specialties?.ok ? data.specialties.body.specialties : [];
  const without = shown === 0 && !words ? known.find(({ slug }) => slug === key) : undefined;
  return (
    <>
      <header className={styles.hero}>
        <div className={styles.inner}>
          <div className={styles.title}>
            <h1>{t(TITLE)}</h1>
            <p>{t('See the next free time and the fee, then book.')}</p>
          </div>
          <Faces doctors={doctors.slice(0, FACES)} />
          <Filter words={words} chosen={chosen} asked={chosen ? undefined : asked?.key} options={options} />
        </div>
      </header>
      <section className={styles.directory} aria-label={t('Directory')}>
        <p className={styles.count} role="status">
          <span data-found="" tabIndex={-1}>
            {counted(shown, translatedCount())}
          </span>
          <span data-show-all="" hidden={!words && !asked}>
            {' '}
            · <a href="/doctors">{t('Show all')}</a>
          </span>
        </p>
        {without && <Instead specialty={without} departments={data.departments} />}
        <NothingYet data-nobody="" hidden={shown > 0 || Boolean(without)}>
          <h2>{t('No Doctors Found')}</h2>
          <p>{t('Try adjusting your search criteria or specialty filter.')}</p>
          <LinkButton tone="secondary" href="/doctors">
            {t('Show all doctors')}
          </LinkButton>
        </NothingYet>
        <ul className={styles.cards}>
          {listed.map(({ doctor, by }, index) => (
            <li
              className={styles.entry}
              key={doctor.id}
              hidden={!matches(by, words, key)}
              data-card=""
              data-key={by.key}
              data-words={by.text}
            >
              <DoctorCard
                doctor={doctor}
                times={times(doctor.id)}
                now={now}
                book={bookDoctor(data.departments, doctor.id)}
                level={2}
                eager={index < EAGER_PHOTOS}
              />
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

/** Decoration: the names are on the cards. */
function Faces({ doctors }: { doctors: ListDoctorsResponse['doctors'] }) {
  return (
    <div className={styles.faces} aria-hidden="true">
      {doctors.map((doctor) => (
        <Face key={doctor.slug} doctor={doctor} size={112} />
      ))}
    </div>
  );
}

function wordsOf({ q = '' }: DoctorsProps['query']): string {
  return q.trim().slice(0, SEARCH_CHARACTERS_MAX);
}

/**
 * Resolves the specialty in the URL to the directory's label with the same meaning, if a doctor has it. The API knows
 * synonymous labels. The list of specialties includes those without a doctor.
 */
function askedFor(
  { query, data: { ofSpecialty, specialties } }: DoctorsProps,
  all: ListDoctorsResponse,
): SpecialtyOption | undefined {
  const wanted = query.specialty?.trim();
  if (!wanted) return undefined;
  const label = knownLabel(wanted, all) ?? wanted;
  const holder =
    all.doctors.find(({ specialty }) => specialty === label) ??
    (ofSpecialty.ok ? ofSpecialty.body.doctors[0] : undefined);
  if (holder) return { label: all.specialties.includes(label) ? label : holder.specialty, key: holder.specialtyKey };
  const known = specialties?.ok ? specialties.body.specialties : [];
  const one = known.find(({ name, slug }) => slug === wanted || name.toLowerCase() === wanted.toLowerCase());
  return { label, key: one?.slug ?? label };
}

/** Returns the directory's label for a label of any case, or for the key that addresses have in other languages. */
function knownLabel(wanted: string | undefined, { specialties, doctors }: ListDoctorsResponse): string | undefined {
  if (!wanted) return undefined;
  const holder = doctors.find(({ specialtyKey }) => specialtyKey === wanted);
  return specialties.find((label) => label.toLowerCase() === wanted.toLowerCase()) ?? holder?.specialty;
}

/**
 * Uses a label from the URL only if the directory has it. Otherwise a crafted URL could put foreign words into the
 * hospital's title.
 */
export function head({ query, data: { all, site } }: DoctorsProps): Head {
  const { locality, city } = siteOf(site).address;
  const label = all.ok ? knownLabel(query.specialty, all.body) : undefined;
  return {
    title: titled(label ? t('Doctors for {specialty}', { specialty: label }) : t('Our doctors'), site),
    description: t(
      'All the hospital’s doctors, with specialty, degrees, experience, visiting days, timings and consultation fee. Search by name or specialty.',
    ),
    keywords: `doctors ${locality}, specialists ${city}, hospital doctors list`,
    canonicalPath: '/doctors',
    image: sharedBanner('arrival'),
    // Searches and unknown specialties are not indexed.
    ...((query.q || (query.specialty && !label)) && { robots: 'noindex, follow' }),
    jsonLd: structured(site, trailTo([t('Doctors'), '/doctors'])),
  };
}

/** A directory that failed to load must not be cached. */
export function status({ data: { all } }: DoctorsProps): number {
  return statusOf(all);
}
