/** Opens an appointment: by its link, or by reference, phone number and a mailed code. */
import { useEffect } from 'react';
import { Form, FormAlert, SubmitButton } from '@hospital/form/form';
import { TextInput } from '@hospital/ui/text-input';
import { t } from '../messages.ts';
import type { Contact } from '../appointment/data.ts';
import { Carried } from './carried.tsx';
import { FailureHelp } from './failure-help.tsx';
import { codeForm, findForm } from './forms.ts';
import { Item } from './item.tsx';
import { linkIn } from './link.ts';
import { type TaskContext, useTask } from './use-task.ts';
import styles from './manage.module.css';

interface FindProps {
  context: TaskContext;
  contact: Contact;
}

export function Find({ context, contact }: FindProps) {
  const link = useTask('find', findForm, context, (posted) => posted);
  const { live, outcome, pending } = link;

  useEffect(() => {
    if (!live || context.action) return;
    const known = linkIn(location.hash);
    const field = link.ref.current?.elements.namedItem('link');
    if (!known || !(field instanceof HTMLInputElement)) return;
    field.value = `${known.reference}.${known.secret}`;
    link.send(context);
    // Once, after hydration.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [live]);

  return (
    <>
      <p className={styles.soft} role="status">
        {pending
          ? t('Looking for your appointment…')
          : t('Open the link in our e-mail, or enter the details on your confirmation.')}
      </p>
      <AskForCode context={context} contact={contact} />
      <div className={styles.items}>
        <Item label={t('I have the link')} isOpen={outcome.kind !== 'none'}>
          {() => (
            <Form className={styles.form} form={link} context={context} autoComplete="off">
              <FormAlert form={link}>
                <FailureHelp outcome={outcome} contact={contact} />
              </FormAlert>
              <TextInput {...link.field('link')} />
              <Carried task="find" values={{}} />
              <div className={styles.actions}>
                <SubmitButton form={link} context={context} busy={t('Processing...')}>
                  {t('Open')}
                </SubmitButton>
              </div>
            </Form>
          )}
        </Item>
      </div>
    </>
  );
}

/** First step for visitors without a link. */
export function AskForCode({ context, contact }: FindProps) {
  const form = useTask('code', codeForm, context, (posted) => posted);
  return (
    <Form className={styles.form} form={form} context={context} autoComplete="off">
      <FormAlert form={form}>
        <FailureHelp outcome={form.outcome} contact={contact} />
      </FormAlert>
      <TextInput className={styles.day} {...form.field('reference')} />
      <TextInput className={styles.day} {...form.field('phone')} />
      <p className={styles.soft}>{t('We’ll send a code to the e-mail address of the appointment.')}</p>
      <Carried task="code" values={{}} />
      <div className={styles.actions}>
        <SubmitButton form={form} context={context} busy={t('Processing...')}>
          {t('Send me a code')}
        </SubmitButton>
      </div>
    </Form>
  );
}
