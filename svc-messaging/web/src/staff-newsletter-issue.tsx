/** `/staff/newsletter/{newsletter}`: one sent newsletter and its progress. */
import type { Newsletter, Site } from '@hospital/api/types';
import type { Head, PageData, PageProps } from '@hospital/page';
import { formatDay, formatTime } from '@hospital/page/format';
import { LinkButton } from '@hospital/ui/button';
import { Absent, AbsenceNotice, type AbsenceWords, absenceOf, statusOfAbsence } from '@hospital/ui/desk-absence';
import { Notice } from '@hospital/ui/notice';
import { DELIVERIES_PATH } from './desk/deliveries.ts';
import { MailSheet } from './desk/mail-sheet.tsx';
import { momentOf } from './desk/message.ts';
import { NEWSLETTER_PATH, counted, newsletterAddress } from './desk/newsletter.ts';
import { RESULT } from './desk/row.tsx';
import styles from '@hospital/ui/desk.module.css';

type IssueProps = Omit<PageProps, 'data'> & { data: Partial<PageData<{ newsletter: Newsletter; site: Site }>> };

const WORDS: AbsenceWords = {
  things: 'newsletters',
  whole: 'Write a newsletter',
  page: 'Write a newsletter instead.',
  filter: 'Write a newsletter instead.',
  down: 'No newsletter is lost. Sending continues once the service works again.',
};

export function status(props: IssueProps): number {
  const { newsletter } = props.data;
  if (newsletter?.ok) return 200;
  return isMissing(props) ? 404 : statusOfAbsence(newsletter ? absenceOf(newsletter) : 'down');
}

/** Returns whether there is no such newsletter. An address that is no id counts as none. */
function isMissing({ data: { newsletter } }: IssueProps): boolean {
  return newsletter?.ok === false && [400, 404].includes(newsletter.status);
}

export default function StaffNewsletterIssue(props: IssueProps) {
  const { data, params, now, staff } = props;
  const newsletter = data.newsletter?.ok ? data.newsletter.body : null;
  const here = newsletterAddress(params.newsletter ?? '');
  return (
    <section className={styles.page}>
      <h1>{titleOf(newsletter)}</h1>
      {!newsletter && <Missing props={props} here={here} />}
      {newsletter && (
        <>
          <div id={RESULT} tabIndex={-1}>
            <Progress newsletter={newsletter} seesDeliveries={staff?.scopes.includes('messages:read') ?? false} />
          </div>
          <p className={styles.asOf}>
            {`As of ${formatTime(now)} IST. `}
            <a href={here}>Refresh</a>
          </p>
          <p>Keep the address of this page to look at the progress later: there’s no list of sent newsletters yet.</p>
          <MailSheet draft={newsletter} site={data.site} />
          <p>
            <LinkButton tone="secondary" href={NEWSLETTER_PATH}>
              Write another newsletter
            </LinkButton>
          </p>
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
    const next = <LinkButton href={NEWSLETTER_PATH}>Write a newsletter</LinkButton>;
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

/** Renders the number of mails. The service has no number of all subscribers, so there is no `50 of 150`. */
function Progress({ newsletter, seesDeliveries }: ProgressProps) {
  const { mails, complete, createTime } = newsletter;
  const count = `${counted(mails)} subscriber${mails === 1 ? '' : 's'}`;
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
  const title = `On its way to ${mails === 1 ? count : `all ${count}`}`;
  return (
    <Notice tone="success" title={title}>
      <p>{`They had confirmed their subscriptions by ${momentOf(createTime)}. Mails leave one after the other.`}</p>
      {seesDeliveries && (
        <p>
          Mails that don’t arrive are listed under <a href={DELIVERIES_PATH}>Deliveries</a>.
        </p>
      )}
    </Notice>
  );
}

export function head({ data: { newsletter }, path }: IssueProps): Head {
  return {
    title: newsletter?.ok ? titleOf(newsletter.body) : 'Error: Newsletter',
    description: 'A newsletter and its progress, for staff.',
    canonicalPath: path,
    robots: 'noindex',
    referrer: 'same-origin',
  };
}
