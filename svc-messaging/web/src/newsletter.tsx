/**
 * `/newsletter`: what subscribers get, and the subscription form. Also receives the posts of the box beside blog posts.
 * No newsletter is sent before the address is confirmed.
 */
import { useEffect, useRef } from 'react';
import type { Head, PageProps } from '@hospital/page';
import { Form, FormAlert, SubmitButton } from '@hospital/form/form';
import { nativeAction, nativeStatus } from '@hospital/form/native';
import { nativeTitle } from '@hospital/form/title';
import { type FormState, useForm } from '@hospital/form/use-form';
import type { Site } from '@hospital/api/types';
import { Filled } from '@hospital/page/text';
import { trailTo } from '@hospital/ui/breadcrumb';
import { Card } from '@hospital/ui/card';
import { titled } from '@hospital/ui/head';
import layout from '@hospital/ui/layout.module.css';
import { CheckList } from '@hospital/ui/lists';
import { PageHero } from '@hospital/ui/page-hero';
import { siteOf } from '@hospital/ui/site';
import { structured } from '@hospital/ui/structured';
import { TextInput } from '@hospital/ui/text-input';
import { t, template } from './messages.ts';
import { Honeypot } from './check/honeypot.tsx';
import { useFormCheck } from './check/use-form-check.ts';
import { newsletterForm } from './newsletter/form.ts';
import styles from './newsletter/newsletter.module.css';

type NewsletterProps = PageProps<{ site: Site }>;

const PATH = '/newsletter';
/** Structured data is in English. */
const TRAIL = /* @__PURE__ */ trailTo(['Newsletter', PATH]);

const contents = () => [
  t('New health articles by our doctors'),
  t('Health camps, talks and vaccination days before they happen'),
  t('About one e-mail a month, with no advertising from anyone else'),
];

export const action = /* @__PURE__ */ nativeAction(newsletterForm);
export const status = /* @__PURE__ */ nativeStatus(newsletterForm);

export default function Newsletter(props: NewsletterProps) {
  const form = useForm(newsletterForm, props);
  const { name } = siteOf(props.data.site);
  return (
    <>
      {form.outcome.kind !== 'success' && (
        <PageHero
          title={t('Our newsletter')}
          trail={trailTo([t('Newsletter'), PATH])}
          lead={t('What’s new at {hospital}, in plain English, by e-mail.', { hospital: name })}
        />
      )}
      <div className={layout.page}>
        <div className={styles.columns}>
          {form.outcome.kind === 'success' ? (
            <CheckYourMail focus={!form.served} />
          ) : (
            <Subscribe form={form} now={props.now} />
          )}
          <section aria-labelledby="get">
            <h2 className={styles.title} id="get">
              {t('What you get')}
            </h2>
            <CheckList items={contents()} />
            <h2 className={styles.title}>{t('How to unsubscribe')}</h2>
            <p>
              {t(
                'Every e-mail has an unsubscribe link. We keep your address only for the newsletter and don’t give it to anyone.',
              )}{' '}
              <a href="/privacy#newsletter">{t('Privacy')}</a>
            </p>
          </section>
        </div>
      </div>
    </>
  );
}

function Subscribe({ form, now }: { form: FormState<typeof newsletterForm>; now: string }) {
  const { onFocus, check } = useFormCheck(form);
  const context = { now, check };
  return (
    <Card as="section" aria-labelledby="subscribe">
      <h2 className={styles.title} id="subscribe">
        {t('Subscribe')}
      </h2>
      <Form className={styles.form} form={form} context={context} onFocus={onFocus}>
        <FormAlert form={form} />
        <TextInput
          {...form.field('email')}
          hint={t('We’ll send you one e-mail with a link. We won’t send anything else until you open it and confirm.')}
        />
        <Honeypot />
        <div className={styles.send}>
          <SubmitButton form={form} context={context} busy={t('Sending...')}>
            {t('Subscribe')}
          </SubmitButton>
        </div>
      </Form>
    </Card>
  );
}

function CheckYourMail({ focus }: { focus: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (focus) heading.current?.focus();
  }, [focus]);
  return (
    <Card as="section" aria-labelledby="check">
      <h1 className={styles.title} id="check" tabIndex={-1} ref={heading}>
        {t('Check your e-mail')}
      </h1>
      <p>
        {t(
          'If you aren’t subscribed yet, we’ve e-mailed you a link. Open it within 7 days to confirm. We won’t send anything else until you do.',
        )}
      </p>
      <p>
        <Filled
          text={template('Nothing there after an hour? Check your spam folder, then {link}.')}
          with={{ link: <a href={PATH}>{t('try again')}</a> }}
        />
      </p>
    </Card>
  );
}

export function head(props: NewsletterProps): Head {
  const { site } = props.data;
  return {
    title: nativeTitle(newsletterForm, titled(t('Newsletter'), site), props),
    description: t(
      'Health articles, camps and talks from the hospital, about once a month by e-mail. Confirm your address to subscribe, and unsubscribe with one click.',
    ),
    keywords: t('hospital newsletter, health articles, health camps'),
    canonicalPath: PATH,
    jsonLd: structured(site, TRAIL),
  };
}
