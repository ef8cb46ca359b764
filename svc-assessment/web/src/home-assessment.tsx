/**
 * The assessment in the hero of the home page, a card that opens in place. The first step is plain HTML; the first
 * interaction loads the rest. home-assessment.script.ts opens the card on wide screens.
 */
import type { Site } from '@hospital/api/types';
import type { PageProps } from '@hospital/page';
import { siteOf } from '@hospital/ui/site';
import { Dial } from './home/dial.tsx';
import { t } from './messages.ts';
import { PAGE, STEPS } from './questions.ts';
import { DRAFT_KEY } from './wizard/draft.ts';
import { clientProps } from './wizard/client-props.ts';
import { Wizard } from './wizard/wizard.tsx';
import styles from './home/home-assessment.module.css';

export { clientProps };

export default function HomeAssessment(props: PageProps<{ site: Site }>) {
  return (
    <section className={styles.slot} aria-labelledby="home-assessment-title" data-resume={DRAFT_KEY}>
      <details className={styles.card}>
        <summary className={styles.summary}>
          <Dial className={styles.dial} />
          <span className={styles.name}>
            <h2 className={styles.title} id="home-assessment-title">
              {t('Check your health risk')}
            </h2>
            <span className={styles.short}>{t('Two minutes, {count} steps, without your name', { count: STEPS })}</span>
          </span>
        </summary>
        <div className={styles.inside}>
          <div className={styles.words}>
            <p>
              {t(
                'High blood sugar, high blood pressure and poor sleep can go unnoticed for years. Four short steps show where you stand, in two minutes.',
              )}
            </p>
            <p className={styles.note}>{t('No name or number needed. We keep nothing unless you agree.')}</p>
            <p>
              <a href={PAGE}>{t('Take it on a separate page')}</a>
            </p>
          </div>
          <div className={styles.wizard}>
            <Wizard page={props} site={siteOf(props.data.site)} variant="card" />
          </div>
        </div>
      </details>
    </section>
  );
}
