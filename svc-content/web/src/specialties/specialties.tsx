/** `/specialties`: the specialty cards, in content order. No script. */
import type { Head, PageProps } from '@hospital/page';
import { LinkButton } from '@hospital/ui/button';
import type { ListDepartmentsResponse, ListSpecialtiesResponse, Site, Specialty } from '@hospital/api/types';
import { trailTo } from '@hospital/ui/breadcrumb';
import { CallToAction } from '@hospital/ui/call-to-action';
import { EntryCard } from '@hospital/ui/entry-card';
import { titled } from '@hospital/ui/head';
import layout from '@hospital/ui/layout.module.css';
import { PageHero } from '@hospital/ui/page-hero';
import { bookingOf, type Departments } from '../parts/booking.ts';
import { Pictogram } from '../parts/pictogram.tsx';
import { statusOf } from '@hospital/ui/read';
import { structured } from '@hospital/ui/structured';
import { Tags } from '@hospital/ui/tags';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { Unavailable } from '@hospital/ui/unavailable';
import styles from './specialties.module.css';
import { sharedBanner } from '../parts/share.ts';

type SpecialtiesProps = PageProps<{
  specialties: ListSpecialtiesResponse;
  departments: ListDepartmentsResponse;
  site: Site;
}>;

const TITLE = 'Our Specialties';
const LEAD =
  '18+ specialties work together here. If you’re not sure which one you need, start with General Medicine. The doctor there will find the right colleague.';

export default function SpecialtiesPage({ data: { specialties, departments } }: SpecialtiesProps) {
  if (!specialties.ok) return <Unavailable title={TITLE} what="The list of specialties" path="/specialties" />;
  const list = specialties.body.specialties;
  return (
    <>
      <PageHero title={TITLE} lead={LEAD} />
      <div className={layout.page}>
        {list.length === 0 ? (
          <NothingYet>No specialties to show at the moment.</NothingYet>
        ) : (
          <ul className={layout.cards}>
            {list.map((specialty, index) => (
              <SpecialtyCard key={`${specialty.slug}-${index}`} specialty={specialty} departments={departments} />
            ))}
          </ul>
        )}
        <CallToAction
          title="Book an Appointment"
          text="Choose a department, a day and a free time. You get your reference straight away."
        >
          <LinkButton href="/appointment">Book Appointment</LinkButton>
          <LinkButton tone="secondary" href="/doctors">
            Find a Doctor
          </LinkButton>
        </CallToAction>
      </div>
    </>
  );
}

function SpecialtyCard({ specialty, departments }: { specialty: Specialty; departments: Departments }) {
  const { name, slug, description, icon, doctors, services, color } = specialty;
  const booking = bookingOf(departments, specialty);
  // Without listed doctors, the clinics see the patients.
  const people = doctors.length > 0 ? doctors : booking.clinics.map((clinic) => clinic.name);
  return (
    <EntryCard
      name={name}
      description={description}
      href={`/specialty/${slug}`}
      icon={<Pictogram name={icon} tone={color} />}
      action={
        <LinkButton
          tone="quiet"
          href={`/doctors?specialty=${encodeURIComponent(name)}`}
          aria-label={`View Doctors for ${name}`}
        >
          View Doctors
        </LinkButton>
      }
    >
      {people.length > 0 && <Tags label={`Who sees you in ${name}`} tags={people} people />}
      {booking.kind === 'none' && <p className={styles.none}>Not bookable online. Please ask us.</p>}
      {services.length > 0 && <Tags label={`Services of ${name}`} tags={services} />}
    </EntryCard>
  );
}

export function head({ data: { site } }: SpecialtiesProps): Head {
  return {
    title: titled(TITLE, site),
    description:
      'Cardiology, neurology, orthopaedics, paediatrics, obstetrics and gynaecology and more: our specialties in Jayanagar, with their doctors and services.',
    keywords:
      'medical specialties Bangalore, cardiology, neurology, orthopedics, pediatrics, specialist hospital Jayanagar',
    canonicalPath: '/specialties',
    image: sharedBanner('ward'),
    jsonLd: structured(site, trailTo(['Specialties', '/specialties'])),
  };
}

export function status({ data: { specialties } }: SpecialtiesProps): number {
  return statusOf(specialties);
}
