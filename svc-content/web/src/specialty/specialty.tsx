/** `/specialty/{slug}`: a rich page, or a short one for specialties with only a description. No script. */
import type { Head, PageProps } from '@hospital/page';
import { LinkButton } from '@hospital/ui/button';
import type { ListDepartmentsResponse, ListDoctorsResponse, Specialty } from '@hospital/api/types';
import { AsideCard } from '@hospital/ui/aside-card';
import { trailTo } from '@hospital/ui/breadcrumb';
import { CallToAction } from '@hospital/ui/call-to-action';
import { absentHead, titled } from '@hospital/ui/head';
import layout from '@hospital/ui/layout.module.css';
import { CheckList } from '@hospital/ui/lists';
import { PageHero } from '@hospital/ui/page-hero';
import { bookingOf, type SpecialtyBooking } from '../parts/booking.ts';
import { Clinics } from '../parts/clinics.tsx';
import { ElsewhereFirst, nobodyToBook } from '../parts/nobody-to-book.tsx';
import { Pictogram } from '../parts/pictogram.tsx';
import { Questions } from '../parts/questions.tsx';
import { isMissing, statusOf } from '@hospital/ui/read';
import { siteOf, type Site } from '@hospital/ui/site';
import { faqPage, hospital, structured } from '@hospital/ui/structured';
import { Missing } from '@hospital/ui/missing';
import { Unavailable } from '@hospital/ui/unavailable';
import { sharedBanner } from '../parts/share.ts';
import { DoctorList } from './doctor-list.tsx';

type SpecialtyProps = PageProps<{
  specialty: Specialty;
  doctors: ListDoctorsResponse;
  departments: ListDepartmentsResponse;
  site: Site;
}>;

export default function SpecialtyPage({
  path,
  data: { specialty, doctors, departments, site: answer },
}: SpecialtyProps) {
  const site = siteOf(answer);
  if (isMissing(specialty)) {
    return (
      <Missing
        title="Specialty Not Found"
        text="There is no specialty at this address. You can find all specialties in the list."
        list="/specialties"
      />
    );
  }
  if (!specialty.ok) return <Unavailable title="Specialty" what="This specialty" path={path} />;
  const profiles = doctors.ok ? doctors.body.doctors : [];
  const { name, description, icon, color, rich } = specialty.body;
  const booking = bookingOf(departments, specialty.body);
  return (
    <>
      <PageHero
        title={name}
        lead={description}
        trail={trail(specialty.body)}
        portrait
        media={<Pictogram name={icon} tone={color} large />}
      >
        <div className={layout.actions}>
          {booking.kind === 'none' ? (
            <ElsewhereFirst />
          ) : (
            <>
              <LinkButton href={booking.href}>Book Appointment</LinkButton>
              <LinkButton tone="secondary" href={`/doctors?specialty=${encodeURIComponent(name)}`}>
                View Doctors
              </LinkButton>
            </>
          )}
        </div>
      </PageHero>
      <div className={layout.page}>
        {rich ? (
          <Rich specialty={specialty.body} profiles={profiles} booking={booking} />
        ) : (
          <Generic specialty={specialty.body} booking={booking} site={site} />
        )}
        {booking.kind === 'none' ? (
          <CallToAction title={`Ask about ${name}`} site={site} text={nobodyToBook(name, booking)}>
            <ElsewhereFirst />
          </CallToAction>
        ) : (
          <CallToAction
            title="Book an Appointment"
            site={site}
            text={`Choose a free time for ${name}, or ask our front desk. Please bring old reports and the medicines you take.`}
          >
            <LinkButton href={booking.href}>Book Appointment</LinkButton>
            <LinkButton tone="secondary" href="/doctors">
              Find a Doctor
            </LinkButton>
          </CallToAction>
        )}
      </div>
    </>
  );
}

/** Clinics of a specialty that are booked through the department as a whole. */
function WhoSeesYou({ booking: { clinics } }: { booking: SpecialtyBooking }) {
  if (clinics.length === 0) return null;
  return (
    <AsideCard title={clinics.length === 1 ? 'Our clinic' : 'Our clinics'}>
      <Clinics clinics={clinics} />
    </AsideCard>
  );
}

interface RichProps {
  specialty: Specialty;
  profiles: ListDoctorsResponse['doctors'];
  booking: SpecialtyBooking;
}

function Rich({ specialty, profiles, booking }: RichProps) {
  const { name, longDescription, doctors, services, faqs } = specialty;
  return (
    <div className={layout.columns}>
      <div className={layout.sections}>
        {longDescription.length > 0 && (
          <section aria-labelledby="about">
            <h2 id="about">About {name}</h2>
            {longDescription.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </section>
        )}
        {doctors.length > 0 && (
          <section aria-labelledby="doctors">
            <h2 id="doctors">Our doctors</h2>
            <DoctorList names={doctors} profiles={profiles} />
          </section>
        )}
        <Questions faqs={faqs} />
      </div>
      <div className={layout.aside}>
        <WhoSeesYou booking={booking} />
        {services.length > 0 && (
          <AsideCard title="Services">
            <CheckList items={services} />
          </AsideCard>
        )}
      </div>
    </div>
  );
}

interface GenericProps {
  specialty: Specialty;
  booking: SpecialtyBooking;
  site: Site;
}

function Generic({ specialty: { name }, booking, site }: GenericProps) {
  return (
    <div className={layout.columns}>
      <div className={layout.sections}>
        <section aria-labelledby="about">
          <h2 id="about">
            {name} at {site.name}
          </h2>
          <p>{introduction(name, booking)}</p>
          {booking.kind !== 'none' && (
            <p>
              Bring earlier reports, scans and prescriptions, and the packets of the medicines you take. If you’re not
              sure this is the right specialty, start with General Medicine, or ask our front desk.
            </p>
          )}
        </section>
      </div>
      <div className={layout.aside}>
        <WhoSeesYou booking={booking} />
      </div>
    </div>
  );
}

/** Returns a sentence on who sees patients and how to book. */
function introduction(name: string, booking: SpecialtyBooking): string {
  if (booking.kind === 'doctor')
    return `You can see ${booking.doctor} here by appointment. In the booking form, you’ll find the name under ${booking.under}.`;
  if (booking.kind === 'department')
    return `You can see a specialist in ${name} here by appointment. Tell us your problem when you book.`;
  return nobodyToBook(name, booking);
}

function trail({ name, slug }: Specialty) {
  return trailTo(['Specialties', '/specialties'], [name, `/specialty/${slug}`]);
}

export function head({ path, data: { specialty, site } }: SpecialtyProps): Head {
  if (!specialty.ok) return absentHead(specialty, site, path, { missing: 'Specialty Not Found', kind: 'Specialty' });
  const { name, slug, description, rich } = specialty.body;
  // A short page lists only what it shows.
  const { services, faqs } = rich ? specialty.body : { services: [], faqs: [] };
  const canonicalPath = `/specialty/${slug}`;
  return {
    title: titled(name, site),
    description,
    keywords: [name, `${name} Jayanagar`, `${name} hospital Bangalore`, ...services].join(', '),
    canonicalPath,
    image: sharedBanner('ward'),
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
