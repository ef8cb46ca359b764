/**
 * `/appointment/manage`: an appointment or an entry of the waitlist, for whoever has its link. Nothing of it is shown before the
 * service has checked the secret, and nothing is changed by opening the link.
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
import { type AppointmentProps, contactOf, departmentsOf, doctorsOf } from './appointment/data.ts';
import { VisitHelp } from './appointment/visit-help.tsx';
import { AppointmentView } from './manage/appointment-view.tsx';
import type { Person } from './manage/change-details.tsx';
import { Find } from './manage/find.tsx';
import { TASKS, taskOf } from './manage/forms.ts';
import { MANAGE_PATH, isWaitlist } from './manage/link.ts';
import { newsTitle } from './manage/news.tsx';
import { type Opened, isOpen, linkTo, opened, openedBy } from './manage/opened.ts';
import { Unfinished } from './manage/unfinished.tsx';
import { useLinkInAddress } from './manage/use-link-in-address.ts';
import type { TaskContext } from './manage/use-task.ts';
import { WaitlistView } from './manage/waitlist-view.tsx';
import styles from './manage/manage.module.css';

const TITLE = 'Your appointment';

export const action = (posted: FormFields, now: string) => nativeAction(TASKS[taskOf(posted)])(posted, now);

export const status = (props: AppointmentProps) => nativeStatus(TASKS[taskOf(props.action?.form ?? {})])(props);

export default function ManagePage(props: AppointmentProps) {
  const { now, part, action: posted } = props;
  const [view, setView] = useState(() => openedBy(posted, now));
  const [typed, setTyped] = useState<Partial<Person> | null>(null);
  const sent = useRef<Partial<Person> | null>(null);
  const reading = useRef(false);
  const heading = useFocusOnChange(view);
  const contact = contactOf(props);
  const departments = departmentsOf(props);
  const doctors = doctorsOf(props);
  useLinkInAddress(view);

  function show(next: Opened) {
    setTyped(next.news === 'stale' ? sent.current : null);
    sent.current = null;
    setView(next);
  }

  async function readAgain(news: 'stale' | 'over') {
    const link = view && linkTo(view);
    if (!link || reading.current) return;
    reading.current = true;
    const read = isWaitlist(link) ? getWaitlistEntry : getAppointment;
    const name = isWaitlist(link) ? 'X-Waitlist-Secret' : 'X-Appointment-Secret';
    try {
      const answer = await read(link.reference, { headers: { [name]: link.secret } });
      // What was taken at the last second was taken.
      const isBooked = 'state' in answer && answer.state === 'WAITLIST_STATE_BOOKED';
      show(opened(answer, link.secret, isBooked ? 'find' : news, serverTime()));
    } catch (error) {
      // The alert of the form that was sent stays, and says what to do.
      if (!(error instanceof ApiProblem)) throw error;
    } finally {
      reading.current = false;
    }
  }

  const context: TaskContext = {
    now,
    part,
    // What it has opened is shown; the forms in it are new ones.
    action: view ? null : posted,
    onDone: (answer, task, secret) => show(opened(answer, secret, task, serverTime())),
    onStale: () => void readAgain('stale'),
    onOver: () => void readAgain('over'),
  };
  const shared = { context, contact, departments, doctors };
  return (
    <div className={styles.page}>
      <h1 className={styles.title} tabIndex={-1} ref={heading}>
        {(view && newsTitle(view.news)) || (view?.kind === 'waitlist' ? 'Your place on the waitlist' : TITLE)}
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
          {!view &&
            (posted && taskOf(posted.form) !== 'find' ? (
              <Unfinished action={posted} {...shared} />
            ) : (
              <Find context={context} contact={contact} />
            ))}
        </div>
        <VisitHelp contact={contact} done={!isComing(view)} />
      </div>
    </div>
  );
}

/** What is read out first is what has become of it, and it is in sight. A dialog that closes would leave the focus nowhere. */
function useFocusOnChange(view: Opened | null): RefObject<HTMLHeadingElement | null> {
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

/** An appointment to prepare for. */
function isComing(view: Opened | null): boolean {
  return view?.kind === 'appointment' && isOpen(view.appointment, view.at);
}

export function head(props: AppointmentProps): Head {
  const { data, action: posted } = props;
  return {
    title: nativeTitle(TASKS[taskOf(posted?.form ?? {})], titled(TITLE, data.site), props),
    description: 'See, move or cancel your appointment with the link from your confirmation.',
    canonicalPath: MANAGE_PATH,
    robots: 'noindex',
    referrer: 'same-origin',
  };
}
