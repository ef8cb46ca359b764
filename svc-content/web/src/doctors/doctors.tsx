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
import { bookDoctor, type Departments } from '../parts/booking.ts';
import { type NextFreeOf, nextFreeOf } from '../parts/next-free.tsx';
import { DoctorCard } from './doctor-card.tsx';
import { Filter, type SpecialtyOption } from './filter.tsx';
import { Instead } from './instead.tsx';
import { counted, matches, searchable } from './matching.ts';
import styles from './doctors.module.css';
import { trailTo } from '@hospital/ui/breadcrumb';
import { CallToAction } from '@hospital/ui/call-to-action';
import { titled } from '@hospital/ui/head';
import layout from '@hospital/ui/layout.module.css';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { PageHero } from '@hospital/ui/page-hero';
import { statusOf } from '@hospital/ui/read';
import { SEARCH_CHARACTERS_MAX } from '@hospital/ui/address';
import { structured } from '@hospital/ui/structured';
import { Unavailable } from '@hospital/ui/unavailable';
import { sharedBanner } from '../parts/share.ts';

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

export default function DoctorsPage(props: DoctorsProps) {
  const { query, now, data } = props;
  const { all, next, departments, specialties, site } = data;
  if (!all.ok) return <Unavailable title={TITLE} what="The list of doctors" path="/doctors" />;
  return (
    <>
      <PageHero
        title={TITLE}
        lead="Find the right doctor for you. See when they’re here and what a consultation costs before you book."
      />
      <div className={layout.page}>
        <Directory
          all={all.body}
          nextFree={nextFreeOf(next, now)}
          departments={departments}
          words={wordsOf(query)}
          asked={askedFor(props, all.body)}
          known={specialties?.ok ? specialties.body.specialties : []}
        />
        <CallToAction
          title="Not sure who to see?"
          text="Tell us what’s wrong and we’ll suggest a doctor."
          site={siteOf(site)}
        >
          <LinkButton href="/appointment">Book Appointment Now</LinkButton>
        </CallToAction>
      </div>
    </>
  );
}

interface DirectoryProps {
  all: ListDoctorsResponse;
  nextFree: NextFreeOf;
  departments: Departments;
  words: string;
  /** The specialty in the URL. */
  asked: SpecialtyOption | undefined;
  known: ListSpecialtiesResponse['specialties'];
}

function Directory({ all, nextFree, departments, words, asked, known }: DirectoryProps) {
  const { doctors, specialties } = all;
  const listed = doctors.map((doctor) => ({ doctor, by: searchable(doctor) }));
  const shown = listed.filter(({ by }) => matches(by, words, asked?.key ?? '')).length;
  const keys = new Map(doctors.map(({ specialty: label, specialtyKey }) => [label, specialtyKey]));
  const options = specialties.map((label) => ({ label, key: keys.get(label) ?? label }));
  const chosen = asked && specialties.includes(asked.label) ? asked.label : '';
  const without = shown === 0 && !words ? known.find(({ slug }) => slug === asked?.key) : undefined;
  return (
    <section aria-label="Directory">
      <Filter words={words} chosen={chosen} asked={chosen ? undefined : asked?.key} options={options} />
      <p className={styles.count} role="status">
        <span data-found="" tabIndex={-1}>
          {counted(shown)}
        </span>
        <span data-show-all="" hidden={!words && !asked}>
          {' '}
          · <a href="/doctors">Show all</a>
        </span>
      </p>
      {without && <Instead specialty={without} departments={departments} />}
      <NothingYet data-nobody="" hidden={shown > 0 || Boolean(without)}>
        <h2>No Doctors Found</h2>
        <p>Try adjusting your search criteria or specialty filter.</p>
        <LinkButton tone="secondary" href="/doctors">
          Show all doctors
        </LinkButton>
      </NothingYet>
      <ul className={styles.cards}>
        {listed.map(({ doctor, by }, index) => (
          <DoctorCard
            key={doctor.id}
            doctor={doctor}
            next={nextFree(doctor.id)}
            book={bookDoctor(departments, doctor.id)}
            by={by}
            eager={index < EAGER_PHOTOS}
            hidden={!matches(by, words, asked?.key ?? '')}
          />
        ))}
      </ul>
    </section>
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
  const label = knownLabel(wanted, all.specialties) ?? wanted;
  const holder =
    all.doctors.find(({ specialty }) => specialty === label) ??
    (ofSpecialty.ok ? ofSpecialty.body.doctors[0] : undefined);
  if (holder) return { label: all.specialties.includes(label) ? label : holder.specialty, key: holder.specialtyKey };
  const known = specialties?.ok ? specialties.body.specialties : [];
  const one = known.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  return { label, key: one?.slug ?? label };
}

function knownLabel(wanted: string | undefined, specialties: readonly string[]): string | undefined {
  return wanted && specialties.find((label) => label.toLowerCase() === wanted.toLowerCase());
}

/**
 * Uses a label from the URL only if the directory has it. Otherwise a crafted URL could put foreign words into the
 * hospital's title.
 */
export function head({ query, data: { all, site } }: DoctorsProps): Head {
  const label = all.ok ? knownLabel(query.specialty, all.body.specialties) : undefined;
  return {
    title: titled(label ? `Doctors for ${label}` : 'Our doctors', site),
    description:
      'All the hospital’s doctors, with specialty, degrees, experience, visiting days, timings and consultation fee. Search by name or specialty.',
    keywords: 'doctors Jayanagar, specialists Bangalore, hospital doctors list',
    canonicalPath: '/doctors',
    image: sharedBanner('arrival'),
    // Searches and unknown specialties are not indexed.
    ...((query.q || (query.specialty && !label)) && { robots: 'noindex, follow' }),
    jsonLd: structured(site, trailTo(['Doctors', '/doctors'])),
  };
}

/** A directory that failed to load must not be cached. */
export function status({ data: { all } }: DoctorsProps): number {
  return statusOf(all);
}
