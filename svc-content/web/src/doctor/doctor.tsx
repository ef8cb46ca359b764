/** `/doctor/{slug}`: the profile of a doctor. No script. */
import type { Head, PageProps } from '@hospital/page';
import { Badge } from '@hospital/ui/badge';
import { LinkButton } from '@hospital/ui/button';
import { Notice } from '@hospital/ui/notice';
import type { Doctor, ListDepartmentsResponse, ListNextAvailableResponse, NextAvailable } from '@hospital/api/types';
import { generatedAbout, pathOf, physician } from './describe.ts';
import styles from './doctor.module.css';
import { AsideCard } from '@hospital/ui/aside-card';
import { trailTo } from '@hospital/ui/breadcrumb';
import { CallToAction } from '@hospital/ui/call-to-action';
import { absentHead, titled } from '@hospital/ui/head';
import layout from '@hospital/ui/layout.module.css';
import { CheckList } from '@hospital/ui/lists';
import { MailLink } from '@hospital/ui/mail-link';
import { PageHero } from '@hospital/ui/page-hero';
import { bookDoctor, placeOf, type DoctorPlace } from '../parts/booking.ts';
import { NextFree, nextFreeOf } from '../parts/next-free.tsx';
import { Portrait } from '../parts/portrait.tsx';
import { sharedPortrait } from '../parts/share.ts';
import { isMissing, statusOf } from '@hospital/ui/read';
import { addressLine, emailFor, phoneFor, siteOf, type Site } from '@hospital/ui/site';
import { description as described } from '../parts/text.ts';
import { structured } from '@hospital/ui/structured';
import { PageNotFound } from '@hospital/ui/missing';
import { Unavailable } from '@hospital/ui/unavailable';

/**
 * `next` covers all doctors and is the same API response as in the directory. `next` and `departments` are optional.
 */
type DoctorProps = PageProps<{
  doctor: Doctor;
  next: ListNextAvailableResponse;
  departments: ListDepartmentsResponse;
  site: Site;
}>;

export default function DoctorPage({ path, now, data: { doctor, next, departments, site: answer } }: DoctorProps) {
  const site = siteOf(answer);
  if (isMissing(doctor)) return <PageNotFound what="doctor" list="/doctors" />;
  if (!doctor.ok) return <Unavailable title="Doctor" what="This profile" path={path} />;
  const { id } = doctor.body;
  return (
    <Profile
      doctor={doctor.body}
      next={nextFreeOf(next, now)(id)}
      place={placeOf(departments, id)}
      book={bookDoctor(departments, id)}
      site={site}
    />
  );
}

interface ProfileProps {
  doctor: Doctor;
  next: NextAvailable | null;
  place: DoctorPlace | null;
  /** URL of the booking form with this doctor preselected. */
  book: string;
  site: Site;
}

function Profile({ doctor, next, place, book, site }: ProfileProps) {
  const isOpen = !doctor.closedToNewPatients;
  return (
    <>
      <PageHero
        title={doctor.name}
        trail={trail(doctor)}
        kicker={<Badge>{doctor.specialty}</Badge>}
        lead={doctor.degrees}
        portrait
        media={<Portrait slug={doctor.slug} initials={doctor.initials} size={320} eager />}
      >
        <dl className={styles.glance}>
          <Glance term="Experience" value={doctor.experience} />
          <Glance term="Visiting days" value={doctor.visitingDays} />
          <Glance term="Timings" value={doctor.timings} />
          <Glance term="Consultation fee" value={doctor.consultationFee} />
        </dl>
        {doctor.registrationNumber && (
          <p className={styles.registration}>Registration number {doctor.registrationNumber}</p>
        )}
        {isOpen ? (
          <>
            <NextFree next={next} name={doctor.name} />
            <ListedUnder doctor={doctor} place={place} />
          </>
        ) : (
          <Notice className={styles.closed} tone="warning" title={`${doctor.name} isn’t taking new patients`}>
            <p>
              If you’re already a patient, call our appointment desk. Colleagues in {doctor.specialty} see new patients.
            </p>
          </Notice>
        )}
        <div className={layout.actions}>
          {isOpen ? (
            <LinkButton href={book}>Book Appointment</LinkButton>
          ) : (
            <LinkButton href={ofSpecialty(doctor)}>See colleagues in {doctor.specialty}</LinkButton>
          )}
          <LinkButton tone="secondary" href="/doctors">
            View All Doctors
          </LinkButton>
        </div>
      </PageHero>
      <div className={layout.page}>
        <div className={layout.columns}>
          <div className={layout.sections}>
            <section aria-labelledby="about">
              <h2 id="about">About {doctor.name}</h2>
              <p>{doctor.about || generatedAbout(doctor, site.name)}</p>
            </section>
            <Points title="Specializations" items={doctor.specializations} />
            <Points title="Education" items={doctor.education} />
            <Points title="Achievements" items={doctor.achievements} />
          </div>
          <div className={layout.aside}>
            <ContactInformation site={site} />
          </div>
        </div>
        {isOpen && (
          <CallToAction
            title={`See ${doctor.name}`}
            text="Choose a free time online and get your reference straight away. Please bring old reports and the medicines you take."
          >
            <LinkButton href={book}>Book Appointment</LinkButton>
            <LinkButton tone="secondary" href={ofSpecialty(doctor)}>
              All doctors for {doctor.specialty}
            </LinkButton>
          </CallToAction>
        )}
      </div>
    </>
  );
}

/**
 * Hint about the department. The form has only twelve departments, so other specialists are listed in the closest one.
 */
function ListedUnder({ doctor: { name, specialtyKey }, place }: Pick<ProfileProps, 'doctor' | 'place'>) {
  if (!place || place.department.id === specialtyKey) return null;
  return (
    <p className={styles.under}>
      In the booking form, you’ll find {name} under {place.department.name}.
    </p>
  );
}

function ofSpecialty({ specialty }: Doctor): string {
  return `/doctors?specialty=${encodeURIComponent(specialty)}`;
}

function Glance({ term, value }: { term: string; value: string }) {
  if (!value) return null;
  return (
    <div className={styles.fact}>
      <dt>{term}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Points({ title, items }: { title: string; items: string[] }) {
  if (items.length === 0) return null;
  const id = title.toLowerCase();
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <CheckList items={items} />
    </section>
  );
}

function ContactInformation({ site }: { site: Site }) {
  const number = phoneFor(site, 'appointments', 'reception');
  const mail = emailFor(site, 'appointments', 'general');
  const address = addressLine(site);
  return (
    <AsideCard title="Contact Information">
      <ul className={styles.contact}>
        {number && (
          <li>
            <span>Phone</span>
            <a href={`tel:${number.e164}`}>{number.display}</a>
          </li>
        )}
        {mail && (
          <li>
            <span>E-mail</span>
            <MailLink email={mail} />
          </li>
        )}
        <li>
          <span>Address</span>
          {site.name}
          {address && `, ${address}`}
        </li>
      </ul>
    </AsideCard>
  );
}

function trail(doctor: Doctor) {
  return trailTo(['Doctors', '/doctors'], [doctor.name, pathOf(doctor)]);
}

export function head({ path, data: { doctor, site } }: DoctorProps): Head {
  if (!doctor.ok) return absentHead(doctor, site, path, { missing: 'Page Not Found', kind: 'Doctor' });
  const { name, specialty, seoTitle, metaDescription, focusKeyword, about } = doctor.body;
  const description = described(about || generatedAbout(doctor.body, siteOf(site).name), metaDescription);
  return {
    title: seoTitle || titled(`${name}, ${specialty}`, site),
    description,
    keywords: [focusKeyword, name, `${specialty} doctor Jayanagar`, `${specialty} Bangalore`]
      .filter(Boolean)
      .join(', '),
    canonicalPath: pathOf(doctor.body),
    image: sharedPortrait(doctor.body.slug),
    jsonLd: structured(site, trail(doctor.body), (origin, body) => [physician(doctor.body, origin, body)]),
  };
}

export function status({ data: { doctor } }: DoctorProps): number {
  return statusOf(doctor);
}

/** Redirects ids to the canonical URL. */
export function location({ params, data: { doctor } }: DoctorProps): string | null {
  return doctor.ok && doctor.body.slug !== params.slug ? pathOf(doctor.body) : null;
}
