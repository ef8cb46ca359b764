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
import styles from './services.module.css';

type ServicesProps = PageProps<{ services: ListServicesResponse; site: Site }>;

const TITLE = 'Our Services';
const LEAD =
  'Everything you may need for a visit, an operation or a birth is in one building, from the laboratory to the ward.';
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
    { icon: 'bed', name: 'All under one roof', text: 'Tests, theatre, intensive care and wards in the same building.' },
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

export function head({ data: { site } }: ServicesProps): Head {
  return {
    title: titled(TITLE, site),
    description:
      'ICU, 24/7 emergency, laboratory, digital X-ray, operating theatres, ambulance, ultrasound, labour room and wards: our services in Jayanagar.',
    keywords: 'hospital services Jayanagar, ICU Bangalore, emergency hospital, laboratory, digital X-ray, ambulance',
    canonicalPath: '/services',
    image: sharedBanner('laboratory'),
    jsonLd: structured(site, trailTo(['Services', '/services'])),
  };
}

export function status({ data: { services } }: ServicesProps): number {
  return statusOf(services);
}
