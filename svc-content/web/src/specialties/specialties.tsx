/** `/specialties`: the cards, in the order of the content. No script. */
import type { Head, PageProps } from '@hospital/page';
import { LinkButton } from '@hospital/ui/button';
import type { ListSpecialtiesResponse, Specialty } from '@hospital/api/list-specialties';
import type { Site } from '@hospital/api/get-site';
import { trailTo } from '@hospital/ui/breadcrumb';
import { CallToAction } from '@hospital/ui/call-to-action';
import { EntryCard } from '@hospital/ui/entry-card';
import { titled } from '@hospital/ui/head';
import layout from '@hospital/ui/layout.module.css';
import { PageHero } from '@hospital/ui/page-hero';
import { Pictogram } from '../parts/pictogram.tsx';
import { statusOf } from '@hospital/ui/read';
import { structured } from '@hospital/ui/structured';
import { Tags } from '@hospital/ui/tags';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { Unavailable } from '@hospital/ui/unavailable';

type SpecialtiesProps = PageProps<{ specialties: ListSpecialtiesResponse; site: Site }>;

const TITLE = 'Our Specialties';
const LEAD =
  '18+ specialties work together here. If you do not know which one you need, begin with General Medicine: the doctor there finds the right colleague.';

export default function SpecialtiesPage({ data: { specialties } }: SpecialtiesProps) {
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
              <SpecialtyCard key={`${specialty.slug}-${index}`} specialty={specialty} />
            ))}
          </ul>
        )}
        <CallToAction
          title="Book an Appointment"
          text="Choose a department, a day and a free time. You get your reference at once."
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

function SpecialtyCard({
  specialty: { name, slug, description, icon, doctors, services, color },
}: {
  specialty: Specialty;
}) {
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
      {doctors.length > 0 && <Tags label={`Doctors for ${name}`} tags={doctors} people />}
      {services.length > 0 && <Tags label={`Services of ${name}`} tags={services} />}
    </EntryCard>
  );
}

export function head({ data: { site } }: SpecialtiesProps): Head {
  return {
    title: titled(TITLE, site),
    description:
      'Cardiology, neurology, orthopaedics, paediatrics, obstetrics and gynaecology and more: the specialties of the hospital in Jayanagar, with their doctors and services.',
    keywords:
      'medical specialties Bangalore, cardiology, neurology, orthopedics, pediatrics, specialist hospital Jayanagar',
    canonicalPath: '/specialties',
    jsonLd: structured(site, trailTo(['Specialties', '/specialties'])),
  };
}

export function status({ data: { specialties } }: SpecialtiesProps): number {
  return statusOf(specialties);
}
