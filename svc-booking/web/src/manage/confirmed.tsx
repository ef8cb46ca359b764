/** An irreversible action with a confirmation. */
import { type ReactNode, useState } from 'react';
import { Form, FormAlert, SubmitButton } from '@hospital/form/form';
import { Button } from '@hospital/ui/button';
import { Dialog } from '@hospital/ui/dialog';
import { t } from '../messages.ts';
import type { Contact } from '../appointment/data.ts';
import { Carried } from './carried.tsx';
import { FailureHelp } from './failure-help.tsx';
import type { cancelForm, leaveForm } from './forms.ts';
import { type TaskContext, useTask } from './use-task.ts';
import styles from './manage.module.css';

interface ConfirmedProps {
  task: 'cancel' | 'leave';
  form: typeof cancelForm | typeof leaveForm;
  context: TaskContext;
  contact: Contact;
  carried: Readonly<Record<string, string>>;
  /** Label of the action, such as `Cancel this appointment`. */
  label: string;
  /** Question of the confirmation. */
  question: string;
  /** Consequences of the action. */
  children: ReactNode;
  /** Label of the confirming button. */
  yes: string;
}

/** With script, a dialog confirms the action. Without, the confirming button is inside a disclosure. */
export function Confirmed(props: ConfirmedProps) {
  const { task, form: declaration, context, contact, carried, label, question, children, yes } = props;
  const form = useTask(task, declaration as typeof cancelForm, context, () => carried);
  const [asking, setAsking] = useState(false);
  const body = (
    <>
      {children}
      <Form className={styles.form} form={form} context={context}>
        <FormAlert form={form}>
          <FailureHelp outcome={form.outcome} contact={contact} />
        </FormAlert>
        <Carried task={task} values={carried} />
        <div className={styles.actions}>
          <SubmitButton form={form} context={context} busy={t('Processing...')}>
            {yes}
          </SubmitButton>
          {asking && (
            <Button tone="secondary" onClick={() => setAsking(false)}>
              {t('No, go back')}
            </Button>
          )}
        </div>
      </Form>
    </>
  );
  // Shows the result of a native post in place, not in a dialog that the visitor would have to open first.
  if (!form.live || (form.served && form.outcome.kind !== 'none')) {
    return (
      <details className={styles.item} open={form.outcome.kind !== 'none'}>
        <summary className={styles.summary}>{label}</summary>
        <div className={styles.content}>{body}</div>
      </details>
    );
  }
  return (
    <>
      <div className={styles.item}>
        <button type="button" className={styles.summary} aria-haspopup="dialog" onClick={() => setAsking(true)}>
          {label}
        </button>
      </div>
      <Dialog open={asking} title={question} onClose={() => setAsking(false)}>
        {body}
      </Dialog>
    </>
  );
}
