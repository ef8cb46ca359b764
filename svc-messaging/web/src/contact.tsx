/** `/contact`: the enquiry form, the confirmation that replaces it, and the other ways to contact the hospital. */
import type { Head } from '@hospital/page';
import { nativeAction, nativeStatus } from '@hospital/form/native';
import { nativeTitle } from '@hospital/form/title';
import { useForm } from '@hospital/form/use-form';
import { Filled, Text } from '@hospital/page/text';
import { AsideCard } from '@hospital/ui/aside-card';
import { trailTo } from '@hospital/ui/breadcrumb';
import { LinkButton } from '@hospital/ui/button';
import { Card } from '@hospital/ui/card';
import { titled } from '@hospital/ui/head';
import layout from '@hospital/ui/layout.module.css';
import { PageHero } from '@hospital/ui/page-hero';
import { emergencyPhone, phoneFor, siteOf, type Site } from '@hospital/ui/site';
import { structured } from '@hospital/ui/structured';
import { TelephoneButton } from '@hospital/ui/telephone-button';
import { t, template } from './messages.ts';
import { ContactForm } from './contact/contact-form.tsx';
import { contactForm } from './contact/form.ts';
import { HospitalCard } from './contact/hospital-card.tsx';
import { type ContactProps, openingOf } from './contact/opening.ts';
import { Sent } from './contact/sent.tsx';
import styles from './contact/contact.module.css';

const PATH = '/contact';
/** Structured data is in English. */
const TRAIL = /* @__PURE__ */ trailTo(['Contact', PATH]);

export const action = /* @__PURE__ */ nativeAction(contactForm);
export const status = /* @__PURE__ */ nativeStatus(contactForm);

export default function Contact(props: ContactProps) {
  // Posted values take precedence over those in the URL.
  const form = useForm(contactForm, props, () => (props.action ? {} : openingOf(props)));
  const { outcome, served } = form;
  const site = siteOf(props.data.site);
  return (
    <>
      {outcome.kind !== 'success' && <Hero site={site} />}
      <div className={layout.page}>
        <div className={styles.columns}>
          <div className={styles.main}>
            {outcome.kind === 'success' ? (
              <Sent message={outcome.answer} earlier={outcome.earlier} site={site} focus={!served} />
            ) : (
              <ContactForm form={form} now={props.now} site={site} />
            )}
          </div>
          <div className={styles.aside}>
            <Emergency site={site} />
            <AsideCard title={t('For an appointment')}>
              <p>{t('You don’t need to write to us. Choose a free time and get your confirmation straight away.')}</p>
              <LinkButton tone="secondary" wide href="/appointment">
                {t('Book Appointment')}
              </LinkButton>
            </AsideCard>
          </div>
        </div>
        <HospitalCard site={site} now={props.now} />
      </div>
    </>
  );
}

/** Hero of the form. The confirmation that replaces the form has its own heading. */
function Hero({ site }: { site: Site }) {
  const reception = phoneFor(site, 'reception', 'appointments');
  return (
    <PageHero
      title={t('Get in Touch')}
      trail={trailTo([t('Contact'), PATH])}
      lead={t('Ask us anything, tell us what went well or badly, or visit us. We read every message.')}
    >
      {reception && (
        <div className={layout.actions}>
          <LinkButton tone="secondary" href={`tel:${reception.e164}`}>
            {/* A single text run, so that the line breaks before the number and not inside it. */}
            <span>
              <Filled
                text={template('Call {place} {phone}')}
                with={{
                  place: <Text>{reception.label.toLowerCase()}</Text>,
                  phone: <span className={styles.number}>{reception.display}</span>,
                }}
              />
            </span>
          </LinkButton>
        </div>
      )}
    </PageHero>
  );
}

function Emergency({ site }: { site: Site }) {
  const ambulance = phoneFor(site, 'ambulance');
  return (
    <Card as="section" tone="emergency" aria-labelledby="emergency">
      <h2 className={styles.title} id="emergency">
        {t('In an emergency, call')}
      </h2>
      <p>
        {t(
          'Chest pain, trouble breathing, heavy bleeding or signs of a stroke: don’t write. We answer the phone day and night.',
        )}
      </p>
      <TelephoneButton phone={emergencyPhone(site)} />
      {ambulance && (
        <p className={styles.ambulance}>
          <Text>{ambulance.label}</Text>:{' '}
          <a className={styles.number} href={`tel:${ambulance.e164}`}>
            {ambulance.display}
          </a>
        </p>
      )}
    </Card>
  );
}

export function head(props: ContactProps): Head {
  const { site } = props.data;
  return {
    title: nativeTitle(contactForm, titled(t('Contact'), site), props),
    description: t(
      'Write to the hospital, call reception or the emergency number, see when we’re open and find your way to us.',
    ),
    keywords: t('contact hospital, hospital phone number, directions, opening hours'),
    canonicalPath: PATH,
    jsonLd: structured(site, TRAIL),
  };
}
