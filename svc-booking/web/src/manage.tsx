/**
 * `/appointment/manage`: an appointment or a waitlist entry, for anyone with its link. Shows nothing before the service
 * has checked the secret. Opening the link changes nothing.
 */
import { type RefObject, useEffect, useRef, useState } from 'react';
import { ApiProblem } from '@hospital/api/problem';
import { getAppointment } from '@hospital/api/get-appointment';
import { getWaitlistEntry } from '@hospital/api/get-waitlist-entry';
import { serverNow } from '@hospital/api/server-time';
import type { FormFields, Head } from '@hospital/page';
import { nativeAction, nativeStatus } from '@hospital/form/native';
import { nativeTitle } from '@hospital/form/title';
import { titled } from '@hospital/ui/head';
import { type AppointmentProps, contactOf, departmentsOf } from './appointment/data.ts';
import { VisitHelp } from './appointment/visit-help.tsx';
import { t } from './messages.ts';
import { AppointmentView } from './manage/appointment-view.tsx';
import type { Person } from './manage/change-details.tsx';
import { Find } from './manage/find.tsx';
import { CodeStep } from './manage/code-step.tsx';
import { TASKS, codeForm, linkForm, taskOf } from './manage/forms.ts';
import { MANAGE_PATH, isWaitlist } from './manage/link.ts';
import { newsTitle } from './manage/news.tsx';
import { Moved, LinkSent } from './manage/moved.tsx';
import { type Shown, isOpen, isOpened, linkTo, opened, shownAfter, shownBy } from './manage/opened.ts';
import { Unfinished } from './manage/unfinished.tsx';
import { useLinkInAddress } from './manage/use-link-in-address.ts';
import type { TaskContext } from './manage/use-task.ts';
import { WaitlistView } from './manage/waitlist-view.tsx';
import styles from './manage/manage.module.css';

export const action = (posted: FormFields, now: string) => nativeAction(TASKS[taskOf(posted)])(posted, now);

export const status = (props: AppointmentProps) => nativeStatus(TASKS[taskOf(props.action?.form ?? {})])(props);

export default function ManagePage(props: AppointmentProps) {
  const { now, part, action: posted } = props;
  const [view, setView] = useState(() => shownBy(posted, now));
  // A new form for each requested code.
  const [round, setRound] = useState(0);
  const [typed, setTyped] = useState<Partial<Person> | null>(null);
  const sent = useRef<Partial<Person> | null>(null);
  const reading = useRef(false);
  const heading = useFocusOnChange(view);
  const contact = contactOf(props);
  const departments = departmentsOf(props);
  useLinkInAddress(view);

  function show(next: Shown) {
    const isStale = isOpened(next) && next.news === 'stale';
    setTyped(isStale ? sent.current : null);
    sent.current = null;
    document.title = titled(headingOf(next), props.data.site);
    setView(next);
    setRound((count) => count + 1);
  }

  async function readAgain(news: 'stale' | 'over') {
    const link = isOpened(view) && linkTo(view);
    if (!link || reading.current) return;
    reading.current = true;
    const read = isWaitlist(link) ? getWaitlistEntry : getAppointment;
    const name = isWaitlist(link) ? 'X-Waitlist-Secret' : 'X-Appointment-Secret';
    try {
      const answer = await read(link.reference, { headers: { [name]: link.secret } });
      // An acceptance in the last second may have succeeded.
      const isBooked = 'state' in answer && answer.state === 'WAITLIST_STATE_BOOKED';
      show(opened(answer, link.secret, isBooked ? 'find' : news, serverTime()));
    } catch (error) {
      // The alert of the submitted form stays and explains what to do.
      if (!(error instanceof ApiProblem)) throw error;
    } finally {
      reading.current = false;
    }
  }

  const context: TaskContext = {
    now,
    part,
    // The opened appointment gets new forms without the outcome of the post. A wrong code is reported at its field.
    action: view && view.kind !== 'code' ? null : posted,
    onDone: (answer, task, values) => show(shownAfter(answer, task, values, serverTime())),
    onReplaced: (link) => show({ kind: 'moved', link }),
    onStale: () => void readAgain('stale'),
    onOver: () => void readAgain('over'),
  };
  const shared = { context, contact, departments };
  const isUnfinished = posted && !['find', 'code', 'open'].includes(taskOf(posted.form));
  return (
    <div className={styles.page}>
      <h1 className={styles.title} tabIndex={-1} ref={heading}>
        {headingOf(view)}
      </h1>
      <div className={styles.columns}>
        <div className={styles.main}>
          {view?.kind === 'appointment' && (
            <AppointmentView
              key={`${view.appointment.etag} ${view.at}`}
              {...shared}
              {...{ view, typed }}
              onTyped={(changed) => {
                sent.current = changed;
              }}
            />
          )}
          {view?.kind === 'waitlist' && <WaitlistView key={view.at} {...shared} view={view} />}
          {view?.kind === 'code' && <CodeStep key={round} {...shared} step={view} />}
          {view?.kind === 'moved' && <Moved {...shared} link={view.link} />}
          {view?.kind === 'sent' && <LinkSent contact={contact} />}
          {!view && (isUnfinished ? <Unfinished action={posted} {...shared} /> : <Find {...shared} />)}
        </div>
        <VisitHelp contact={contact} done={!isComing(view)} />
      </div>
    </div>
  );
}

function headingOf(view: Shown | null): string {
  if (!view) return t('Change or cancel your appointment');
  if (view.kind === 'code') return codeForm.done ?? '';
  if (view.kind === 'moved') return t('This appointment was moved');
  if (view.kind === 'sent') return linkForm.done ?? '';
  return (
    newsTitle(view.news) || (view.kind === 'waitlist' ? t('Your place on the waiting list') : t('Your appointment'))
  );
}

/**
 * Moves the focus to the heading after a change of view: the result is read out first and is visible. Otherwise a
 * closing dialog would lose the focus.
 */
function useFocusOnChange(view: Shown | null): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(view);
  useEffect(() => {
    if (shown.current !== view) heading.current?.focus();
    shown.current = view;
  }, [view]);
  return heading;
}

function serverTime(): string {
  return new Date(serverNow()).toISOString();
}

/** Returns whether the view is an appointment to prepare for. */
function isComing(view: Shown | null): boolean {
  return view?.kind === 'appointment' && isOpen(view.appointment, view.at);
}

export function head(props: AppointmentProps): Head {
  const { data, action: posted, now } = props;
  const view = shownBy(posted, now);
  const title = titled(headingOf(view), data.site);
  return {
    // A replaced link is not the visitor's error: the page shows the state of the appointment.
    title: view && view.kind !== 'code' ? title : nativeTitle(TASKS[taskOf(posted?.form ?? {})], title, props),
    description: t('See, move or cancel your appointment with the link from your confirmation.'),
    canonicalPath: MANAGE_PATH,
    robots: 'noindex',
    referrer: 'same-origin',
  };
}
