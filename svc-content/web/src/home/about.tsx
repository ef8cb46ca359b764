/** Text about the hospital; target of `/#about`. */
import type { PageProps } from '@hospital/page';
import type { Page, Site } from '@hospital/api/types';
import { siteOf } from '@hospital/ui/site';
import { ABOUT_PARAGRAPHS, ABOUT_TITLE } from './about.built-in.ts';
import { isBuiltInHospital } from '../parts/built-in-hospital.ts';
import { HomeSection } from './section.tsx';
import styles from './about.module.css';
import { Text } from '@hospital/page/text';
import { builtInText } from '../parts/built-in-text.ts';
import { t } from '../messages.ts';

type AboutProps = PageProps<{ about: Page; site: Site }>;

export default function HomeAbout({ data: { about, site } }: AboutProps) {
  const isBuiltIn = isBuiltInHospital(site);
  const section = about?.ok ? about.body.sections[0] : undefined;
  const builtIn = isBuiltIn ? ABOUT_PARAGRAPHS.map(builtInText) : [];
  const [first, ...further] = section?.paragraphs.length ? section.paragraphs : builtIn;
  const founded = (site?.ok && site.body.foundedYear) || 1979;
  const beds = (site?.ok && site.body.beds) || 100;
  const accreditations = site?.ok ? site.body.accreditations : [];
  return (
    <HomeSection id="about" title={section?.heading || (isBuiltIn ? builtInText(ABOUT_TITLE) : t('About us'))} beside>
      {first && (
        <p className={styles.first}>
          <Text>{first}</Text>
        </p>
      )}
      {further.length > 0 && (
        <details className={styles.further}>
          <summary>{t('More about us')}</summary>
          {further.map((paragraph) => (
            <p key={paragraph}>
              <Text>{paragraph}</Text>
            </p>
          ))}
        </details>
      )}
      <ul className={styles.facts}>
        <Fact value={String(founded)} label={t('opened in {place}', { place: siteOf(site).address.locality })} />
        <Fact value={String(beds)} label={isBuiltIn ? t('beds, from day care to intensive care') : t('beds')} />
        {isBuiltIn && <Fact value="18+" label={t('specialties under one roof')} />}
        <Fact value={t('Cashless')} label={t('insurance, with help at our desk')} />
        {accreditations.length > 0 && (
          <li className={styles.certified}>
            <Text>{accreditations.join(' · ')}</Text>
          </li>
        )}
      </ul>
    </HomeSection>
  );
}

function Fact({ value, label }: { value: string; label: string }) {
  return (
    <li>
      <strong>{value}</strong> <span>{label}</span>
    </li>
  );
}
