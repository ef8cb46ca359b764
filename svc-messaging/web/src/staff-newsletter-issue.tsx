/** `/staff/newsletter/{newsletter}`: one sent newsletter, its progress, and how to stop it. */
import { pathOf } from '@hospital/api/call';
import type { Newsletter, Site } from '@hospital/api/types';
import type { ActionRequest, FormFields, Head, PageData, PageProps, PostAddress, Problem } from '@hospital/page';
import { formatDay, formatTime } from '@hospital/page/format';
import { LinkButton } from '@hospital/ui/button';
import { Absent, AbsenceNotice, type AbsenceWords, absenceOf, statusOfAbsence } from '@hospital/ui/desk-absence';
import { failureOf, failureText, statusOfFailure } from '@hospital/ui/desk-change';
import { Facts } from '@hospital/ui/desk-facts';
import { Notice } from '@hospital/ui/notice';
import { DELIVERIES_PATH } from './desk/deliveries.ts';
import { MailSheet } from './desk/mail-sheet.tsx';
import { momentOf } from './desk/message.ts';
import {
  NEWSLETTER_PATH,
  STEP,
  counted,
  leftText,
  newsletterAddress,
  stepIn,
  subscribersText,
} from './desk/newsletter.ts';
import { Told, UNREAD, type Words } from './desk/outcome.tsx';
import { progressOf } from './desk/progress.ts';
import { RESULT } from './desk/row.tsx';
import rows from '@hospital/ui/desk-row.module.css';
import styles from '@hospital/ui/desk.module.css';
import own from './desk/newsletter.module.css';

type IssueProps = Omit<PageProps, 'data'> & { data: Partial<PageData<{ newsletter: Newsletter; site: Site }>> };

const WORDS: AbsenceWords = {
  things: 'newsletters',
  whole: 'All newsletters',
  page: 'See all newsletters instead.',
  filter: 'See all newsletters instead.',
  down: 'No newsletter is lost. Sending continues once the service works again.',
};

export function action(posted: FormFields, _now: string, { params }: PostAddress): ActionRequest | null {
  if (stepIn(posted) !== 'stop') return null;
  const path = pathOf({
    template: '/newsletters/{newsletter_id}:stop',
    params: { newsletter_id: params.newsletter ?? '' },
  });
  const text = 'Its progress can’t be shown right now.';
  return { method: 'POST', path, body: {}, receipt: { title: 'Sending is stopped', text } };
}

export function status(props: IssueProps): number {
  const { newsletter } = props.data;
  if (outcomeOf(props)?.tone === 'failure') return statusOfFailure(props.action?.result.status ?? 0);
  if (newsletter?.ok) return 200;
  return isMissing(props) ? 404 : statusOfAbsence(newsletter ? absenceOf(newsletter) : 'down');
}

/** Returns whether there is no such newsletter. An address that is no id counts as none. */
function isMissing({ data: { newsletter } }: IssueProps): boolean {
  return newsletter?.ok === false && [400, 404].includes(newsletter.status);
}

/** Returns the outcome of a stop; null without a post. */
function outcomeOf({ action: posted, data: { newsletter } }: IssueProps): Words | null {
  if (!posted) return null;
  if (stepIn(posted.form) !== 'stop') return UNREAD;
  const { status: code, body } = posted.result;
  if (code >= 200 && code <= 299) {
    return { tone: 'success', title: 'Sending is stopped', text: 'A mail that was just leaving may still arrive.' };
  }
  if ((body as Partial<Problem> | null)?.reason === 'NEWSLETTER_SENT') {
    return { tone: 'failure', title: 'It could not be stopped', text: 'All its mails had left already.' };
  }
  const failure = failureOf(code, newsletter?.ok === true && !newsletter.body.stopTime);
  const title = failure === 'unknown' ? 'Sending may not have been stopped' : 'Sending was not stopped';
  return { tone: 'failure', title, text: failureText(failure, 'newsletter') };
}

export default function StaffNewsletterIssue(props: IssueProps) {
  const { data, params, part, now, staff } = props;
  const outcome = outcomeOf(props);
  const newsletter = data.newsletter?.ok ? data.newsletter.body : null;
  const here = newsletterAddress(params.newsletter ?? '');
  return (
    <section className={styles.page}>
      <p>
        <a href={NEWSLETTER_PATH}>All newsletters</a>
      </p>
      <h1>{titleOf(newsletter)}</h1>
      {outcome && (
        <div id={RESULT} tabIndex={-1}>
          <Told {...outcome} />
        </div>
      )}
      {!newsletter && <Missing props={props} here={here} />}
      {newsletter && (
        <>
          <div {...(!outcome && { id: RESULT, tabIndex: -1 })}>
            <Progress newsletter={newsletter} seesDeliveries={staff?.scopes.includes('messages:read') ?? false} />
          </div>
          <Numbers newsletter={newsletter} />
          {leftText(newsletter) && <p>{`${leftText(newsletter)}.`}</p>}
          <p className={styles.asOf}>
            {`As of ${formatTime(now)} IST. `}
            <a href={here}>Refresh</a>
          </p>
          {progressOf(newsletter).state === 'sending' && <Stop newsletter={newsletter} part={part} />}
          <MailSheet draft={newsletter} site={data.site} />
        </>
      )}
    </section>
  );
}

function titleOf(newsletter: Newsletter | null): string {
  return newsletter ? `Newsletter of ${formatDay(newsletter.createTime)}` : 'Newsletter';
}

function Missing({ props, here }: { props: IssueProps; here: string }) {
  const { newsletter } = props.data;
  if (isMissing(props)) {
    const next = <LinkButton href={NEWSLETTER_PATH}>All newsletters</LinkButton>;
    return (
      <AbsenceNotice title="There is no such newsletter" next={next}>
        There is a mistake in the link.
      </AbsenceNotice>
    );
  }
  const absence = newsletter?.ok === false ? absenceOf(newsletter) : 'down';
  return <Absent absence={absence} words={WORDS} again={here} whole={NEWSLETTER_PATH} />;
}

interface ProgressProps {
  newsletter: Newsletter;
  seesDeliveries: boolean;
}

/** While mails are being created, the service does not know the number of all subscribers. */
function Progress({ newsletter, seesDeliveries }: ProgressProps) {
  const { mails, complete, createTime } = newsletter;
  const { state, text } = progressOf(newsletter);
  const count = subscribersText(mails);
  if (state === 'stopped') {
    return (
      <Notice tone="warning" title={text}>
        <p>The other mails are not sent. To send it to everyone after all, write it anew.</p>
      </Notice>
    );
  }
  if (!complete) {
    return (
      <Notice title={mails > 0 ? `On its way to ${count} so far` : 'Sending has begun'}>
        <p>More mails follow. Refresh this page to see how many.</p>
      </Notice>
    );
  }
  if (mails === 0) {
    return (
      <Notice tone="warning" title="Nobody gets this newsletter">
        <p>{`No subscription was confirmed by ${momentOf(createTime)}.`}</p>
      </Notice>
    );
  }
  const all = mails === 1 ? count : `all ${count}`;
  return (
    <Notice tone="success" title={state === 'sent' ? `Sent to ${all}` : `On its way to ${all}`}>
      <p>{`They had confirmed their subscriptions by ${momentOf(createTime)}. Mails leave one after the other.`}</p>
      {seesDeliveries && (
        <p>
          Mails that don’t arrive are listed under <a href={DELIVERIES_PATH}>Deliveries</a>.
        </p>
      )}
    </Notice>
  );
}

function Numbers({ newsletter }: { newsletter: Newsletter }) {
  const { mails, sent, waiting, failed, withheld, stopTime } = newsletter;
  const { known, over } = progressOf(newsletter);
  // After a stop, waiting mails are withheld within seconds.
  const unsent = withheld + (stopTime ? waiting : 0);
  if (known < mails || known === 0) {
    return mails > 0 && <p className={styles.asOf}>What became of each mail is kept for 30 days.</p>;
  }
  return (
    <>
      <progress className={own.progress} value={over} max={known} aria-label="Mails that have left" />
      <Facts
        facts={[
          ['Sent', counted(sent)],
          ['Waiting', !stopTime && waiting > 0 && counted(waiting)],
          ['Failed, bounced or too late', failed > 0 && counted(failed)],
          ['Not sent: unsubscribed or stopped', unsent > 0 && counted(unsent)],
        ]}
      />
    </>
  );
}

function Stop({ newsletter: { id, subject, sent = 0 }, part }: { newsletter: Newsletter; part: string }) {
  return (
    <form method="post" action={`${newsletterAddress(id)}#${RESULT}`}>
      <input type="hidden" name="part" value={part} />
      <details className={rows.asked}>
        <summary>Stop sending…</summary>
        {`The mails of “${subject}” that have not left yet are not sent. ${counted(sent)} have left and can’t be taken ` +
          'back. A stopped newsletter can’t be continued. '}
        <button className={rows.change} name={STEP} value="stop">
          Stop sending now
        </button>
      </details>
    </form>
  );
}

export function head(props: IssueProps): Head {
  const { data, path } = props;
  const newsletter = data.newsletter?.ok ? data.newsletter.body : null;
  return {
    title: `${status(props) >= 400 ? 'Error: ' : ''}${titleOf(newsletter)}`,
    description: 'A newsletter and its progress, for staff.',
    canonicalPath: path,
    robots: 'noindex',
    referrer: 'same-origin',
  };
}
