/** `/staff/newsletter`: drafts, sent newsletters with their progress, and the form of a new one. */
import type { ListNewsletterDraftsResponse, ListNewslettersResponse } from '@hospital/api/types';
import type { DataResult, FormFields, Head, PageData, PageProps } from '@hospital/page';
import { address } from '@hospital/ui/address';
import { classNames } from '@hospital/ui/class-names';
import { Absent, type AbsenceWords, absenceOf, statusOfAbsence } from '@hospital/ui/desk-absence';
import { statusOfFailure } from '@hospital/ui/desk-change';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { momentOf } from './desk/message.ts';
import { NewsletterForm, Refused } from './desk/newsletter-form.tsx';
import {
  NEWSLETTER_PATH,
  type Writing,
  createRequest,
  draftAddress,
  leftText,
  newsletterAddress,
  writingOf,
} from './desk/newsletter.ts';
import { Told } from './desk/outcome.tsx';
import { progressOf } from './desk/progress.ts';
import { RESULT } from './desk/row.tsx';
import rows from '@hospital/ui/desk-row.module.css';
import styles from '@hospital/ui/desk.module.css';
import marks from './desk/row.module.css';
import own from './desk/newsletter.module.css';

interface Bodies {
  drafts: ListNewsletterDraftsResponse;
  sent: ListNewslettersResponse;
}

type NewsletterProps = Omit<PageProps, 'data'> & { data: Partial<PageData<Bodies>> };

/** Element id of the form. */
const WRITE = 'write';

const DRAFTS: AbsenceWords = {
  things: 'drafts',
  whole: 'All drafts',
  page: 'Begin at the first page of the list.',
  filter: 'Begin at the first page of the list.',
  down: 'No draft is lost. You can write a newsletter once the service works again.',
};
const SENT: AbsenceWords = {
  ...DRAFTS,
  things: 'sent newsletters',
  whole: 'All newsletters',
  down: 'No newsletter is lost. Sending continues once the service works again.',
};

export const action = (posted: FormFields) => createRequest(posted);

/** Leads from the form to the preview of the draft, which can be reloaded. */
export function location({ action: posted, now }: NewsletterProps): string | null {
  const { saved } = writingOf(posted, now);
  return saved ? draftAddress(saved) : null;
}

export function status(props: NewsletterProps): number {
  const { drafts, sent } = props.data;
  if (location(props)) return 303;
  if (isRefused(writingOf(props.action, props.now))) return statusOfFailure(props.action?.result.status ?? 0);
  const failed = [drafts, sent].find((list) => !list?.ok);
  return failed || !drafts || !sent ? statusOfAbsence(absenceIn(failed)) : 200;
}

function absenceIn(list: DataResult | undefined) {
  return list && !list.ok ? absenceOf(list) : 'down';
}

function isRefused({ violations, failure }: Writing): boolean {
  return violations.length > 0 || failure !== null;
}

export default function StaffNewsletter(props: NewsletterProps) {
  const { action: posted, part, now } = props;
  const writing = writingOf(posted, now);
  const { draft, violations, failure, saved, begun } = writing;
  const lists = (
    <>
      <Drafts {...props} />
      <Sent {...props} />
    </>
  );
  return (
    <section className={styles.page}>
      <div className={styles.head}>
        <h1>Newsletter</h1>
        <a className={rows.change} href={`#${WRITE}`}>
          Write a newsletter
        </a>
      </div>
      {saved === '' && (
        <div id={RESULT} tabIndex={-1}>
          <Told tone="success" title="The draft is saved" text="Nothing was sent. It is listed below." />
        </div>
      )}
      {violations.length > 0 && <Refused violations={violations} />}
      {failure && (
        <div id={RESULT} tabIndex={-1}>
          <Told
            tone="failure"
            title={failure === 'unknown' ? 'The draft may not have been saved' : 'The draft was not saved'}
            text={adviceFor(failure)}
          />
        </div>
      )}
      {!isRefused(writing) && lists}
      <h2 id={WRITE} tabIndex={-1}>
        Write a newsletter
      </h2>
      <p>
        A newsletter goes to everyone who has confirmed a subscription. You see a preview, and how many they are, before
        anything is sent.
      </p>
      <NewsletterForm
        action={NEWSLETTER_PATH}
        part={part}
        draft={draft}
        violations={violations}
        hidden={{ begun }}
        step="create"
      />
      {isRefused(writing) && lists}
    </section>
  );
}

function adviceFor(failure: NonNullable<Writing['failure']>): string {
  switch (failure) {
    case 'full':
      return 'There are 100 drafts already. Delete one of them, then save this one. Your text is still here.';
    case 'unknown':
      return 'We got no reply. Save it again, without a change: it is saved only once.';
    case 'signedOut':
      return 'Your sign-in has ended. Sign in again in another tab, then save it.';
    case 'refused':
      return 'Your role doesn’t include newsletters. Ask the person who manages staff accounts at the hospital.';
    case 'limit':
      return 'There were many requests in a short time. Wait a minute, then save it again.';
    case 'gone':
      return 'This form was saved before, and its draft has been sent or deleted since. Open this page anew to write.';
    case 'unsaved':
      return 'We couldn’t accept it. Please save it again.';
  }
}

function Drafts({ data, query }: NewsletterProps) {
  const { draftToken = '', pageToken = '' } = query;
  const list = data.drafts;
  const here = address(NEWSLETTER_PATH, { draftToken, pageToken });
  return (
    <div className={styles.group}>
      <h2>Drafts</h2>
      {!list?.ok && <Absent absence={absenceIn(list)} words={DRAFTS} again={here} whole={NEWSLETTER_PATH} />}
      {list?.ok && list.body.drafts.length === 0 && (
        <NothingYet>
          <p>There are no drafts. What you save below is kept here until it is sent or deleted.</p>
        </NothingYet>
      )}
      {list?.ok && list.body.drafts.length > 0 && (
        <ol className={styles.rows}>
          {list.body.drafts.map(({ id, subject, updateTime }) => (
            <li key={id} className={classNames(rows.row, own.item)}>
              <h3 className={rows.name}>
                <a href={draftAddress(id)}>{subject}</a>
              </h3>
              <p className={classNames(rows.state, marks.state)} data-state="postponed">
                Draft
              </p>
              <p className={own.about}>{`Changed ${momentOf(updateTime)}`}</p>
            </li>
          ))}
        </ol>
      )}
      {list?.ok && (
        <Pages
          label="More drafts"
          first={draftToken && address(NEWSLETTER_PATH, { pageToken })}
          next={list.body.nextPageToken && address(NEWSLETTER_PATH, { pageToken, draftToken: list.body.nextPageToken })}
        />
      )}
    </div>
  );
}

function Sent({ data, query }: NewsletterProps) {
  const { draftToken = '', pageToken = '' } = query;
  const list = data.sent;
  const here = address(NEWSLETTER_PATH, { draftToken, pageToken });
  return (
    <div className={styles.group}>
      <h2>Sent</h2>
      {!list?.ok && <Absent absence={absenceIn(list)} words={SENT} again={here} whole={NEWSLETTER_PATH} />}
      {list?.ok && list.body.newsletters.length === 0 && (
        <NothingYet>
          <p>No newsletter was sent yet.</p>
        </NothingYet>
      )}
      {list?.ok && list.body.newsletters.length > 0 && (
        <ol className={styles.rows}>
          {list.body.newsletters.map((newsletter) => {
            const { state, label, text } = progressOf(newsletter);
            return (
              <li key={newsletter.id} className={classNames(rows.row, own.item)}>
                <h3 className={rows.name}>
                  <a href={newsletterAddress(newsletter.id)}>{newsletter.subject}</a>
                </h3>
                <p className={classNames(rows.state, marks.state)} data-state={MARKS[state]}>
                  {label}
                </p>
                <p className={own.about}>
                  {`${text}. Begun ${momentOf(newsletter.createTime)}`}
                  {leftText(newsletter) && `. ${leftText(newsletter)}`}
                </p>
              </li>
            );
          })}
        </ol>
      )}
      {list?.ok && (
        <Pages
          label="More newsletters"
          first={pageToken && address(NEWSLETTER_PATH, { draftToken })}
          next={list.body.nextPageToken && address(NEWSLETTER_PATH, { draftToken, pageToken: list.body.nextPageToken })}
        />
      )}
    </div>
  );
}

/** Shapes of the states. */
const MARKS = { sending: 'new', sent: 'done', stopped: 'expired' } as const;

function Pages({ label, first, next }: { label: string; first: string; next: string }) {
  if (!first && !next) return null;
  return (
    <nav className={styles.pages} aria-label={label}>
      {first && <a href={first}>First page</a>}
      {next && <a href={next}>Older</a>}
    </nav>
  );
}

export function head(props: NewsletterProps): Head {
  const isError = status(props) >= 400;
  return {
    title: `${isError ? 'Error: ' : ''}Newsletter`,
    description: 'Newsletters to subscribers, for staff.',
    canonicalPath: NEWSLETTER_PATH,
    robots: 'noindex',
    referrer: 'same-origin',
  };
}
