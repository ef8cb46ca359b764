/** `/service/{slug}`: description, benefits and equipment of a service. No script. */
import type { Head, PageProps } from '@hospital/page';
import { LinkButton } from '@hospital/ui/button';
import type { Service } from '@hospital/api/types';
import { TelephoneButton } from '@hospital/ui/telephone-button';
import { AsideCard } from '@hospital/ui/aside-card';
import { Breadcrumb, trailTo } from '@hospital/ui/breadcrumb';
import { CallToAction } from '@hospital/ui/call-to-action';
import { absentHead, titled } from '@hospital/ui/head';
import layout from '@hospital/ui/layout.module.css';
import { CheckList } from '@hospital/ui/lists';
import { isMissing, statusOf } from '@hospital/ui/read';
import { emergencyPhone, phoneFor, siteOf, type Site } from '@hospital/ui/site';
import { hospital, structured } from '@hospital/ui/structured';
import { Tags } from '@hospital/ui/tags';
import { PageNotFound } from '@hospital/ui/missing';
import { Unavailable } from '@hospital/ui/unavailable';
import { drawingOf } from '../parts/drawings.ts';
import { sharedForm } from '../parts/photograph.tsx';
import { HeroPicture } from '../parts/picture.tsx';
import band from '../parts/band.module.css';
import { ServiceFacts } from '../parts/service-facts.tsx';
import { sharedPicture } from '../parts/share.ts';
import styles from './service.module.css';
import { Text } from '@hospital/page/text';
import { InEnglish } from '../parts/in-english.tsx';
import { t } from '../messages.ts';

type ServiceProps = PageProps<{ service: Service; site: Site }>;

/** Services that are called by telephone instead of booked, by slug. */
const CALLED = {
  'emergency-services': {
    purpose: 'emergency',
    title: 'Don’t book in an emergency',
    text: 'Come straight in or call us. We answer day and night.',
  },
  'ambulance-services': {
    purpose: 'ambulance',
    title: 'Call for an ambulance',
    text: 'Say where you are and what has happened, and stay on the line. The crew will tell the hospital about you on the way.',
  },
} as const;

function calledOf(slug: string | undefined) {
  return slug && Object.hasOwn(CALLED, slug) ? CALLED[slug as keyof typeof CALLED] : undefined;
}

export default function ServicePage({ path, params, data: { service, site: answer } }: ServiceProps) {
  const site = siteOf(answer);
  if (isMissing(service)) return <PageNotFound what={t('service')} list="/services" />;
  if (!service.ok) {
    return (
      <Unavailable title={t('Service')} what={t('This service')} path={path}>
        {calledOf(params.slug) && <Call slug={params.slug ?? ''} site={site} />}
      </Unavailable>
    );
  }
  const { name, slug, description, features, longDescription, benefits, equipment } = service.body;
  const drawing = drawingOf('services', slug);
  return (
    <>
      <header className={styles.top}>
        <div className={styles.words}>
          <Breadcrumb trail={trail(service.body)} />
          <h1 className={styles.title}>
            <Text>{name}</Text>
          </h1>
          <p className={styles.lead}>
            <Text>{description}</Text>
          </p>
          <div className={layout.actions}>
            <Call slug={slug} site={site} />
            <LinkButton tone="secondary" href="/services">
              {t('All Services')}
            </LinkButton>
          </div>
        </div>
        <div className={styles.picture}>
          <HeroPicture of={service.body} drawing={drawing} />
        </div>
      </header>
      <div className={band.band}>
        <div className={band.inner}>
          <ServiceFacts service={service.body} site={site} />
        </div>
      </div>
      <div className={layout.page}>
        <div className={layout.columns}>
          <div className={layout.sections}>
            {longDescription.length > 0 && (
              <section aria-labelledby="about">
                <h2 id="about">{t('About this service')}</h2>
                <InEnglish text={longDescription[0]} />
                {longDescription.map((paragraph) => (
                  <p key={paragraph}>
                    <Text>{paragraph}</Text>
                  </p>
                ))}
              </section>
            )}
            {benefits.length > 0 && (
              <section aria-labelledby="benefits">
                <h2 id="benefits">{t('Benefits')}</h2>
                <CheckList items={benefits} />
              </section>
            )}
          </div>
          <div className={layout.aside}>
            <AsideCard title={t('At a glance')}>
              <Tags label={t('Features')} tags={features} />
            </AsideCard>
            {equipment.length > 0 && (
              <AsideCard title={t('Equipment')}>
                <CheckList items={equipment} />
              </AsideCard>
            )}
          </div>
        </div>
        <Next service={service.body} site={site} />
      </div>
    </>
  );
}

/** Always shows a phone number for services that must be called, even without data, and never a booking link. */
function Call({ slug, site }: { slug: string; site: Site }) {
  const called = calledOf(slug);
  return called ? (
    <TelephoneButton phone={phoneFor(site, called.purpose) ?? emergencyPhone(site)} />
  ) : (
    <LinkButton href="/appointment">{t('Book Appointment')}</LinkButton>
  );
}

function Next({ service: { slug, name }, site }: { service: Service; site: Site }) {
  const called = calledOf(slug);
  return (
    <CallToAction
      title={t(called?.title ?? 'Book Your Service')}
      text={
        called
          ? t(called.text)
          : t('Would you like to use {name}, or do you have a question first? Book a visit, or ask us.', { name })
      }
      // In an emergency, show one number instead of four contact options.
      {...(!called && { site })}
    >
      <Call slug={slug} site={site} />
      <LinkButton tone="secondary" href="/contact">
        {t('Contact Us')}
      </LinkButton>
    </CallToAction>
  );
}

function trail({ name, slug }: Service) {
  return trailTo([t('Services'), '/services'], [name, `/service/${slug}`]);
}

export function head({ path, data: { service, site } }: ServiceProps): Head {
  if (!service.ok) return absentHead(service, site, path, { missing: t('Page Not Found'), kind: t('Service') });
  const { name, slug, description, features } = service.body;
  const { locality, city } = siteOf(site).address;
  return {
    title: titled(name, site),
    description,
    keywords: [name, `${name} ${locality}`, `${name} ${city}`, ...features].join(', '),
    canonicalPath: `/service/${slug}`,
    image: sharedForm(service.body) ?? sharedPicture({ image: `services/${slug}` }),
    jsonLd: structured(site, trail(service.body), (origin) => [
      {
        '@type': 'Service',
        '@id': `${origin}/service/${slug}#service`,
        name,
        description,
        serviceType: name,
        url: `${origin}/service/${slug}`,
        provider: hospital(origin),
        areaServed: city,
      },
    ]),
  };
}

export function status({ data: { service } }: ServiceProps): number {
  return statusOf(service);
}

/** Redirects the slug derived from the name (`icu`) to the canonical one. */
export function location({ params, data: { service } }: ServiceProps): string | null {
  return service.ok && service.body.slug !== params.slug ? `/service/${service.body.slug}` : null;
}
