/** `/staff/messages/{message}`: one message with its text and sender, the reply, and the changes of its state. */
import type { Head } from '@hospital/page';
import { languageName } from '@hospital/page/language-names';
import { LinkButton } from '@hospital/ui/button';
import { classNames } from '@hospital/ui/class-names';
import { Absent, AbsenceNotice, absenceOf, statusOfAbsence } from '@hospital/ui/desk-absence';
import { Facts } from '@hospital/ui/desk-facts';
import {
  INBOX_PATH,
  type InboxProps,
  QUARANTINE_PATH,
  WORDS,
  doneIn,
  failedStatus,
  headOf,
  mayChange,
  mayErase,
  messageAction,
  messageAddress,
  toneOf,
} from './desk/inbox.ts';
import { DELETE, REASONS, type Reason, deletionText } from './desk/deletion.ts';
import { type Listed, callTo, holderOf, kindOf, momentOf } from './desk/message.ts';
import { Deleted, Erased, Lost, Outcome } from './desk/outcome.tsx';
import { replyTo } from './desk/reply.ts';
import { seenText } from './desk/choice.ts';
import { ChangeForm, Changes, FORM, RESULT, StateMark } from './desk/row.tsx';
import { signalsText } from './desk/signals.ts';
import { stateOf } from './desk/states.ts';
import rows from '@hospital/ui/desk-row.module.css';
import desk from '@hospital/ui/desk.module.css';
import styles from './desk/message.module.css';

export const action = messageAction;

export function status(props: InboxProps): number {
  const failed = failedStatus(props);
  if (failed) return failed;
  const { message } = props.data;
  if (message?.ok || toneOf(doneIn(props)) === 'success') return 200;
  return isMissing(props) ? 404 : statusOfAbsence(message ? absenceOf(message) : 'down');
}

/** Returns whether there is no such message. An address that is no id counts as none. */
function isMissing({ data: { message } }: InboxProps): boolean {
  return message?.ok === false && [400, 404].includes(message.status);
}

export default function StaffMessage(props: InboxProps) {
  const { data, params, part } = props;
  const { change, erasure, deletion } = doneIn(props);
  const here = messageAddress(params.message ?? '');
  const listed = data.message?.ok ? data.message.body : null;
  const changed = change && change.kind !== 'unread' ? change.message : null;
  const shown = deletion?.kind === 'deleted' ? null : (listed ?? changed);
  const rights = { canChange: mayChange(props), canErase: mayErase(props) };
  return (
    <section className={desk.page}>
      <p>
        <Back listed={shown} />
      </p>
      <h1 className={styles.subject}>{shown ? shown.message.subject : 'Message'}</h1>
      {erasure && <Erased erasure={erasure} />}
      {deletion && <Deleted deletion={deletion} />}
      {change && shown && (
        <div id={RESULT} tabIndex={-1}>
          <Outcome change={change} />
        </div>
      )}
      {change && !shown && <Lost change={change} />}
      {!listed && !erasure && deletion?.kind !== 'deleted' && <Missing props={props} here={here} />}
      {shown && (
        <>
          {(rights.canChange || rights.canErase) && <ChangeForm action={here} part={part} by={props.staff?.name} />}
          <div data-live="state">
            <StateMark listed={shown} />
            {stateOf(shown) === 'taken' && holderOf(shown) && !shown.takenByMe && (
              <p>{`${holderOf(shown)} has taken this message.`}</p>
            )}
          </div>
          <p>
            <b>{shown.message.name}</b>,{' '}
            <time dateTime={shown.message.createTime}>{momentOf(shown.message.createTime)}</time>
          </p>
          <p className={styles.text} dir="auto">
            {shown.message.message}
          </p>
          {!rights.canChange && <p>You can see messages but not change them.</p>}
          <div className={styles.actions} data-live="actions">
            <Reply listed={shown} />
            <Changes listed={shown} rights={rights} />
            {rights.canErase && <DeleteQuestion listed={shown} />}
          </div>
          <SenderFacts listed={shown} />
        </>
      )}
    </section>
  );
}

function Back({ listed }: { listed: Listed | null }) {
  return listed && stateOf(listed) === 'quarantined' ? (
    <a href={QUARANTINE_PATH}>Back to the quarantine</a>
  ) : (
    <a href={INBOX_PATH}>Back to the inbox</a>
  );
}

function Missing({ props, here }: { props: InboxProps; here: string }) {
  const { message } = props.data;
  if (isMissing(props)) {
    return (
      <AbsenceNotice title="There is no such message" next={<LinkButton href={INBOX_PATH}>Inbox</LinkButton>}>
        It was deleted, or there is a mistake in the link.
      </AbsenceNotice>
    );
  }
  const absence = message?.ok === false ? absenceOf(message) : 'down';
  return <Absent absence={absence} words={WORDS} again={here} whole={INBOX_PATH} />;
}

function SenderFacts({ listed }: { listed: Listed }) {
  const { message, mailbox, signals } = listed;
  const { email, phone, reference, registration } = message;
  return (
    <Facts
      facts={[
        ['E-mail', email && <a href={`mailto:${encodeURIComponent(email).replace(/%40/g, '@')}`}>{email}</a>],
        ['Phone', phone && <a href={callTo(phone)}>{phone}</a>],
        ['Language', languageName(listed.language)],
        ['Kind', kindOf(message)],
        ['People', registration?.eventId && registration.people],
        ['Mailbox', mailbox],
        ['Reference', reference],
        ['Taken by', holderText(listed)],
        ['Signs of spam', signalsText(signals)],
      ]}
    />
  );
}

/** Returns `Meera Nair, account frontdesk`: names are as each person's client gives them, accounts are verified. */
function holderText(listed: Listed): string {
  const { takenBy, takenByMe, takenByName } = listed;
  const holder = holderOf(listed);
  return takenByName && !takenByMe ? `${holder}, account ${takenBy}` : holder;
}

/** Asks before a deletion, with its reason. */
function DeleteQuestion({ listed }: { listed: Listed }) {
  const { name, subject, createTime } = listed.message;
  const seen = seenText(listed);
  return (
    <details className={rows.asked} name="asked">
      <summary>Delete this message…</summary>
      {`“${subject}” from ${name}, ${momentOf(createTime)}, and the mails about it are deleted. It can’t be undone. Other ` +
        'messages of the sender stay. Why?'}
      {Object.entries(REASONS).map(([reason, label]) => (
        <button
          key={reason}
          form={FORM}
          name={DELETE}
          value={deletionText(reason as Reason, seen)}
          className={classNames(rows.change, styles.reason)}
        >
          {label}
        </button>
      ))}
    </details>
  );
}

/** A suspect message gets no reply button: a reply confirms the address to a sender of spam. */
function Reply({ listed }: { listed: Listed }) {
  const { message } = listed;
  const state = stateOf(listed);
  if (!message.email || state === 'quarantined' || state === 'spam') return null;
  return (
    <LinkButton
      href={replyTo(message)}
      tone={state === 'done' || (state === 'taken' && !listed.takenByMe) ? 'secondary' : 'primary'}
    >
      Reply by e-mail
    </LinkButton>
  );
}

export function head(props: InboxProps): Head {
  return headOf(props, 'Message', INBOX_PATH, !props.data.message?.ok);
}
