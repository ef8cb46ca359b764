/** `/deluxe-surgeries`: the ten surgeries. No script. */
import type { Head, PageProps } from '@hospital/page';
import { LinkButton } from '@hospital/ui/button';
import type { ListSurgeriesResponse, Surgery } from '@hospital/api/types';
import { trailTo } from '@hospital/ui/breadcrumb';
import { CallToAction } from '@hospital/ui/call-to-action';
import { EntryCard } from '@hospital/ui/entry-card';
import { titled } from '@hospital/ui/head';
import layout from '@hospital/ui/layout.module.css';
import { PageHero } from '@hospital/ui/page-hero';
import { statusOf } from '@hospital/ui/read';
import { isBuiltInHospital } from '../parts/built-in-hospital.ts';
import { Reasons } from '../parts/reasons.tsx';
import { structured } from '@hospital/ui/structured';
import { siteOf, type Site } from '@hospital/ui/site';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { Unavailable } from '@hospital/ui/unavailable';
import { drawingOf } from '../parts/drawings.ts';
import { EntryPicture } from '../parts/picture.tsx';
import { rupees } from '../surgery/price.ts';
import styles from './surgeries.module.css';
import { sharedBanner } from '../parts/share.ts';
import { shortened } from '../parts/text.ts';
import { Text } from '@hospital/page/text';
import { t } from '../messages.ts';

type SurgeriesProps = PageProps<{ surgeries: ListSurgeriesResponse; site: Site }>;

const TITLE = 'Deluxe Surgeries';
const LEAD =
  'Ten planned operations, each with a surgeon who explains it, a private room if you want one, and a plan for the weeks after it.';

/** Of the built-in hospital. */
const FACILITIES = [
  {
    icon: 'operating-theatre',
    name: 'Modular theatres',
    text: 'Filtered air, seamless walls and a safety checklist before every operation.',
  },
  { icon: 'bed', name: 'Rooms for two', text: 'Private rooms with a bed for the person who stays with you.' },
  {
    icon: 'movement',
    name: 'Recovery from day one',
    text: 'A physiotherapist who meets you before the operation and walks with you after it.',
  },
  {
    icon: 'heart-monitor',
    name: 'Intensive care next door',
    text: 'Doctors and monitors close by for the first night, if you need them.',
  },
] as const;

function facilities() {
  return FACILITIES.map(({ icon, name, text }) => ({ icon, name: t(name), text: t(text) }));
}

export default function SurgeriesPage({ data: { surgeries, site: answer } }: SurgeriesProps) {
  const site = siteOf(answer);
  if (!surgeries.ok) return <Unavailable title={t(TITLE)} what={t('The list of surgeries')} path="/deluxe-surgeries" />;
  const list = surgeries.body.surgeries;
  return (
    <>
      <PageHero title={t(TITLE)} lead={t(LEAD)} />
      <div className={layout.page}>
        <div className={layout.cards}>
          {list.length === 0 ? (
            <NothingYet>{t('No surgeries to show at the moment.')}</NothingYet>
          ) : (
            <ul className={layout.within}>
              {list.map((surgery, index) => (
                <EntryCard
                  key={surgery.id}
                  name={surgery.name}
                  description={surgery.description}
                  href={`/deluxe-surgeries/${surgery.slug}`}
                  picture={
                    <div className={styles.picture}>
                      <EntryPicture of={surgery} drawing={drawingOf('surgeries', surgery.slug)} first={index === 0} />
                    </div>
                  }
                >
                  <Facts surgery={surgery} />
                </EntryCard>
              ))}
            </ul>
          )}
          <CallToAction
            title={t('Talk it over first')}
            site={site}
            text={t(
              'A consultation doesn’t commit you to anything. The surgeon looks at your reports and explains what an operation can and can’t do, and what it costs.',
            )}
          >
            <LinkButton href="/appointment">{t('Book a Consultation')}</LinkButton>
            <LinkButton tone="secondary" href="/contact">
              {t('Contact Us')}
            </LinkButton>
          </CallToAction>
        </div>
        {isBuiltInHospital(answer) && <Reasons title={t('What makes the stay easier')} reasons={facilities()} />}
      </div>
    </>
  );
}

/** Services of earlier releases send neither price nor stay. */
function Facts({ surgery: { price, stay, duration, recovery } }: { surgery: Surgery }) {
  const facts = [
    [t('From'), price && rupees(price.fromRupees)],
    [t('Stay'), stay],
    [t('Operation'), duration],
    [t('Recovery'), recovery],
  ].filter(([, value]) => value);
  return (
    <dl className={styles.facts}>
      {facts.map(([term, value]) => (
        <div className={styles.fact} key={term}>
          <dt>{term}</dt>
          <dd>{value && <Text>{value}</Text>}</dd>
        </div>
      ))}
    </dl>
  );
}

export function head({ data: { surgeries, site } }: SurgeriesProps): Head {
  const { locality, city } = siteOf(site).address;
  const names = surgeries.ok ? surgeries.body.surgeries.map(({ name }) => name) : [];
  return {
    title: titled(t(TITLE), site),
    description: shortened(
      t('What happens, how long it takes and when you are well again: {names}', { names: names.join(', ') }),
      160,
    ),
    keywords: [`surgery ${locality}`, `surgery ${city}`, ...names].join(', '),
    canonicalPath: '/deluxe-surgeries',
    image: sharedBanner('theatre'),
    jsonLd: structured(site, trailTo([t('Deluxe Surgeries'), '/deluxe-surgeries'])),
  };
}

export function status({ data: { surgeries } }: SurgeriesProps): number {
  return statusOf(surgeries);
}
