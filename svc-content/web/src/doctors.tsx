/** `/doctors`: the directory. The filter is a form; a few inline lines let it answer while one types. */
import type { Head, PageProps } from '@hospital/page';
import { LinkButton } from '@hospital/ui/button';
import { siteOf, type Site } from '@hospital/ui/site';
import type { ListDoctorsResponse } from '@hospital/api/list-doctors';
import { DoctorCard } from './doctors/doctor-card.tsx';
import { Filter } from './doctors/filter.tsx';
import styles from './doctors/doctors.module.css';
import { trailTo } from '@hospital/ui/breadcrumb';
import { CallToAction } from '@hospital/ui/call-to-action';
import { titled } from '@hospital/ui/head';
import layout from '@hospital/ui/layout.module.css';
import { PageHero } from '@hospital/ui/page-hero';
import { statusOf } from '@hospital/ui/read';
import { structured } from '@hospital/ui/structured';
import { Unavailable } from '@hospital/ui/trouble';

/** `doctors`: what the address asks for; `all`: whom the filter can still find. */
type DoctorsProps = PageProps<{ doctors: ListDoctorsResponse; all: ListDoctorsResponse; site: Site }>;

const TITLE = 'Meet Our Expert Medical Team';
/** Photos of the first row, needed at once. */
const EAGER_PHOTOS = 3;

export default function DoctorsPage(props: DoctorsProps) {
  const { doctors, site } = props.data;
  if (!doctors.ok) return <Unavailable title={TITLE} what="The list of doctors" path="/doctors" />;
  return (
    <>
      <PageHero
        title={TITLE}
        lead="Find the doctor who fits what you need. See when they are here and what a consultation costs before you book."
      />
      <div className={layout.page}>
        <Directory {...props} found={doctors.body} />
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

function Directory({ query, data: { all }, found }: DoctorsProps & { found: ListDoctorsResponse }) {
  const shown = new Set(found.doctors.map(({ id }) => id));
  const listed = all.ok ? all.body.doctors : found.doctors;
  const filtered = Boolean(query.q || query.specialty);
  return (
    <section aria-label="Directory">
      <Filter query={query} specialties={found.specialties} doctors={listed} />
      <p className={styles.count} role="status">
        <span data-count="" tabIndex={-1}>
          {shown.size} {shown.size === 1 ? 'doctor' : 'doctors'}
        </span>
        <span data-show-all="" hidden={!filtered}>
          {' '}
          · <a href="/doctors">Show all</a>
        </span>
      </p>
      <div className={styles.empty} data-nobody="" hidden={shown.size > 0}>
        <h2 className={styles.emptyTitle}>No Doctors Found</h2>
        <p>Try adjusting your search criteria or specialty filter.</p>
        <LinkButton tone="secondary" href="/doctors">
          Show all doctors
        </LinkButton>
      </div>
      <ul className={styles.cards}>
        {listed.map((doctor, index) => (
          <DoctorCard key={doctor.id} doctor={doctor} eager={index < EAGER_PHOTOS} hidden={!shown.has(doctor.id)} />
        ))}
      </ul>
    </section>
  );
}

export function head({ query, data: { site } }: DoctorsProps): Head {
  return {
    title: titled(query.specialty ? `Doctors for ${query.specialty}` : 'Our doctors', site),
    description:
      'All doctors of the hospital with specialty, degrees, experience, visiting days, timings and consultation fee. Search by name or specialty.',
    keywords: 'doctors Jayanagar, specialists Bangalore, hospital doctors list',
    canonicalPath: '/doctors',
    // A search is not a page of its own.
    ...(query.q && { robots: 'noindex, follow' }),
    jsonLd: structured(site, trailTo(['Doctors', '/doctors']), () => []),
  };
}

/** A directory that could not be read must not be kept as the directory. */
export function status({ data: { doctors } }: DoctorsProps): number {
  return statusOf(doctors);
}
