/** `/deluxe-surgeries/{slug}`: a surgery, by slug or number. No script: the questions are native `<details>`. */
import type { Head, PageProps } from '@hospital/page';
import { LinkButton } from '@hospital/ui/button';
import type {
  ListDepartmentsResponse,
  ListDoctorsResponse,
  ListNextAvailableResponse,
  Surgery,
} from '@hospital/api/types';
import { AsideCard } from '@hospital/ui/aside-card';
import { trailTo } from '@hospital/ui/breadcrumb';
import { CallToAction } from '@hospital/ui/call-to-action';
import { absentHead, titled } from '@hospital/ui/head';
import layout from '@hospital/ui/layout.module.css';
import { CheckList, Steps } from '@hospital/ui/lists';
import { isMissing, statusOf } from '@hospital/ui/read';
import { emergencyPhone, phoneFor, siteOf, type Site } from '@hospital/ui/site';
import { faqPage, structured } from '@hospital/ui/structured';
import { Missing } from '@hospital/ui/missing';
import { Unavailable } from '@hospital/ui/unavailable';
import { bookDoctor, placeOf } from '../parts/booking.ts';
import { nextFreeOf } from '../parts/next-free.tsx';
import { Questions } from '../parts/questions.tsx';
import { sharedForm } from '../parts/photograph.tsx';
import { sharedPicture } from '../parts/share.ts';
import { Cost } from './cost.tsx';
import { SurgeryHero } from './hero.tsx';
import { Recovery } from './recovery.tsx';
import { Surgeon } from './surgeon.tsx';
import styles from './surgery.module.css';
import { Filled, Text } from '@hospital/page/text';
import { InEnglish } from '../parts/in-english.tsx';
import { t, template } from '../messages.ts';

/** `doctors`, `next` and `departments` are the same API responses as in the directory, and optional. */
type SurgeryProps = PageProps<{
  surgery: Surgery;
  doctors: ListDoctorsResponse;
  next: ListNextAvailableResponse;
  departments: ListDepartmentsResponse;
  site: Site;
}>;

export default function SurgeryPage(props: SurgeryProps) {
  const { surgery } = props.data;
  if (isMissing(surgery)) {
    return (
      <Missing
        title={t('Surgery Not Found')}
        text={t('There is no surgery at this address. You can find all surgeries in the list.')}
        list="/deluxe-surgeries"
      />
    );
  }
  if (!surgery.ok) return <Unavailable title={t('Surgery')} what={t('This surgery')} path={props.path} />;
  return <Procedure surgery={surgery.body} page={props} />;
}

/** Services of earlier releases send no doctor, cost or recovery steps. */
function Procedure({ surgery, page: { data, now } }: { surgery: Surgery; page: SurgeryProps }) {
  const { name, about, indications, benefits, procedure, faqs, doctorId, cost, recovery, recoverySteps = [] } = surgery;
  const site = siteOf(data.site);
  const book = doctorId ? bookDoctor(data.departments, doctorId) : '/appointment';
  const doctor = data.doctors?.ok ? data.doctors.body.doctors.find(({ id }) => id === doctorId) : undefined;
  return (
    <>
      <SurgeryHero surgery={surgery} trail={trail(surgery)} book={book} />
      {(cost || doctor) && (
        <div className={`${layout.page} ${styles.first}`}>
          {cost && <Cost cost={cost} />}
          {doctor && (
            <Surgeon
              doctor={doctor}
              attendant={placeOf(data.departments, doctorId)?.attendant}
              next={nextFreeOf(data.next, now)(doctorId)}
              book={book}
            />
          )}
        </div>
      )}
      {recoverySteps.length > 0 && <Recovery steps={recoverySteps} recovery={recovery} />}
      <div className={`${layout.page} ${styles.more}`}>
        <div className={layout.columns}>
          <div className={layout.sections}>
            <section aria-labelledby="about">
              <h2 id="about">{t('About {name}', { name })}</h2>
              <InEnglish text={about[0]} />
              {about.map((paragraph) => (
                <p key={paragraph}>
                  <Text>{paragraph}</Text>
                </p>
              ))}
            </section>
            <section aria-labelledby="indications">
              <h2 id="indications">{t('When it is advised')}</h2>
              <CheckList items={indications} />
            </section>
            <section aria-labelledby="benefits">
              <h2 id="benefits">{t('Key benefits')}</h2>
              <CheckList items={benefits} />
            </section>
            <section aria-labelledby="procedure">
              <h2 id="procedure">{t('What happens')}</h2>
              <Steps items={procedure} />
            </section>
            <Questions faqs={faqs} />
          </div>
          <div className={layout.aside}>
            <Aside book={book} site={site} />
          </div>
        </div>
        <CallToAction
          title={t('Ask about {name}', { name })}
          site={site}
          text={t(
            'Bring your reports. The surgeon will tell you if you need the operation at all, what it can do for you, and what it costs.',
          )}
        >
          <LinkButton href={book}>{t('Book a Consultation')}</LinkButton>
          <LinkButton tone="secondary" href="/contact">
            {t('Contact Us')}
          </LinkButton>
        </CallToAction>
      </div>
    </>
  );
}

function Aside({ book, site }: { book: string; site: Site }) {
  const appointments = phoneFor(site, 'appointments', 'reception');
  const emergency = emergencyPhone(site);
  return (
    <>
      <AsideCard title={t('Plan your operation')}>
        <p>{t('Start with a consultation. Ask there for the written estimate and for the insurance desk.')}</p>
        <p>
          <Filled
            text={template('Far away? You can {link} first.')}
            with={{ link: <a href="/virtual-consultation">{t('see a doctor by video##within a sentence')}</a> }}
          />
        </p>
        <div className={styles.book}>
          <LinkButton wide href={book}>
            {t('Book Appointment')}
          </LinkButton>
          {appointments && (
            <LinkButton wide tone="secondary" href={`tel:${appointments.e164}`}>
              {t('Call {number}', { number: appointments.display })}
            </LinkButton>
          )}
        </div>
      </AsideCard>
      <p className={styles.emergency}>
        <Filled
          text={template(
            'Strong pain, fever, vomiting or bleeding after an operation? Don’t wait for an appointment. Call {number}.',
          )}
          with={{ number: <a href={`tel:${emergency.e164}`}>{emergency.display}</a> }}
        />
      </p>
    </>
  );
}

function trail({ name, slug }: Surgery) {
  return trailTo([t('Deluxe Surgeries'), '/deluxe-surgeries'], [name, `/deluxe-surgeries/${slug}`]);
}

export function head({ path, data: { surgery, site } }: SurgeryProps): Head {
  if (!surgery.ok) return absentHead(surgery, site, path, { missing: t('Surgery Not Found'), kind: t('Surgery') });
  const { name, slug, description, procedure, recovery, faqs } = surgery.body;
  const canonicalPath = `/deluxe-surgeries/${slug}`;
  const { locality, city } = siteOf(site).address;
  return {
    title: titled(name, site),
    description,
    keywords: [name, `${name} ${locality}`, `${name} ${city}`, `${name} recovery`, `${name} cost`].join(', '),
    canonicalPath,
    image: sharedForm(surgery.body) ?? sharedPicture({ image: `surgeries/${slug}` }),
    jsonLd: structured(site, trail(surgery.body), (origin) => [
      {
        '@type': 'MedicalProcedure',
        '@id': `${origin}${canonicalPath}#procedure`,
        name,
        description,
        url: `${origin}${canonicalPath}`,
        additionalType: 'https://schema.org/SurgicalProcedure',
        howPerformed: procedure.join(' '),
        followup: `Recovery takes ${recovery}.`,
      },
      ...faqPage(origin, canonicalPath, faqs),
    ]),
  };
}

export function status({ data: { surgery } }: SurgeryProps): number {
  return statusOf(surgery);
}

/** Redirects numbers to the canonical slug. */
export function location({ params, data: { surgery } }: SurgeryProps): string | null {
  return surgery.ok && surgery.body.slug !== params.slug ? `/deluxe-surgeries/${surgery.body.slug}` : null;
}
