/** A native post that changed nothing: its form with the sent values, and a way back to the appointment. */
import type { ReactNode } from 'react';
import type { ActionOutcome } from '@hospital/page';
import { Button } from '@hospital/ui/button';
import { Card } from '@hospital/ui/card';
import { valuesFrom } from '@hospital/form/declaration';
import { outcomeOfAction } from '@hospital/form/outcome';
import { Notice } from '@hospital/ui/notice';
import { t } from '../messages.ts';
import type { Contact, Department } from '../appointment/data.ts';
import { Carried } from './carried.tsx';
import { ChangeDetails } from './change-details.tsx';
import { ChangeTime } from './change-time.tsx';
import { FailureHelp } from './failure-help.tsx';
import { MANAGE_PATH } from './link.ts';
import { TASKS, changeForm, findForm, linkOf, moveForm, taskOf } from './forms.ts';
import type { TaskContext } from './use-task.ts';
import styles from './manage.module.css';

interface UnfinishedProps {
  action: ActionOutcome;
  context: TaskContext;
  contact: Contact;
  departments: readonly Department[];
}

export function Unfinished({ action, context, contact, departments }: UnfinishedProps) {
  const link = linkOf(valuesFrom(findForm, action.form));
  return (
    <Card as="section" className={styles.panel} aria-labelledby="what">
      {formOf({ action, context, contact, departments })}
      <form method="post" action={MANAGE_PATH}>
        <Carried task="find" values={{ ...link }} />
        <input type="hidden" name="part" value={context.part} />
        <Button type="submit" tone="secondary">
          {t('Show my appointment as it is now')}
        </Button>
      </form>
    </Card>
  );
}

function formOf({ action, context, contact, departments }: UnfinishedProps): ReactNode {
  const task = taskOf(action.form);
  if (task === 'move') {
    const { date: _, time: __, ...carried } = valuesFrom(moveForm, action.form);
    return (
      <>
        <Heading>{t('Choose another time')}</Heading>
        <ChangeTime {...{ context, contact, departments, carried }} isShown />
      </>
    );
  }
  if (task === 'change') {
    const { patientName: _, email: __, phone: ___, reason: ____, ...carried } = valuesFrom(changeForm, action.form);
    return (
      <>
        <Heading>{t('Correct name, e-mail, phone or reason')}</Heading>
        <ChangeDetails {...{ context, contact, carried }} person={null} onSend={() => undefined} />
      </>
    );
  }
  const form = TASKS[task];
  const outcome = outcomeOfAction(form, action, context);
  return (
    <>
      <Heading>{t('Your changes weren’t saved')}</Heading>
      <Notice tone="failure" role="alert" title={form.failure} tabIndex={-1}>
        {outcome.kind === 'failed' && <p>{outcome.detail}</p>}
        <FailureHelp outcome={outcome} contact={contact} />
      </Notice>
    </>
  );
}

function Heading({ children }: { children: ReactNode }) {
  return (
    <h2 className={styles.heading} id="what">
      {children}
    </h2>
  );
}
