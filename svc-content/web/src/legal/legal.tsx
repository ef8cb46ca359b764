/** `/privacy`, `/terms`, `/cookies`: pages of plain text. */
import type { Head, PageProps } from '@hospital/page';
import { formatDay } from '@hospital/page/format';
import type { Page, PageSection } from '@hospital/api/types';
import { trailTo } from '@hospital/ui/breadcrumb';
import { absentHead, titled } from '@hospital/ui/head';
import layout from '@hospital/ui/layout.module.css';
import { PageHero } from '@hospital/ui/page-hero';
import { isMissing, statusOf } from '@hospital/ui/read';
import { addressLine, emailFor, phoneFor, siteOf, type Site } from '@hospital/ui/site';
import { structured } from '@hospital/ui/structured';
import { PageNotFound } from '@hospital/ui/missing';
import { Unavailable } from '@hospital/ui/unavailable';
import styles from './legal.module.css';
import { Filled, Text } from '@hospital/page/text';
import { InEnglish } from '../parts/in-english.tsx';
import { t, template } from '../messages.ts';

type LegalProps = PageProps<{ page: Page; site: Site }>;

const TITLES = {
  '/privacy': 'Privacy notice',
  '/terms': 'Terms of use',
  '/cookies': 'Cookies',
} as const;

function fallbackTitle(path: string): string {
  return Object.hasOwn(TITLES, path) ? t(TITLES[path as keyof typeof TITLES]) : t('Legal');
}

export default function LegalPage({ path, data: { page, site: answer } }: LegalProps) {
  const site = siteOf(answer);
  if (isMissing(page)) return <PageNotFound what={t('text')} list="/" />;
  if (!page.ok) return <Unavailable title={fallbackTitle(path)} what={t('This text')} path={path} />;
  const { title, intro, updated, sections } = page.body;
  return (
    <>
      <PageHero title={title} lead={intro} trail={trail(path, title)}>
        {updated && (
          <p className={styles.updated}>
            <Filled
              text={template('Last changed on {date}')}
              with={{ date: <time dateTime={updated}>{formatDay(updated)}</time> }}
            />
          </p>
        )}
      </PageHero>
      <div className={layout.page}>
        <div className={styles.columns}>
          <nav className={styles.contents} aria-labelledby="contents">
            <h2 className={styles.contentsTitle} id="contents">
              {t('On this page')}
            </h2>
            <ul className={styles.links}>
              {sections.map(({ id, heading }) => (
                <li key={id}>
                  <a href={`#${id}`}>
                    <Text>{heading}</Text>
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <div className={layout.sections}>
            <InEnglish text={sections[0]?.paragraphs[0]} />
            {sections.map((section) => (
              <Section key={section.id} section={section} site={site} />
            ))}
          </div>
        </div>
      </div>
    </>
  );
}

function Section({
  section: { id, heading, paragraphs, items, contacts },
  site,
}: {
  section: PageSection;
  site: Site;
}) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        <Text>{heading}</Text>
      </h2>
      {paragraphs.map((paragraph) => (
        <p key={paragraph}>
          <Text>{paragraph}</Text>
        </p>
      ))}
      {items.length > 0 && (
        <ul className={styles.items}>
          {items.map((item) => (
            <li key={item}>
              <Text>{item}</Text>
            </li>
          ))}
        </ul>
      )}
      {contacts.length > 0 && <Contacts contacts={contacts} site={site} />}
    </section>
  );
}

/** Contact lines from the site's data: `address`, `phone:<purpose>` or `email:<purpose>`. */
function Contacts({ contacts, site }: { contacts: string[]; site: Site }) {
  return (
    <ul className={styles.lines}>
      {contacts.map((contact) => (
        <li key={contact}>
          <Contact contact={contact} site={site} />
        </li>
      ))}
    </ul>
  );
}

function Contact({ contact, site }: { contact: string; site: Site }) {
  const [kind, purpose = ''] = contact.split(':');
  const number = kind === 'phone' ? phoneFor(site, purpose) : undefined;
  const mail = kind === 'email' ? emailFor(site, purpose) : undefined;
  if (number)
    return (
      <>
        <Text>{`${number.label}:`}</Text> <a href={`tel:${number.e164}`}>{number.display}</a>
      </>
    );
  if (mail)
    return (
      <>
        <Text>{`${mail.label}:`}</Text> <a href={`mailto:${mail.address}`}>{mail.address}</a>
      </>
    );
  return kind === 'address' ? <Text>{`${site.name}, ${addressLine(site)}`}</Text> : null;
}

function trail(path: string, title: string) {
  return trailTo([title, path]);
}

export function head({ path, data: { page, site } }: LegalProps): Head {
  if (!page.ok) return absentHead(page, site, path, { missing: t('Page Not Found'), kind: fallbackTitle(path) });
  const { title, description } = page.body;
  return {
    title: titled(title, site),
    description,
    keywords: `${title}, hospital website, ${siteOf(site).address.city}`,
    canonicalPath: path,
    jsonLd: structured(site, trail(path, title)),
  };
}

export function status({ data: { page } }: LegalProps): number {
  return statusOf(page);
}
