/** `/staff/newsletter/drafts/{draft}`: a draft as its readers will see it, its form, and its sending. */
import type { NewsletterDraft, Site } from '@hospital/api/types';
import type { FormFields, Head, PageData, PageProps, PostAddress } from '@hospital/page';
import { Button, LinkButton } from '@hospital/ui/button';
import { Absent, AbsenceNotice, type AbsenceWords, absenceOf, statusOfAbsence } from '@hospital/ui/desk-absence';
import { statusOfFailure } from '@hospital/ui/desk-change';
import { type DraftFailure, type DraftView, type PreviewStep, draftRequest, draftViewOf } from './desk/draft.ts';
import { MailSheet } from './desk/mail-sheet.tsx';
import { momentOf } from './desk/message.ts';
import { NewsletterForm, Refused } from './desk/newsletter-form.tsx';
import { NEWSLETTER_PATH, STEP, draftAddress, newsletterAddress, subscribersText } from './desk/newsletter.ts';
import { Told } from './desk/outcome.tsx';
import { RESULT } from './desk/row.tsx';
import rows from '@hospital/ui/desk-row.module.css';
import styles from '@hospital/ui/desk.module.css';
import own from './desk/newsletter.module.css';

type DraftProps = Omit<PageProps, 'data'> & { data: Partial<PageData<{ draft: NewsletterDraft; site: Site }>> };
type View<Kind extends DraftView['kind']> = Extract<DraftView, { kind: Kind }>;

const WORDS: AbsenceWords = {
  things: 'drafts',
  whole: 'All newsletters',
  page: 'See all newsletters instead.',
  filter: 'See all newsletters instead.',
  down: 'No draft is lost, and nothing was sent.',
};

export const action = (posted: FormFields, _now: string, { params }: PostAddress) =>
  draftRequest(posted, params.draft ?? '');

function viewOf({ action: posted, data, query }: DraftProps): DraftView {
  return draftViewOf(posted, data.draft, Boolean(query.edit));
}

/** Leads from a saved form to the preview, and from a sent draft to the page of the newsletter. */
export function location(props: DraftProps): string | null {
  const id = props.params.draft ?? '';
  const { kind } = viewOf(props);
  return kind === 'saved' ? draftAddress(id) : kind === 'sent' ? newsletterAddress(id) : null;
}

export function status(props: DraftProps): number {
  const view = viewOf(props);
  if (location(props)) return 303;
  if (isRefused(view)) return statusOfFailure(props.action?.result.status ?? 0);
  if (view.kind !== 'absent') return 200;
  const { draft } = props.data;
  return isMissing(props) ? 404 : statusOfAbsence(draft && !draft.ok ? absenceOf(draft) : 'down');
}

function isRefused(view: DraftView): boolean {
  return ('failure' in view && view.failure !== null) || (view.kind === 'edit' && view.violations.length > 0);
}

/** Returns whether there is no such draft. An address that is no id counts as none. */
function isMissing({ data: { draft } }: DraftProps): boolean {
  return draft?.ok === false && [400, 404].includes(draft.status);
}

export default function StaffNewsletterDraft(props: DraftProps) {
  const view = viewOf(props);
  return (
    <section className={styles.page}>
      <p>
        <a href={NEWSLETTER_PATH}>All newsletters</a>
      </p>
      {view.kind === 'preview' && <Preview view={view} props={props} />}
      {view.kind === 'edit' && <Edit view={view} props={props} />}
      {view.kind === 'absent' && <Missing failure={view.failure} props={props} />}
      {(view.kind === 'deleted' || view.kind === 'saved' || view.kind === 'sent' || view.kind === 'tested') && (
        <>
          <h1>Newsletter</h1>
          <div id={RESULT} tabIndex={-1}>
            <Told tone="success" {...DONE[view.kind]} />
          </div>
        </>
      )}
    </section>
  );
}

const DONE = {
  deleted: { title: 'The draft is deleted', text: 'Nobody got it.' },
  saved: { title: 'The draft is saved', text: 'Nothing was sent.' },
  tested: { title: 'The test is on its way to you', text: 'The draft can’t be shown right now.' },
  sent: { title: 'The newsletter is on its way', text: 'Its progress can’t be shown right now.' },
} as const;

function Preview({ view: { draft, step, failure }, props }: { view: View<'preview'>; props: DraftProps }) {
  const { data, params, part } = props;
  const here = draftAddress(params.draft ?? '');
  const { subscribers } = draft;
  return (
    <>
      <h1 {...(!step && { id: RESULT, tabIndex: -1 })}>Preview</h1>
      {failure && <Failed step={step ?? 'send'} failure={failure} />}
      {step && failure === null && (
        <div id={RESULT} tabIndex={-1}>
          <Told
            tone="success"
            title="The test is on its way to you"
            text="Nobody else gets it. It can take a minute."
          />
        </div>
      )}
      {step === null && (
        <p>Nothing is sent yet. This is what readers will see, in the colours of their mail program.</p>
      )}
      <p>
        {subscribers > 0 ? (
          <>
            It would reach <b>{subscribersText(subscribers)}</b> now: all who have confirmed.
          </>
        ) : (
          'It would reach nobody now: no subscription is confirmed.'
        )}
      </p>
      <MailSheet draft={draft} site={data.site} />
      {draft.plainText && (
        <details>
          <summary>The same as plain text</summary>
          <p className={own.plain}>{draft.plainText}</p>
        </details>
      )}
      <form method="post" action={`${here}#${RESULT}`}>
        <input type="hidden" name="part" value={part} />
        <input type="hidden" name="etag" value={draft.etag} />
        {draft.canTest && (
          <p className={styles.actions}>
            <Button type="submit" tone="secondary" name={STEP} value="test">
              Send it to me
            </Button>
            <span className={own.hint}>As a test, to your own e-mail address only.</span>
          </p>
        )}
        <div className={styles.actions}>
          <LinkButton tone="secondary" href={draftAddress(params.draft ?? '', true)}>
            Change the text
          </LinkButton>
          {subscribers > 0 && (
            <details className={rows.asked} name="asked">
              <summary>Send to all subscribers…</summary>
              {`“${draft.subject}” goes to ${subscribersText(subscribers)} who confirmed. You can stop it while it is ` +
                'being sent, but mails that have left can’t be taken back. '}
              <button className={rows.change} name={STEP} value="send">
                Send it to all subscribers now
              </button>
            </details>
          )}
          <details className={rows.asked} name="asked">
            <summary>Delete the draft…</summary>
            {`“${draft.subject}” is deleted for everyone. It can’t be undone. `}
            <button className={rows.change} name={STEP} value="delete">
              Delete this draft
            </button>
          </details>
        </div>
      </form>
      <p className={styles.asOf}>
        {`Changed ${momentOf(draft.updateTime)}.`}
        {!draft.canTest &&
          ' You can’t send a test to yourself: your sign-in doesn’t give us a confirmed e-mail address of yours.'}
      </p>
    </>
  );
}

function Failed({ step, failure }: { step: 'save' | PreviewStep; failure: DraftFailure }) {
  return (
    <div id={RESULT} tabIndex={-1}>
      <Told tone="failure" title={titleOf(step, failure)} text={adviceFor(step, failure)} />
    </div>
  );
}

const VERBS = {
  save: ['saved', 'Save'],
  test: ['sent', 'Send'],
  send: ['sent', 'Send'],
  delete: ['deleted', 'Delete'],
} as const;
const THINGS = { save: 'The draft', test: 'The test', send: 'The newsletter', delete: 'The draft' } as const;

function titleOf(step: 'save' | PreviewStep, failure: DraftFailure): string {
  return `${THINGS[step]} ${failure === 'unknown' ? 'may not have been' : 'was not'} ${VERBS[step][0]}`;
}

function adviceFor(step: 'save' | PreviewStep, failure: DraftFailure): string {
  const [, verb] = VERBS[step];
  switch (failure) {
    case 'stale':
      return step === 'save'
        ? 'Another person has changed it since you opened it. Your text is still here, and theirs is below. If you ' +
            'save now, yours replaces it.'
        : `Another person has changed it since you opened it. This is the text as it is now. ${verb} it if it is right.`;
    case 'unknown':
      return step === 'send'
        ? 'We got no reply. Send it again: it is sent only once.'
        : `We got no reply. ${verb} it again: a second time does no harm.`;
    case 'signedOut':
      return `Your sign-in has ended. Sign in again in another tab, then ${verb.toLowerCase()} it.`;
    case 'refused':
      return 'Your role doesn’t include newsletters. Ask the person who manages staff accounts at the hospital.';
    case 'limit':
      return `There were many requests in a short time. Wait a minute, then ${verb.toLowerCase()} it again.`;
    case 'gone':
      return step === 'save'
        ? 'It was sent or deleted meanwhile. Your text is still here: copy it to a new newsletter if you need it.'
        : 'It was sent or deleted meanwhile.';
    case 'noEmail':
      return 'Your sign-in doesn’t give us a confirmed e-mail address of yours. Ask the person who manages staff accounts.';
    case 'testsMax':
      return 'You can send yourself 10 tests an hour. Wait a while, then send it again.';
    case 'unsaved':
      return `We couldn’t accept it. Please ${verb.toLowerCase()} it again.`;
  }
}

function Edit({ view, props }: { view: View<'edit'>; props: DraftProps }) {
  const { data, params, part } = props;
  const { typed, etag, violations, failure, present } = view;
  const id = params.draft ?? '';
  return (
    <>
      <h1>Change the newsletter</h1>
      {violations.length > 0 && <Refused violations={violations} />}
      {failure && <Failed step="save" failure={failure} />}
      <NewsletterForm
        action={draftAddress(id, true)}
        part={part}
        draft={typed}
        violations={violations}
        hidden={{ etag }}
        step="save"
      >
        <LinkButton tone="secondary" href={draftAddress(id)}>
          Leave it as it was
        </LinkButton>
      </NewsletterForm>
      {present && (
        <>
          <h2>As it was saved by the other person</h2>
          <MailSheet draft={present} site={data.site} />
        </>
      )}
    </>
  );
}

function Missing({ failure, props }: { failure: DraftFailure | null; props: DraftProps }) {
  const { data, params } = props;
  if (isMissing(props)) {
    return (
      <>
        <h1>Newsletter</h1>
        <div id={RESULT} tabIndex={-1}>
          <AbsenceNotice
            title="There is no such draft"
            next={<LinkButton href={NEWSLETTER_PATH}>All newsletters</LinkButton>}
          >
            It was sent or deleted, or there is a mistake in the link.
          </AbsenceNotice>
        </div>
      </>
    );
  }
  const absence = data.draft && !data.draft.ok ? absenceOf(data.draft) : 'down';
  return (
    <>
      <h1>Newsletter</h1>
      {failure && <Failed step="send" failure={failure} />}
      <Absent absence={absence} words={WORDS} again={draftAddress(params.draft ?? '')} whole={NEWSLETTER_PATH} />
    </>
  );
}

export function head(props: DraftProps): Head {
  const { kind } = viewOf(props);
  const title = kind === 'preview' ? 'Preview: Newsletter' : 'Newsletter';
  return {
    title: status(props) >= 400 ? 'Error: Newsletter' : title,
    description: 'A draft of a newsletter, for staff.',
    canonicalPath: props.path,
    robots: 'noindex',
    referrer: 'same-origin',
  };
}
