import { useEffect } from 'react';
import { Form, FormAlert, SubmitButton } from '@hospital/form/form';
import { TextInput } from '@hospital/ui/text-input';
import type { Contact } from '../appointment/data.ts';
import { Carried } from './carried.tsx';
import { FailureHelp } from './failure-help.tsx';
import { findForm } from './forms.ts';
import { linkIn } from './link.ts';
import { type TaskContext, useTask } from './use-task.ts';
import styles from './manage.module.css';

/** Opens what a link names. The script reads the link from the address and fills it in by itself. */
export function Find({ context, contact }: { context: TaskContext; contact: Contact }) {
  const form = useTask('find', findForm, context, (posted) => posted);
  const { live, outcome, pending } = form;

  useEffect(() => {
    if (!live || context.action) return;
    const link = linkIn(location.hash);
    const element = form.ref.current;
    if (!link || !element) return;
    for (const [name, value] of Object.entries(link)) {
      (element.elements.namedItem(name) as HTMLInputElement).value = value as string;
    }
    form.send(context);
    // Once, when the script has taken over.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [live]);

  return (
    <section aria-labelledby="find">
      <h2 className={styles.heading} id="find">
        Open your appointment
      </h2>
      <p className={styles.soft} role="status">
        {pending ? 'Looking for your appointment…' : 'Open the link from your confirmation, or fill in what it says.'}
      </p>
      <Form className={styles.form} form={form} context={context} autoComplete="off">
        <FormAlert form={form}>
          <FailureHelp outcome={outcome} contact={contact} />
        </FormAlert>
        <TextInput {...form.field('reference')} />
        <TextInput {...form.field('secret')} />
        <Carried task="find" values={{}} />
        <div className={styles.actions}>
          <SubmitButton form={form} context={context} busy="Processing...">
            Open
          </SubmitButton>
        </div>
      </Form>
    </section>
  );
}
