/** `/services`: the list of services. No script. */
import type { Head, PageProps } from '@hospital/page';
import { LinkButton } from '@hospital/ui/button';
import type { ListServicesResponse, Service } from '@hospital/api/types';
import { trailTo } from '@hospital/ui/breadcrumb';
import { CallToAction } from '@hospital/ui/call-to-action';
import { EmergencyCard } from '@hospital/ui/emergency-card';
import { titled } from '@hospital/ui/head';
import layout from '@hospital/ui/layout.module.css';
import { statusOf } from '@hospital/ui/read';
import { Reasons, type Reason } from '../parts/reasons.tsx';
import { siteOf, type Site } from '@hospital/ui/site';
import { structured } from '@hospital/ui/structured';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { Unavailable } from '@hospital/ui/unavailable';
import { VisuallyHidden } from '@hospital/ui/visually-hidden';
import { Badges } from '../parts/badges.tsx';
import { Pictogram } from '../parts/pictogram.tsx';
import { ServiceFacts } from '../parts/service-facts.tsx';
import { sharedBanner } from '../parts/share.ts';
import { shortened } from '../parts/text.ts';
import styles from './services.module.css';

type ServicesProps = PageProps<{ services: ListServicesResponse; site: Site }>;

const TITLE = 'Our Services';
const LEAD = 'Everything you may need for a visit or an operation is in one building, from the first test to the ward.';
const EMERGENCIES = [
  'Chest pain or pressure',
  'Trouble breathing',
  'Sudden weakness in the face or an arm, or sudden trouble speaking',
  'Heavy bleeding or a bad injury',
  'A seizure, or someone who can’t be woken',
  'Bleeding or strong pain in pregnancy',
];

export default function ServicesPage({ data: { services, site: answer } }: ServicesProps) {
  const site = siteOf(answer);
  if (!services.ok) return <Unavailable title={TITLE} what="The list of services" path="/services" />;
  const list = services.body.services;
  return (
    <>
      <header className={styles.hero}>
        <div>
          <h1>{TITLE}</h1>
          <p className={styles.lead}>{LEAD}</p>
        </div>
        <EmergencyCard
          site={site}
          signs={EMERGENCIES}
          text="Our doctors are here day and night. Don’t wait and don’t book. Call us or come straight in with:"
        />
      </header>
      <div className={layout.page}>
        {list.length === 0 ? (
          <NothingYet>No services to show at the moment.</NothingYet>
        ) : (
          <ul className={styles.board}>
            {list.map((service) => (
              <BoardLine key={service.id} service={service} site={site} />
            ))}
          </ul>
        )}
        <Reasons title={`Why Choose ${site.name}`} reasons={reasons(site)} />
        <CallToAction
          title="Book Your Service"
          text="Choose a department, a day and a free time. Or ask us which service you need."
          site={site}
        >
          <LinkButton href="/appointment">Book Appointment</LinkButton>
          <LinkButton tone="secondary" href="/contact">
            Contact Us
          </LinkButton>
        </CallToAction>
      </div>
    </>
  );
}

function BoardLine({ service, site }: { service: Service; site: Site }) {
  const { slug, name, description, icon, features } = service;
  return (
    <li className={styles.service} data-card="">
      <div className={styles.icon}>
        <Pictogram name={icon} />
      </div>
      <div className={styles.words}>
        <h2 className={styles.name}>{name}</h2>
        <p className={styles.description}>{description}</p>
        <Badges label={`Features of ${name}`} badges={features} />
      </div>
      <div className={styles.facts}>
        <ServiceFacts service={service} site={site} />
        <LinkButton className={styles.learn} tone="quiet" href={`/service/${slug}`}>
          Learn More<VisuallyHidden> about {name}</VisuallyHidden>
        </LinkButton>
      </div>
    </li>
  );
}

function reasons(site: Site): Reason[] {
  return [
    {
      icon: 'stethoscope',
      name: 'Someone is always here',
      text: 'Doctors and nurses at every hour, every day of the year.',
    },
    { icon: 'bed', name: 'All under one roof', text: 'Tests, theatre and wards in the same building.' },
    {
      icon: 'heart',
      name: 'Help with insurance',
      text: 'Cashless insurance, and a desk that does the paperwork with you.',
    },
    {
      icon: 'microscope',
      name: 'Independently checked',
      text: `${site.accreditations.join(', ')}.`,
    },
  ];
}

export function head({ data: { services, site } }: ServicesProps): Head {
  const { locality, city } = siteOf(site).address;
  const names = services.ok ? services.body.services.map(({ name }) => name) : [];
  return {
    title: titled(TITLE, site),
    description: shortened(
      `Our services in ${locality}: ${names.join(', ')}. Hours, place and phone number of each.`,
      160,
    ),
    keywords: [`hospital services ${locality}`, `hospital ${city}`, ...names].join(', '),
    canonicalPath: '/services',
    image: sharedBanner('laboratory'),
    jsonLd: structured(site, trailTo(['Services', '/services'])),
  };
}

export function status({ data: { services } }: ServicesProps): number {
  return statusOf(services);
}
