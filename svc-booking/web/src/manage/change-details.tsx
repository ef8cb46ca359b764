import { useEffect, useRef } from 'react';
import type { Appointment } from '@hospital/api/types';
import { TextArea } from '@hospital/ui/text-area';
import { TextInput } from '@hospital/ui/text-input';
import type { ValuesOf } from '@hospital/form/declaration';
import { Form, FormAlert, SubmitButton } from '@hospital/form/form';
import { t } from '../messages.ts';
import type { Contact } from '../appointment/data.ts';
import { Carried } from './carried.tsx';
import { FailureHelp } from './failure-help.tsx';
import { changeForm } from './forms.ts';
import { type TaskContext, useTask } from './use-task.ts';
import styles from './manage.module.css';

type Details = ValuesOf<typeof changeForm>;
const SEEN = ['patientName', 'email', 'phone', 'reason'] as const;
/** The visible fields. */
export type Person = Pick<Details, (typeof SEEN)[number]>;
/** Values that are sent unchanged. */
export type Unchanged = Omit<Details, keyof Person>;

export function unchanged(appointment: Appointment, secret: string): Unchanged {
  const { reference, etag, date, time, doctorId, notes } = appointment;
  return { reference, secret, etag, date, time, doctorId, notes };
}

interface ChangeDetailsProps {
  context: TaskContext;
  contact: Contact;
  carried: Unchanged;
  /** Initial values of the fields; null for the posted ones. */
  person: Person | null;
  /**
   * Called with the edited fields on submit. The edits survive a reload of the appointment; other fields take the new
   * values.
   */
  onSend: (changed: Partial<Person>) => void;
}

export function ChangeDetails({ context, contact, carried, person, onSend }: ChangeDetailsProps) {
  const form = useTask('change', changeForm, context, (posted) => ({ ...posted, ...person, ...carried }));
  const told = useRef(onSend);
  useEffect(() => {
    told.current = onSend;
  });
  useEffect(() => {
    if (form.pending) told.current(changedIn(form.values(), form.initial));
    // On submit, not on each keystroke.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [form.pending]);
  return (
    <Form className={styles.form} form={form} context={context}>
      <FormAlert form={form}>
        <FailureHelp outcome={form.outcome} contact={contact} />
      </FormAlert>
      <TextInput {...form.field('patientName')} />
      <div className={styles.pair}>
        <TextInput {...form.field('email')} />
        <TextInput {...form.field('phone')} />
      </div>
      <TextArea {...form.field('reason')} />
      <Carried task="change" values={carried} />
      <div className={styles.actions}>
        <SubmitButton form={form} context={context} busy={t('Processing...')}>
          {t('Save changes')}
        </SubmitButton>
      </div>
    </Form>
  );
}

function changedIn(values: Details, initial: Details): Partial<Person> {
  const changed = SEEN.filter((name) => values[name] !== initial[name]);
  return Object.fromEntries(changed.map((name) => [name, values[name]]));
}
