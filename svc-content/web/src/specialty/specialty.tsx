/** `/specialty/{slug}`: a rich page, or a short one for specialties with only a description. No script. */
import type { Head, PageProps } from '@hospital/page';
import { LinkButton } from '@hospital/ui/button';
import type {
  Doctor,
  ListDepartmentProfilesResponse,
  ListDepartmentsResponse,
  ListDoctorsResponse,
  ListNextAvailableResponse,
  Specialty,
} from '@hospital/api/types';
import { trailTo } from '@hospital/ui/breadcrumb';
import { CallToAction } from '@hospital/ui/call-to-action';
import { absentHead, titled } from '@hospital/ui/head';
import layout from '@hospital/ui/layout.module.css';
import { CheckList } from '@hospital/ui/lists';
import { bookingOf, type SpecialtyBooking } from '../parts/booking.ts';
import { freeTimesOf } from '../parts/free-times.ts';
import { ElsewhereFirst, whyUnbookable } from '../parts/unbookable.tsx';
import { Questions } from '../parts/questions.tsx';
import { isMissing, statusOf } from '@hospital/ui/read';
import { siteOf, type Site } from '@hospital/ui/site';
import { faqPage, hospital, structured } from '@hospital/ui/structured';
import { Missing } from '@hospital/ui/missing';
import { Unavailable } from '@hospital/ui/unavailable';
import { sharedForm } from '../parts/photograph.tsx';
import { sharedBanner } from '../parts/share.ts';
import { Problems } from './problems.tsx';
import { WhoSeesYou } from './who-sees-you.tsx';
import { Text } from '@hospital/page/text';
import { InEnglish } from '../parts/in-english.tsx';
import { t } from '../messages.ts';

type SpecialtyProps = PageProps<{
  specialty: Specialty;
  /** The fields below are optional. */
  doctors: ListDoctorsResponse;
  next: ListNextAvailableResponse;
  departments: ListDepartmentsResponse;
  profiles: ListDepartmentProfilesResponse;
  site: Site;
}>;

export default function SpecialtyPage({ path, now, data }: SpecialtyProps) {
  const { specialty, doctors, next, departments, profiles } = data;
  const site = siteOf(data.site);
  if (isMissing(specialty)) {
    return (
      <Missing
        title={t('Specialty Not Found')}
        text={t('There is no specialty at this address. You can find all specialties in the list.')}
        list="/specialties"
      />
    );
  }
  if (!specialty.ok) return <Unavailable title={t('Specialty')} what={t('This specialty')} path={path} />;
  const { body } = specialty;
  const listed = doctors.ok ? doctors.body.doctors : [];
  const booking = bookingOf(departments, body, idsOf(listed, body));
  return (
    <>
      <Problems specialty={body} problems={problemsOf(profiles, body)} booking={booking} trail={trail(body)} />
      <div className={layout.page}>
        {/* The specification's generic pages have no doctors, services or questions. */}
        <WhoSeesYou
          names={body.rich ? body.doctors : []}
          profiles={listed}
          booking={booking}
          departments={departments}
          times={freeTimesOf(next, now)}
          now={now}
        />
        {body.rich ? <Rich specialty={body} /> : <Generic specialty={body} booking={booking} site={site} />}
        <Closing name={body.name} booking={booking} site={site} />
      </div>
    </>
  );
}

/** Returns the ids of a specialty's doctors. */
function idsOf(listed: readonly Doctor[], { doctors }: Specialty): string[] {
  return listed.filter(({ name }) => doctors.includes(name)).map(({ id }) => id);
}

/** Returns what patients of the department with this specialty's key would say. */
function problemsOf(profiles: SpecialtyProps['data']['profiles'], { slug }: Specialty): readonly string[] {
  const found = profiles?.ok ? profiles.body.departmentProfiles?.find(({ id }) => id === slug) : undefined;
  return found?.problems ?? [];
}

interface BookingProps {
  booking: SpecialtyBooking;
  site: Site;
}

function Closing({ name, booking, site }: BookingProps & { name: string }) {
  if (booking.kind === 'none') {
    return (
      <CallToAction title={t('Ask about {name}', { name })} site={site} text={whyUnbookable(name, booking)}>
        <ElsewhereFirst booking={booking} />
      </CallToAction>
    );
  }
  return (
    <CallToAction
      title={t('Book an Appointment')}
      site={site}
      text={t(
        'Choose a free time for {name}, or ask our front desk. Please bring old reports and the medicines you take.',
        { name },
      )}
    >
      <LinkButton href={booking.href}>{t('Book Appointment')}</LinkButton>
      <LinkButton tone="secondary" href="/doctors">
        {t('Find a Doctor')}
      </LinkButton>
    </CallToAction>
  );
}

function Rich({ specialty: { name, longDescription, services, faqs } }: { specialty: Specialty }) {
  return (
    <div className={layout.sections}>
      {services.length > 0 && (
        <section aria-labelledby="services">
          <h2 id="services">{t('Services')}</h2>
          <CheckList items={services} />
        </section>
      )}
      {longDescription.length > 0 && (
        <section aria-labelledby="about">
          <h2 id="about">{t('About {name}', { name })}</h2>
          <InEnglish text={longDescription[0]} />
          {longDescription.map((paragraph) => (
            <p key={paragraph}>
              <Text>{paragraph}</Text>
            </p>
          ))}
        </section>
      )}
      <Questions faqs={faqs} />
    </div>
  );
}

function Generic({ specialty: { name }, booking, site }: BookingProps & { specialty: Specialty }) {
  return (
    <div className={layout.sections}>
      <section aria-labelledby="about">
        <h2 id="about">{t('{name} at {hospital}', { name, hospital: site.name })}</h2>
        <p>{introduction(name, booking)}</p>
        {booking.kind !== 'none' && (
          <p>
            {t(
              'Bring earlier reports, scans and prescriptions, and the packets of the medicines you take. If you’re not sure this is the right specialty, ask our front desk.',
            )}
          </p>
        )}
      </section>
    </div>
  );
}

/** Returns a sentence on who sees patients and how to book. */
function introduction(name: string, booking: SpecialtyBooking): string {
  if (booking.kind === 'doctor')
    return t(
      'You can see {doctor} here by appointment. In the booking form, you’ll find the name under {department}.',
      { doctor: booking.doctor, department: booking.under },
    );
  if (booking.kind === 'department')
    return t('You can see a specialist in {name} here by appointment. Tell us your problem when you book.', { name });
  return whyUnbookable(name, booking);
}

function trail({ name, slug }: Specialty) {
  return trailTo([t('Specialties'), '/specialties'], [name, `/specialty/${slug}`]);
}

export function head({ path, data: { specialty, site } }: SpecialtyProps): Head {
  if (!specialty.ok)
    return absentHead(specialty, site, path, { missing: t('Specialty Not Found'), kind: t('Specialty') });
  const { name, slug, description, rich } = specialty.body;
  // A short page lists only what it shows.
  const { services, faqs } = rich ? specialty.body : { services: [], faqs: [] };
  const canonicalPath = `/specialty/${slug}`;
  const { locality, city } = siteOf(site).address;
  return {
    title: titled(name, site),
    description,
    keywords: [name, `${name} ${locality}`, `${name} hospital ${city}`, ...services].join(', '),
    canonicalPath,
    image: sharedForm(specialty.body) ?? sharedBanner('ward'),
    jsonLd: structured(site, trail(specialty.body), (origin) => [
      {
        '@type': 'MedicalSpecialty',
        '@id': `${origin}${canonicalPath}#specialty`,
        name,
        description,
        url: `${origin}${canonicalPath}`,
        subjectOf: { '@type': 'MedicalWebPage', url: `${origin}${canonicalPath}`, name, publisher: hospital(origin) },
      },
      ...faqPage(origin, canonicalPath, faqs),
    ]),
  };
}

export function status({ data: { specialty } }: SpecialtyProps): number {
  return statusOf(specialty);
}

/** Redirects an alias (`orthopaedics`) to the canonical slug. */
export function location({ params, data: { specialty } }: SpecialtyProps): string | null {
  return specialty.ok && specialty.body.slug !== params.slug ? `/specialty/${specialty.body.slug}` : null;
}
