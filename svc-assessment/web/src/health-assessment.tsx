/** `/health-assessment`: the questions and their results. */
import type { Site } from '@hospital/api/types';
import { nativeAction } from '@hospital/form/native';
import { statusOf } from '@hospital/form/outcome';
import { titleFor } from '@hospital/form/title';
import type { Head, PageProps } from '@hospital/page';
import { trailTo } from '@hospital/ui/breadcrumb';
import { titled } from '@hospital/ui/head';
import layout from '@hospital/ui/layout.module.css';
import { PageHero } from '@hospital/ui/page-hero';
import { siteOf } from '@hospital/ui/site';
import { structured } from '@hospital/ui/structured';
import { t } from './messages.ts';
import { Aside } from './health-assessment/aside.tsx';
import { assessmentForm } from './form.ts';
import { PAGE, RESULTS_STEP } from './questions.ts';
import { clientProps } from './wizard/client-props.ts';
import { servedBy } from './wizard/served.ts';
import { Wizard } from './wizard/wizard.tsx';
import styles from './health-assessment/health-assessment.module.css';

type AssessmentProps = PageProps<{ site: Site }>;

/** Structured data is in English. */
const TRAIL = /* @__PURE__ */ trailTo(['Health assessment', PAGE]);

export { clientProps };

export const action = /* @__PURE__ */ nativeAction(assessmentForm);

/**
 * Returns the response status. A failure of the service is still 200 if the page computed the results and none were to
 * be kept.
 */
export function status({ action: posted, now }: Pick<AssessmentProps, 'action' | 'now'>): number {
  const { outcome, state } = servedBy({ action: posted, now });
  return outcome.kind === 'failed' && state === 'none' ? 200 : statusOf(outcome, posted);
}

export default function HealthAssessment(props: AssessmentProps) {
  const site = siteOf(props.data.site);
  return (
    <>
      <PageHero title={t('Check your health risk')} trail={trailTo([t('Health assessment'), PAGE])}>
        <p className={styles.lead}>
          {t(
            'Four short steps about your body, blood sugar, sleep and stress. It takes about two minutes. You’ll see your results straight away, what they mean and what you can do.',
          )}
        </p>
      </PageHero>
      <div className={layout.page}>
        <div className={styles.columns}>
          <div className={styles.main}>
            <Wizard page={props} site={site} variant="page" />
          </div>
          <Aside site={site} />
        </div>
      </div>
    </>
  );
}

export function head({ data: { site }, action: posted, now }: AssessmentProps): Head {
  const { outcome, step } = servedBy({ action: posted, now });
  const kind = outcome.kind === 'refused' ? 'refused' : step === RESULTS_STEP ? 'success' : 'none';
  return {
    title: titleFor(assessmentForm, titled(t('Health assessment'), site), { kind }),
    description: t(
      'Check your body mass index, diabetes risk and stress privately in two minutes. Clear results in plain English, with the Indian Diabetes Risk Score.',
    ),
    keywords: t('health risk assessment, BMI calculator, diabetes risk score, stress test, health check'),
    canonicalPath: PAGE,
    ...(posted && { robots: 'noindex' }),
    jsonLd: structured(site, TRAIL),
  };
}
