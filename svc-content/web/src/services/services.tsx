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
import { PartlyHidden } from '@hospital/ui/visually-hidden';
import { Badges } from '../parts/badges.tsx';
import { Pictogram } from '../parts/pictogram.tsx';
import { ServiceFacts } from '../parts/service-facts.tsx';
import { sharedBanner } from '../parts/share.ts';
import { shortened } from '../parts/text.ts';
import styles from './services.module.css';
import { Text } from '@hospital/page/text';
import { t } from '../messages.ts';

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
] as const;

export default function ServicesPage({ data: { services, site: answer } }: ServicesProps) {
  const site = siteOf(answer);
  if (!services.ok) return <Unavailable title={t(TITLE)} what={t('The list of services')} path="/services" />;
  const list = services.body.services;
  return (
    <>
      <header className={styles.hero}>
        <div>
          <h1>{t(TITLE)}</h1>
          <p className={styles.lead}>{t(LEAD)}</p>
        </div>
        <EmergencyCard
          site={site}
          signs={EMERGENCIES.map((sign) => t(sign))}
          text={t('Our doctors are here day and night. Don’t wait and don’t book. Call us or come straight in with:')}
        />
      </header>
      <div className={layout.page}>
        {list.length === 0 ? (
          <NothingYet>{t('No services to show at the moment.')}</NothingYet>
        ) : (
          <ul className={styles.board}>
            {list.map((service) => (
              <BoardLine key={service.id} service={service} site={site} />
            ))}
          </ul>
        )}
        <Reasons title={t('Why Choose {hospital}', { hospital: site.name })} reasons={reasons(site)} />
        <CallToAction
          title={t('Book Your Service')}
          text={t('Choose a department, a day and a free time. Or ask us which service you need.')}
          site={site}
        >
          <LinkButton href="/appointment">{t('Book Appointment')}</LinkButton>
          <LinkButton tone="secondary" href="/contact">
            {t('Contact Us')}
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
        <h2 className={styles.name}>
          <Text>{name}</Text>
        </h2>
        <p className={styles.description}>
          <Text>{description}</Text>
        </p>
        <Badges label={t('Features of {name}', { name })} badges={features} />
      </div>
      <div className={styles.facts}>
        <ServiceFacts service={service} site={site} />
        <LinkButton className={styles.learn} tone="quiet" href={`/service/${slug}`}>
          <PartlyHidden text={t('Learn More[ about {name}]', { name })} />
        </LinkButton>
      </div>
    </li>
  );
}

function reasons(site: Site): Reason[] {
  return [
    {
      icon: 'stethoscope',
      name: t('Someone is always here'),
      text: t('Doctors and nurses at every hour, every day of the year.'),
    },
    { icon: 'bed', name: t('All under one roof'), text: t('Tests, theatre and wards in the same building.') },
    {
      icon: 'heart',
      name: t('Help with insurance'),
      text: t('Cashless insurance, and a desk that does the paperwork with you.'),
    },
    {
      icon: 'microscope',
      name: t('Independently checked'),
      text: `${site.accreditations.join(', ')}.`,
    },
  ];
}

export function head({ data: { services, site } }: ServicesProps): Head {
  const { locality, city } = siteOf(site).address;
  const names = services.ok ? services.body.services.map(({ name }) => name) : [];
  return {
    title: titled(t(TITLE), site),
    description: shortened(
      t('Our services in {place}: {names}. Hours, place and phone number of each.', {
        place: locality,
        names: names.join(', '),
      }),
      160,
    ),
    keywords: [`hospital services ${locality}`, `hospital ${city}`, ...names].join(', '),
    canonicalPath: '/services',
    image: sharedBanner('laboratory'),
    jsonLd: structured(site, trailTo([t('Services'), '/services'])),
  };
}

export function status({ data: { services } }: ServicesProps): number {
  return statusOf(services);
}
