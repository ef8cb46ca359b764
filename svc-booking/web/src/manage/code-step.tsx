/** Form for the code that was mailed to the appointment's address, if the appointment exists. */
import { Form, FormAlert, SubmitButton } from '@hospital/form/form';
import { Filled } from '@hospital/page/text';
import { Card } from '@hospital/ui/card';
import { Notice } from '@hospital/ui/notice';
import { TextInput } from '@hospital/ui/text-input';
import { t, template } from '../messages.ts';
import type { Contact } from '../appointment/data.ts';
import { Carried } from './carried.tsx';
import { FailureHelp } from './failure-help.tsx';
import { codeForm, openForm } from './forms.ts';
import { MANAGE_PATH } from './link.ts';
import type { Shown } from './opened.ts';
import { type TaskContext, useTask } from './use-task.ts';
import styles from './manage.module.css';

interface CodeStepProps {
  step: Shown & { kind: 'code' };
  context: TaskContext;
  contact: Contact;
}

export function CodeStep({ step: { reference, phone, again }, context, contact }: CodeStepProps) {
  const carried = { reference, phone };
  const form = useTask('open', openForm, context, (posted) => ({ ...posted, ...carried }));
  const more = useTask('code', codeForm, context, () => carried);
  return (
    <Card as="section" className={styles.panel} aria-label={t('Code')}>
      {again && (
        <Notice tone="success" role="status">
          <p>{t('We’ve sent another code. Only the newest one works.')}</p>
        </Notice>
      )}
      <p>
        {t(
          'If we have an appointment with the reference {reference} and this phone number, we’ve just sent a code to its e-mail address. The code works for 10 minutes.',
          { reference },
        )}
      </p>
      <Form className={styles.form} form={form} context={context} autoComplete="off">
        <FormAlert form={form}>
          <FailureHelp outcome={form.outcome} contact={contact} />
        </FormAlert>
        <TextInput className={styles.code} {...form.field('code')} />
        <Carried task="open" values={carried} />
        <div className={styles.actions}>
          <SubmitButton form={form} context={context} busy={t('Processing...')}>
            {t('Open my appointment')}
          </SubmitButton>
        </div>
      </Form>
      <Form className={styles.form} form={more} context={context}>
        <FormAlert form={more}>
          <FailureHelp outcome={more.outcome} contact={contact} />
        </FormAlert>
        <p className={styles.soft}>
          <Filled
            text={template(
              'Nothing there after two minutes? Check your spam folder. Check the reference and the phone number too, and {link} if they’re wrong.',
            )}
            with={{ link: <a href={MANAGE_PATH}>{t('enter them again')}</a> }}
          />
        </p>
        <Carried task="code" values={{ ...carried, again: 'yes' }} />
        <div className={styles.actions}>
          <SubmitButton form={more} context={context} tone="secondary" busy={t('Processing...')}>
            {t('Send another code')}
          </SubmitButton>
        </div>
      </Form>
    </Card>
  );
}
