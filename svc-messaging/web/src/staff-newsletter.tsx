/** `/staff/newsletter`: a newsletter is written, previewed, and sent to all subscribers. */
import type { Site } from '@hospital/api/types';
import type { FormFields, Head, PageData, PageProps } from '@hospital/page';
import { Button } from '@hospital/ui/button';
import { type Failure, statusOfFailure } from '@hospital/ui/desk-change';
import { ErrorSummary } from '@hospital/ui/error-summary';
import { TextArea } from '@hospital/ui/text-area';
import { TextInput } from '@hospital/ui/text-input';
import { MailSheet } from './desk/mail-sheet.tsx';
import {
  NEWSLETTER_PATH,
  STEP,
  SUBJECT_CHARACTERS_MAX,
  type Stage,
  TEXT_CHARACTERS_MAX,
  counted,
  newsletterAddress,
  sendRequest,
  stageOf,
} from './desk/newsletter.ts';
import { Told } from './desk/outcome.tsx';
import { RESULT } from './desk/row.tsx';
import rows from '@hospital/ui/desk-row.module.css';
import styles from '@hospital/ui/desk.module.css';
import own from './desk/newsletter.module.css';

type NewsletterProps = Omit<PageProps, 'data'> & { data: Partial<PageData<{ site: Site }>> };

export const action = (posted: FormFields) => sendRequest(posted);

/** Leads from a sent form to the page of the newsletter, which can be reloaded. */
export function location({ action: posted }: NewsletterProps): string | null {
  const stage = stageOf(posted);
  return stage.kind === 'sent' && stage.id ? newsletterAddress(stage.id) : null;
}

export function status(props: NewsletterProps): number {
  if (location(props)) return 303;
  return isRefused(stageOf(props.action)) ? statusOfFailure(props.action?.result.status ?? 0) : 200;
}

function isRefused(stage: Stage): boolean {
  return stage.kind === 'write' ? stage.violations.length > 0 : stage.kind === 'preview' && stage.failure !== null;
}

export default function StaffNewsletter({ action: posted, part, data }: NewsletterProps) {
  const stage = stageOf(posted);
  return (
    <section className={styles.page}>
      {stage.kind === 'write' && <Write stage={stage} part={part} />}
      {stage.kind === 'preview' && <Preview stage={stage} part={part} site={data.site} />}
      {stage.kind === 'sent' && <Sent />}
    </section>
  );
}

/** Address of the forms. They lead to the outcome, so that a phone shows it first. */
const HERE = `${NEWSLETTER_PATH}#${RESULT}`;
/** Needs a third of the bytes of the usual encoding for Kannada: the gateway reads at most 64 KiB. */
const ENCODING = 'multipart/form-data';

function Write({ stage, part }: { stage: Extract<Stage, { kind: 'write' }>; part: string }) {
  const { draft, violations, isAgain } = stage;
  const errorOf = (field: string) => violations.find((one) => one.field === field)?.message;
  return (
    <>
      <h1>Newsletter</h1>
      {violations.length > 0 && (
        <div id={RESULT} tabIndex={-1}>
          <ErrorSummary
            title="Please check what you wrote"
            errors={violations.map(({ field, message }) => ({ id: field, message }))}
            takesFocus={false}
          />
        </div>
      )}
      <p>A newsletter goes to everyone who has confirmed a subscription. You see a preview before anything is sent.</p>
      <form className={own.form} method="post" action={HERE} encType={ENCODING}>
        <input type="hidden" name="part" value={part} />
        <TextInput
          id="subject"
          name="subject"
          label="Subject"
          hint={`One line, at most ${SUBJECT_CHARACTERS_MAX} characters. It is also the heading of the mail.`}
          error={errorOf('subject')}
          defaultValue={draft.subject}
          autoComplete="off"
        />
        <TextArea
          id="text"
          name="text"
          label="Text"
          hint={
            `At most ${counted(TEXT_CHARACTERS_MAX)} characters. An empty line begins a new paragraph. Web addresses ` +
            'that begin with https:// become links. Other formatting, such as Markdown, stays as you type it.'
          }
          error={errorOf('text')}
          defaultValue={draft.text}
          rows={12}
          {...(isAgain && { 'data-focus': '' })}
        />
        <p className={styles.actions}>
          <Button type="submit" name={STEP} value="preview">
            Preview
          </Button>
        </p>
      </form>
      <p className={styles.asOf}>
        Drafts aren’t kept here: finish a newsletter in one go, or keep its text in a document of your own. After
        sending, you get to a page with its progress. Keep the address of that page: there’s no list of sent newsletters
        yet.
      </p>
    </>
  );
}

interface PreviewProps {
  stage: Extract<Stage, { kind: 'preview' }>;
  part: string;
  site: NewsletterProps['data']['site'];
}

function Preview({ stage: { draft, failure }, part, site }: PreviewProps) {
  return (
    <>
      <h1 {...(!failure && { id: RESULT, tabIndex: -1 })}>Preview</h1>
      {failure && (
        <div id={RESULT} tabIndex={-1}>
          <Told tone="failure" title={titleOf(failure)} text={adviceFor(failure)} />
        </div>
      )}
      {!failure && <p>Nothing is sent yet. This is what readers will see, in the colours of their mail program.</p>}
      <MailSheet draft={draft} site={site} />
      <form method="post" action={HERE} encType={ENCODING}>
        <input type="hidden" name="part" value={part} />
        <input type="hidden" name="subject" value={draft.subject} />
        <input type="hidden" name="text" value={draft.text} />
        <div className={styles.actions}>
          <Button type="submit" tone="secondary" name={STEP} value="write">
            Change the text
          </Button>
          <details className={rows.asked}>
            <summary>Send to all subscribers…</summary>
            {`“${draft.subject.trim()}” goes to everyone who has confirmed a subscription. You see how many they are ` +
              'after sending. It can’t be stopped or taken back. '}
            <button className={rows.change} name={STEP} value="send">
              Send it to all subscribers now
            </button>
          </details>
        </div>
      </form>
    </>
  );
}

function titleOf(failure: Failure): string {
  return failure === 'unknown' ? 'The newsletter may not have been sent' : 'The newsletter was not sent';
}

function adviceFor(failure: Failure): string {
  switch (failure) {
    case 'unknown':
      return 'We got no reply. Send it again, without a change: the same newsletter from you is sent only once.';
    case 'signedOut':
      return 'Your sign-in has ended. Sign in again in another tab, then send it.';
    case 'refused':
      return 'Your role doesn’t include newsletters. Ask the person who manages staff accounts at the hospital.';
    case 'limit':
      return 'There were many requests in a short time. Wait a minute, then send it again.';
    case 'unsaved':
    case 'gone':
      return 'We couldn’t accept it. Please send it again.';
  }
}

function Sent() {
  return (
    <>
      <h1>Newsletter</h1>
      <div id={RESULT} tabIndex={-1}>
        <Told tone="success" title="The newsletter is on its way" text="Its progress can’t be shown right now." />
      </div>
      <p>
        <a href={NEWSLETTER_PATH}>Write a newsletter</a>
      </p>
    </>
  );
}

export function head(props: NewsletterProps): Head {
  const stage = stageOf(props.action);
  const prefix = isRefused(stage) ? 'Error: ' : stage.kind === 'preview' ? 'Preview: ' : '';
  return {
    title: `${stage.kind === 'sent' ? 'Sent: ' : prefix}Newsletter`,
    description: 'Newsletters to subscribers, for staff.',
    canonicalPath: NEWSLETTER_PATH,
    robots: 'noindex',
    referrer: 'same-origin',
  };
}
