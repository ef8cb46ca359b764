/** `/doctors`: the directory. The filter is a form; a small script lets it answer while one types. */
import type { Head, PageProps } from '@hospital/page';
import { LinkButton } from '@hospital/ui/button';
import { siteOf, type Site } from '@hospital/ui/site';
import type { ListDoctorsResponse } from '@hospital/api/list-doctors';
import type { ListNextAvailableResponse } from '@hospital/api/list-next-available';
import { type NextFreeOf, nextFreeOf } from '../parts/next-free.tsx';
import { DoctorCard } from './doctor-card.tsx';
import { Filter, type SpecialtyOption } from './filter.tsx';
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

interface DoctorsBodies {
  /** Everybody of the directory. */
  all: ListDoctorsResponse;
  /** Those whom the API knows under the label of the address. */
  ofSpecialty: ListDoctorsResponse;
  /** Of everybody who can be booked. The page stands without it. */
  next: ListNextAvailableResponse;
  site: Site;
}

type DoctorsProps = PageProps<DoctorsBodies>;

const TITLE = 'Meet Our Expert Medical Team';
/** Photos of the first row, needed at once. */
const EAGER_PHOTOS = 3;

export default function DoctorsPage({ query, now, data: { all, ofSpecialty, next, site } }: DoctorsProps) {
  if (!all.ok) return <Unavailable title={TITLE} what="The list of doctors" path="/doctors" />;
  return (
    <>
      <PageHero
        title={TITLE}
        lead="Find the doctor who fits what you need. See when they are here and what a consultation costs before you book."
      />
      <div className={layout.page}>
        <Directory
          all={all.body}
          nextFree={nextFreeOf(next, now)}
          words={wordsOf(query)}
          specialty={specialtyOf(query.specialty, all.body, ofSpecialty)}
        />
        <CallToAction
          title="Not sure whom to see?"
          text="Tell us what is wrong, and we name the right doctor."
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
  words: string;
  specialty: SpecialtyOption | undefined;
}

function Directory({ all: { doctors, specialties }, nextFree, words, specialty }: DirectoryProps) {
  const listed = doctors.map((doctor) => ({ doctor, by: searchable(doctor) }));
  const shown = listed.filter(({ by }) => matches(by, words, specialty?.key ?? '')).length;
  const keys = new Map(doctors.map(({ specialty: label, specialtyKey }) => [label, specialtyKey]));
  const options = specialties.map((label) => ({ label, key: keys.get(label) ?? label }));
  // A label that only other pages use (Paediatrics, an older link) stays visible in the form it filters by.
  if (specialty && !specialties.includes(specialty.label)) options.push(specialty);
  return (
    <section aria-label="Directory">
      <Filter words={words} chosen={specialty?.label ?? ''} options={options} />
      <p className={styles.count} role="status">
        <span data-found="" tabIndex={-1}>
          {counted(shown)}
        </span>
        <span data-show-all="" hidden={!words && !specialty}>
          {' '}
          · <a href="/doctors">Show all</a>
        </span>
      </p>
      <NothingYet data-nobody="" hidden={shown > 0}>
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
            by={by}
            eager={index < EAGER_PHOTOS}
            hidden={!matches(by, words, specialty?.key ?? '')}
          />
        ))}
      </ul>
    </section>
  );
}

function wordsOf({ q = '' }: DoctorsProps['query']): string {
  return q.trim().slice(0, SEARCH_CHARACTERS_MAX);
}

/** The label as the directory writes it, or as the address does; the API knows which labels mean the same. */
function specialtyOf(
  wanted: string | undefined,
  { doctors, specialties }: ListDoctorsResponse,
  ofSpecialty: DoctorsProps['data']['ofSpecialty'],
): SpecialtyOption | undefined {
  if (!wanted?.trim()) return undefined;
  const label = knownLabel(wanted, specialties) ?? wanted.slice(0, SEARCH_CHARACTERS_MAX);
  const holder =
    doctors.find(({ specialty }) => specialty === label) ?? (ofSpecialty.ok ? ofSpecialty.body.doctors[0] : undefined);
  return { label, key: holder?.specialtyKey ?? label };
}

function knownLabel(wanted: string | undefined, specialties: readonly string[]): string | undefined {
  return wanted && specialties.find((label) => label.toLowerCase() === wanted.toLowerCase());
}

/** Of the address only labels of the directory are repeated: a title is taken for the hospital's own words. */
export function head({ query, data: { all, site } }: DoctorsProps): Head {
  const label = all.ok ? knownLabel(query.specialty, all.body.specialties) : undefined;
  return {
    title: titled(label ? `Doctors for ${label}` : 'Our doctors', site),
    description:
      'All doctors of the hospital with specialty, degrees, experience, visiting days, timings and consultation fee. Search by name or specialty.',
    keywords: 'doctors Jayanagar, specialists Bangalore, hospital doctors list',
    canonicalPath: '/doctors',
    // A search is not a page of its own, and an unknown specialty is none.
    ...((query.q || (query.specialty && !label)) && { robots: 'noindex, follow' }),
    jsonLd: structured(site, trailTo(['Doctors', '/doctors'])),
  };
}

/** A directory that could not be read must not be kept as the directory. */
export function status({ data: { all } }: DoctorsProps): number {
  return statusOf(all);
}
