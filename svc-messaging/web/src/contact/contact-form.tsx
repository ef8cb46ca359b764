import { useLayoutEffect } from 'react';
import { loadDraft } from '@hospital/form/draft';
import { Form, FormAlert, SubmitButton } from '@hospital/form/form';
import type { FormState } from '@hospital/form/use-form';
import { Filled } from '@hospital/page/text';
import { type Site, phoneFor } from '@hospital/ui/site';
import { TextArea } from '@hospital/ui/text-area';
import { TextInput } from '@hospital/ui/text-input';
import { Honeypot } from '../check/honeypot.tsx';
import { useFormCheck } from '../check/use-form-check.ts';
import { t, template } from '../messages.ts';
import { type ContactOutcome, contactForm } from './form.ts';
import styles from './contact-form.module.css';

interface ContactFormProps {
  form: FormState<typeof contactForm>;
  now: string;
  site: Site;
}

export function ContactForm({ form, now, site }: ContactFormProps) {
  const { onFocus, check } = useFormCheck(form);
  const context = { now, check };
  useSubjectOfDraft(form);
  return (
    <section aria-labelledby="write">
      <h2 className={styles.title} id="write">
        {t('Write to us')}
      </h2>
      <Form className={styles.form} form={form} context={context} onFocus={onFocus}>
        <FormAlert form={form}>
          <WhatToDo outcome={form.outcome} site={site} />
        </FormAlert>
        <p className={styles.required}>{t('Fields marked * are required.')}</p>
        <div className={styles.pair}>
          <TextInput {...form.field('firstName')} />
          <TextInput {...form.field('lastName')} />
        </div>
        <div className={styles.pair}>
          <TextInput {...form.field('email')} />
          <TextInput {...form.field('phone')} />
        </div>
        <TextInput {...form.field('subject')} />
        <TextArea {...form.field('message')} rows={7} />
        <Honeypot />
        <div className={styles.send}>
          <SubmitButton form={form} context={context} busy={t('Sending...')}>
            {t('Send message')}
          </SubmitButton>
          <p className={styles.privacy}>
            {t('Only our staff will read this.')} <a href="/privacy#messages">{t('What we keep, and for how long')}</a>
          </p>
        </div>
      </Form>
    </section>
  );
}

/** Help after a failed submission. */
function WhatToDo({ outcome, site }: { outcome: ContactOutcome; site: Site }) {
  const phone = phoneFor(site, 'reception', 'appointments');
  if (outcome.kind !== 'failed' || !phone) return null;
  return (
    <p>
      <Filled
        text={template('Reception can help you: {phone}.')}
        with={{ phone: <a href={`tel:${phone.e164}`}>{phone.display}</a> }}
      />
    </p>
  );
}

/**
 * Replaces the subject from the URL by the one that the visitor typed before a reload. Runs before the form restores
 * its draft, which only fills empty fields.
 */
function useSubjectOfDraft({ initial, ref, served, outcome }: FormState<typeof contactForm>) {
  useLayoutEffect(() => {
    const draft = served && outcome.kind !== 'none' ? null : loadDraft(contactForm);
    const field = ref.current?.elements.namedItem('subject') as HTMLInputElement | null | undefined;
    if (!draft || !field || field.value !== initial.subject) return;
    field.value = String(draft.values.subject || initial.subject);
    // Runs once, at hydration.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
}
