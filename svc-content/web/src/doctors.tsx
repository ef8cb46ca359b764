/** `/doctors`: the directory. No script: the filter is a form, the page is what it finds. */
import type { Head, PageProps } from '@hospital/page';
import { Button, LinkButton } from '@hospital/ui/button';
import { Notice } from '@hospital/ui/notice';
import type { Site } from '@hospital/api/get-site';
import type { ListDoctorsResponse } from '@hospital/api/list-doctors';
import { ContactCard } from './doctors/contact-card.tsx';
import { DoctorCard } from './doctors/doctor-card.tsx';
import { PORTRAITS } from './doctors/portraits.ts';
import styles from './doctors/doctors.module.css';

interface DoctorsBodies {
  doctors: ListDoctorsResponse;
  site: Site;
}

type DoctorsProps = PageProps<DoctorsBodies>;

/** The API's limit for a search. */
const SEARCH_CHARACTERS_MAX = 100;
/** Photos of the first row, needed at once. */
const EAGER_PHOTOS = 3;

export default function DoctorsPage(props: DoctorsProps) {
  const { data } = props;
  return (
    <div className={styles.page}>
      <header className={styles.intro}>
        <h1 className={styles.title}>Meet Our Expert Medical Team</h1>
        <p className={styles.lead}>
          Find the doctor who fits what you need. See when they are here and what a consultation costs before you book.
        </p>
      </header>
      <Filter {...props} />
      <Result {...props} />
      <ContactCard site={data.site.ok ? data.site.body : null} />
    </div>
  );
}

function Filter({ query, data }: DoctorsProps) {
  const specialties = data.doctors.ok ? data.doctors.body.specialties : [];
  const wanted = query.specialty ?? '';
  const known = specialties.find((specialty) => specialty.toLowerCase() === wanted.toLowerCase());
  // A label that only other pages use (Paediatrics, an older link) stays visible in the form it filters by.
  const options = wanted && !known ? [...specialties, wanted] : specialties;
  return (
    <form className={styles.filter} method="get" action="/doctors" role="search" aria-label="Doctors">
      <label className={styles.field}>
        <span className={styles.label}>Name or specialty</span>
        <input
          className={styles.control} type="search" name="q" defaultValue={query.q ?? ''} maxLength={SEARCH_CHARACTERS_MAX}
          placeholder="Search doctors by name or specialty..." autoComplete="off"
        />
      </label>
      <label className={styles.field}>
        <span className={styles.label}>Specialty</span>
        <select className={styles.control} name="specialty" defaultValue={known ?? wanted}>
          <option value="">All Specialties</option>
          {options.map((specialty) => <option key={specialty}>{specialty}</option>)}
        </select>
      </label>
      <Button type="submit">Search</Button>
    </form>
  );
}

function Result({ query, data: { doctors } }: DoctorsProps) {
  const filtered = Boolean(query.q || query.specialty);
  if (!doctors.ok) {
    return (
      <Notice tone="failure" title="The list of doctors cannot be shown right now">
        <p>Please try again in a minute, or call us: we tell you who is here and when.</p>
        <LinkButton tone="secondary" href="/doctors">Try again</LinkButton>
      </Notice>
    );
  }
  const found = doctors.body.doctors;
  if (found.length === 0) {
    return (
      <div className={styles.empty}>
        <h2 className={styles.emptyTitle}>No Doctors Found</h2>
        <p>Try adjusting your search criteria or specialty filter.</p>
        <LinkButton tone="secondary" href="/doctors">Show all doctors</LinkButton>
      </div>
    );
  }
  return (
    <section aria-labelledby="count">
      <p className={styles.count}>
        <span id="count">{found.length} {found.length === 1 ? 'doctor' : 'doctors'}</span>
        {filtered && <> · <a href="/doctors">Show all</a></>}
      </p>
      <ul className={styles.cards}>
        {found.map((doctor, index) => (
          <DoctorCard key={doctor.id} doctor={doctor} portrait={PORTRAITS[doctor.slug]} eager={index < EAGER_PHOTOS} />
        ))}
      </ul>
    </section>
  );
}

export function head({ query, data: { site } }: DoctorsProps): Head {
  const title = query.specialty ? `Doctors for ${query.specialty}` : 'Our doctors';
  return {
    title: site.ok ? `${title} | ${site.body.name}` : title,
    description:
      'All doctors of the hospital with specialty, degrees, experience, visiting days, timings and consultation fee. Search by name or specialty.',
    keywords: 'doctors Jayanagar, specialists Bangalore, hospital doctors list',
    canonicalPath: '/doctors',
    // A search is not a page of its own.
    ...(query.q && { robots: 'noindex, follow' }),
  };
}

/** A directory that could not be read must not be kept as the directory. */
export function status({ data: { doctors } }: DoctorsProps): number {
  return doctors.ok ? 200 : Math.max(doctors.status, 500);
}
