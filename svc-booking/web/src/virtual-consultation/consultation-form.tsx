import { useEffect } from 'react';
import { Form, FormAlert, SubmitButton } from '@hospital/form/form';
import type { FormState } from '@hospital/form/use-form';
import { Notice } from '@hospital/ui/notice';
import { type Site, phoneFor } from '@hospital/ui/site';
import { Filled } from '@hospital/page/text';
import { TextArea } from '@hospital/ui/text-area';
import { TextInput } from '@hospital/ui/text-input';
import { showToast } from '@hospital/ui/toast';
import { bookingWindow } from '../appointment/calendar.ts';
import { t, template } from '../messages.ts';
import type { Clinic } from './clinics.ts';
import { DepartmentChoice } from './department-choice.tsx';
import { consultationForm } from './form.ts';
import type { Zone } from './zone.ts';
import styles from './consultation-form.module.css';

interface ConsultationFormProps {
  form: FormState<typeof consultationForm>;
  now: string;
  site: Site;
  clinics: readonly Clinic[];
  zone: Zone | null;
}

export function ConsultationForm({ form, now, site, clinics, zone }: ConsultationFormProps) {
  const { outcome, served } = form;
  const context = { now, clinics };
  const { first, last } = bookingWindow(now);
  const failed = outcome.kind === 'failed' && !served;

  useEffect(() => {
    if (failed) showToast({ title: t('Error'), description: consultationForm.failure, tone: 'error' });
    // Once per outcome.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [outcome]);

  return (
    <section aria-labelledby="ask">
      <h2 className={styles.title} id="ask">
        {t('Ask for a consultation')}
      </h2>
      <Form className={styles.form} form={form} context={context}>
        {!failed && (
          <FormAlert form={form}>
            <WhatToDo outcome={outcome} site={site} />
          </FormAlert>
        )}
        <p className={styles.required}>
          {t('Fields marked * are required. Give us an e-mail address or a phone number, or both.')}
        </p>
        <DepartmentChoice {...form.field('department')} {...{ clinics, now, zone }} />
        <TextInput {...form.field('patientName')} />
        <div className={styles.pair}>
          <TextInput {...form.field('patientEmail')} />
          <TextInput {...form.field('phone')} />
        </div>
        <TextInput {...form.field('date')} className={styles.day} min={first} max={last} />
        <TextArea {...form.field('description')} />
        {/* The toast disappears; this notice stays beside the submit button. */}
        {failed && (
          <Notice tone="failure" title={consultationForm.failure}>
            <p>{outcome.detail}</p>
            <WhatToDo outcome={outcome} site={site} />
          </Notice>
        )}
        <div className={styles.send}>
          <SubmitButton form={form} context={context} busy={t('Processing...')}>
            {t('Book consultation')}
          </SubmitButton>
        </div>
      </Form>
    </section>
  );
}

/** Phone number for help after a failure. */
function WhatToDo({ outcome, site }: { outcome: ConsultationFormProps['form']['outcome']; site: Site }) {
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
