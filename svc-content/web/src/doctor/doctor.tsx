/** `/doctor/{slug}`: the profile of a doctor. No script. */
import type { Head, PageProps } from '@hospital/page';
import { Badge } from '@hospital/ui/badge';
import { LinkButton } from '@hospital/ui/button';
import { Notice } from '@hospital/ui/notice';
import type { Doctor, ListDepartmentsResponse, ListNextAvailableResponse } from '@hospital/api/types';
import { generatedAbout, pathOf, physician } from './describe.ts';
import styles from './doctor.module.css';
import { AsideCard } from '@hospital/ui/aside-card';
import { Breadcrumb, trailTo } from '@hospital/ui/breadcrumb';
import { absentHead, titled } from '@hospital/ui/head';
import layout from '@hospital/ui/layout.module.css';
import { CheckList } from '@hospital/ui/lists';
import { MailLink } from '@hospital/ui/mail-link';
import { bookDoctor, doctorsOf, placeOf, type DoctorPlace } from '../parts/booking.ts';
import { type FreeTimes, freeTimesOf } from '../parts/free-times.ts';
import { Portrait } from '../parts/portrait.tsx';
import { sharedPortrait } from '../parts/share.ts';
import { isMissing, statusOf } from '@hospital/ui/read';
import { addressLine, emailFor, phoneFor, siteOf, type Site } from '@hospital/ui/site';
import { description as described } from '../parts/text.ts';
import { structured } from '@hospital/ui/structured';
import { Times } from './times.tsx';
import { PageNotFound } from '@hospital/ui/missing';
import { Unavailable } from '@hospital/ui/unavailable';
import { Text } from '@hospital/page/text';
import { t } from '../messages.ts';

/**
 * `next` covers all doctors, so that all profiles share one API response. `next` and `departments` are optional.
 */
type DoctorProps = PageProps<{
  doctor: Doctor;
  next: ListNextAvailableResponse;
  departments: ListDepartmentsResponse;
  site: Site;
}>;

export default function DoctorPage({ path, now, data: { doctor, next, departments, site: answer } }: DoctorProps) {
  const site = siteOf(answer);
  if (isMissing(doctor)) return <PageNotFound what={t('doctor')} list="/doctors" />;
  if (!doctor.ok) return <Unavailable title={t('Doctor')} what={t('This profile')} path={path} />;
  const { id } = doctor.body;
  return (
    <Profile
      doctor={doctor.body}
      times={freeTimesOf(next, now)(id)}
      now={now}
      place={placeOf(departments, id)}
      book={bookDoctor(departments, id)}
      site={site}
    />
  );
}

interface ProfileProps {
  doctor: Doctor;
  times: FreeTimes;
  /** The page's time, RFC 3339. */
  now: string;
  place: DoctorPlace | null;
  /** URL of the booking form with this doctor preselected. */
  book: string;
  site: Site;
}

function Profile({ doctor, times, now, place, book, site }: ProfileProps) {
  const { name, specialty } = doctor;
  return (
    <>
      <Face doctor={doctor} />
      {doctor.closedToNewPatients ? (
        <Closed doctor={doctor} />
      ) : (
        <Times name={name} times={times} now={now} book={book} colleagues={ofSpecialty(doctor)} site={site} />
      )}
      <div className={layout.page}>
        <div className={layout.columns}>
          <div className={layout.sections}>
            <section aria-label={t('Your visit')}>
              <Glance doctor={doctor} place={place} />
              <ListedUnder doctor={doctor} place={place} />
            </section>
            <section aria-labelledby="about">
              <h2 id="about">{t('About {name}', { name })}</h2>
              <p>
                <Text>{doctor.about || generatedAbout(doctor, site.name)}</Text>
              </p>
            </section>
            <Points id="specializations" title={t('Specializations')} items={doctor.specializations} />
            <Points id="education" title={t('Education')} items={doctor.education} />
            <Points id="achievements" title={t('Achievements')} items={doctor.achievements} />
          </div>
          <div className={layout.aside}>
            <ContactInformation site={site} />
            <p className={styles.colleagues}>
              <a href={ofSpecialty(doctor)}>{t('All doctors for {specialty}', { specialty })}</a>
            </p>
          </div>
        </div>
      </div>
    </>
  );
}

/** Who it is: face and name, without a band. */
function Face({ doctor }: { doctor: Doctor }) {
  const { name, specialty, degrees, languages = [] } = doctor;
  return (
    <header className={styles.face}>
      <Breadcrumb trail={trail(doctor)} />
      <div className={styles.who}>
        <div className={styles.portrait}>
          <Portrait doctor={doctor} size={320} eager />
        </div>
        <div className={styles.words}>
          <Badge>
            <Text>{specialty}</Text>
          </Badge>
          <h1 className={styles.name}>
            <Text>{name}</Text>
          </h1>
          <p className={styles.degrees}>
            <Text>{degrees}</Text>
          </p>
          {languages.length > 0 && (
            <p className={styles.languages}>{t('Speaks {languages}', { languages: languages.join(', ') })}</p>
          )}
        </div>
      </div>
    </header>
  );
}

function Closed({ doctor }: { doctor: Doctor }) {
  const { name, specialty } = doctor;
  return (
    <div className={styles.closed}>
      <Notice tone="warning" title={t('{name} isn’t taking new patients', { name })}>
        <p>
          {t('If you’re already a patient, call our appointment desk. Colleagues in {specialty} see new patients.', {
            specialty,
          })}
        </p>
      </Notice>
      <div className={layout.actions}>
        <LinkButton href={ofSpecialty(doctor)}>{t('See colleagues in {specialty}', { specialty })}</LinkButton>
        <LinkButton tone="secondary" href="/doctors">
          {t('View All Doctors')}
        </LinkButton>
      </div>
    </div>
  );
}

/** What a patient needs to know before the visit. */
function Glance({ doctor, place }: Pick<ProfileProps, 'doctor' | 'place'>) {
  const facts: [term: string, value: string | undefined][] = [
    [t('Consultation fee'), doctor.consultationFee],
    [t('Where'), place?.attendant?.place],
    [t('Visiting days'), doctor.visitingDays],
    [t('Timings'), doctor.timings],
    [t('Experience'), doctor.experience],
    [t('Registration number'), doctor.registrationNumber],
  ];
  return (
    <dl className={styles.glance}>
      {facts
        .filter(([, value]) => value)
        .map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value && <Text>{value}</Text>}</dd>
          </div>
        ))}
    </dl>
  );
}

/**
 * Hint about the department. The form has only twelve departments, so other specialists are listed in the closest one.
 */
function ListedUnder({ doctor: { name, specialtyKey }, place }: Pick<ProfileProps, 'doctor' | 'place'>) {
  if (!place || place.department.id === specialtyKey) return null;
  return (
    <p className={styles.under}>
      {t('In the booking form, you’ll find {name} under {department}.', { name, department: place.department.name })}
    </p>
  );
}

function ofSpecialty({ specialty, specialtyKey }: Doctor): string {
  return doctorsOf(specialty, specialtyKey);
}

function Points({ id, title, items }: { id: string; title: string; items: string[] }) {
  if (items.length === 0) return null;
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
    <AsideCard title={t('Contact Information')}>
      <ul className={styles.contact}>
        {number && (
          <li>
            <span>{t('Phone')}</span>
            <a href={`tel:${number.e164}`}>{number.display}</a>
          </li>
        )}
        {mail && (
          <li>
            <span>{t('E-mail')}</span>
            <MailLink email={mail} />
          </li>
        )}
        <li>
          <span>{t('Address')}</span>
          <Text>{[site.name, address].filter(Boolean).join(', ')}</Text>
        </li>
      </ul>
    </AsideCard>
  );
}

function trail(doctor: Doctor) {
  return trailTo([t('Doctors'), '/doctors'], [doctor.name, pathOf(doctor)]);
}

export function head({ path, data: { doctor, site } }: DoctorProps): Head {
  if (!doctor.ok) return absentHead(doctor, site, path, { missing: t('Page Not Found'), kind: t('Doctor') });
  const { name, specialty, seoTitle, metaDescription, focusKeyword, about } = doctor.body;
  const { name: hospital, address } = siteOf(site);
  const description = described(about || generatedAbout(doctor.body, hospital), metaDescription);
  return {
    title: seoTitle || titled(`${name}, ${specialty}`, site),
    description,
    keywords: [focusKeyword, name, `${specialty} doctor ${address.locality}`, `${specialty} ${address.city}`]
      .filter(Boolean)
      .join(', '),
    canonicalPath: pathOf(doctor.body),
    image: sharedPortrait(doctor.body),
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
