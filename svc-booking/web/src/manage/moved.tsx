/** Shown for a link that a move replaced: the new link can be mailed, and a code opens the appointment as well. */
import { Form, FormAlert, SubmitButton } from '@hospital/form/form';
import { Card } from '@hospital/ui/card';
import { Filled } from '@hospital/page/text';
import { t, template } from '../messages.ts';
import type { Contact } from '../appointment/data.ts';
import { Carried } from './carried.tsx';
import { FailureHelp } from './failure-help.tsx';
import { AskForCode } from './find.tsx';
import { linkForm } from './forms.ts';
import { Item } from './item.tsx';
import type { ManageLink } from './link.ts';
import { type TaskContext, useTask } from './use-task.ts';
import styles from './manage.module.css';

interface MovedProps {
  link: ManageLink;
  context: TaskContext;
  contact: Contact;
}

export function Moved({ link, context, contact }: MovedProps) {
  const carried = { ...link };
  const form = useTask('link', linkForm, context, () => carried);
  return (
    <>
      <Card as="section" className={styles.panel} aria-label={t('The new link')}>
        <p>
          {t(
            'Your link no longer opens the appointment {reference}. We can send the new link to the e-mail address of the appointment.',
            { reference: link.reference },
          )}
        </p>
        <Form className={styles.form} form={form} context={context}>
          <FormAlert form={form}>
            <FailureHelp outcome={form.outcome} contact={contact} />
          </FormAlert>
          <Carried task="link" values={carried} />
          <div className={styles.actions}>
            <SubmitButton form={form} context={context} busy={t('Processing...')}>
              {t('Send me the new link')}
            </SubmitButton>
          </div>
        </Form>
      </Card>
      <div className={styles.items}>
        <Item label={t('Open it with reference and phone number')}>
          {() => <AskForCode context={context} contact={contact} />}
        </Item>
      </div>
    </>
  );
}

export function LinkSent({ contact: { phone } }: { contact: Contact }) {
  return (
    <Card as="section" className={styles.panel} aria-label={t('The new link')}>
      <p>
        {t('If the appointment is still to come, its new link is on the way to the e-mail address it was booked with.')}{' '}
        {phone ? (
          <Filled
            text={template('Nothing there after a few minutes? Check your spam folder, or call {phone}.')}
            with={{ phone: <a href={`tel:${phone.e164}`}>{phone.display}</a> }}
          />
        ) : (
          t('Nothing there after a few minutes? Check your spam folder.')
        )}
      </p>
    </Card>
  );
}
