/** `/virtual-consultation`: description, form, and the confirmation that replaces it. */
import type { Head, PageProps } from '@hospital/page';
import type { ListDepartmentsResponse, Site } from '@hospital/api/types';
import { nativeAction, nativeStatus } from '@hospital/form/native';
import { nativeTitle } from '@hospital/form/title';
import { useForm } from '@hospital/form/use-form';
import { trailTo } from '@hospital/ui/breadcrumb';
import { titled } from '@hospital/ui/head';
import layout from '@hospital/ui/layout.module.css';
import { PageHero } from '@hospital/ui/page-hero';
import { siteOf } from '@hospital/ui/site';
import { structured } from '@hospital/ui/structured';
import { t } from './messages.ts';
import { clinicsIn } from './virtual-consultation/clinics.ts';
import { Requested } from './virtual-consultation/confirmation.tsx';
import { ConsultationForm } from './virtual-consultation/consultation-form.tsx';
import { Features } from './virtual-consultation/features.tsx';
import { consultationForm } from './virtual-consultation/form.ts';
import { Glance } from './virtual-consultation/glance.tsx';
import { ConsultationHelp } from './virtual-consultation/help.tsx';
import { VideoScene } from './virtual-consultation/scene.tsx';
import { HowItWorks } from './virtual-consultation/steps.tsx';
import { useZone } from './virtual-consultation/use-zone.ts';
import styles from './virtual-consultation/virtual-consultation.module.css';

type ConsultationProps = PageProps<{ departments: ListDepartmentsResponse; site: Site }>;

const PATH = '/virtual-consultation';
/** Structured data is in English. */
const TRAIL = /* @__PURE__ */ trailTo(['Virtual consultation', PATH]);
const trail = () => trailTo([t('Virtual consultation'), PATH]);

export const action = /* @__PURE__ */ nativeAction(consultationForm);
export const status = /* @__PURE__ */ nativeStatus(consultationForm);

export default function VirtualConsultation(props: ConsultationProps) {
  const form = useForm(consultationForm, props);
  const { outcome } = form;
  const site = siteOf(props.data.site);
  const clinics = clinicsIn(props.data.departments);
  const zone = useZone(props.now);
  if (outcome.kind === 'success') {
    return (
      <div className={layout.page}>
        <div className={styles.columns}>
          <div className={styles.main}>
            <Requested
              consultation={outcome.answer}
              earlier={outcome.earlier}
              {...{ site, clinics, zone }}
              focus={!form.served}
            />
          </div>
          <ConsultationHelp site={site} />
        </div>
      </div>
    );
  }
  return (
    <>
      <PageHero
        title={t('See a doctor by video')}
        trail={trail()}
        lead={t('Talk to one of our doctors from home. Choose a day, and we’ll choose the time and send you the link.')}
        media={<VideoScene />}
      >
        <Glance clinics={clinics} zone={zone} now={props.now} />
      </PageHero>
      <div className={layout.page}>
        <div className={styles.columns}>
          <div className={styles.main}>
            <ConsultationForm form={form} now={props.now} {...{ site, clinics, zone }} />
          </div>
          <ConsultationHelp site={site} prepare />
        </div>
        <Features />
        <HowItWorks />
      </div>
    </>
  );
}

export function head(props: ConsultationProps): Head {
  const { site } = props.data;
  return {
    title: nativeTitle(consultationForm, titled(t('Virtual consultation'), site), props),
    description: t(
      'Ask for a video consultation: tell us who it’s for and choose a day. You get a reference straight away, then the time and the link.',
    ),
    keywords: t('video consultation, online doctor, virtual consultation'),
    canonicalPath: PATH,
    jsonLd: structured(site, TRAIL),
  };
}
