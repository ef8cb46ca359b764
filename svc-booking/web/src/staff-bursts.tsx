/** `/staff/bursts`: networks that booked much in a short time, and the cancellation of their bookings. */
import type { Burst } from '@hospital/api/types';
import type { Head } from '@hospital/page';
import { formatTime } from '@hospital/page/format';
import { Button, LinkButton } from '@hospital/ui/button';
import { CheckBoxes } from '@hospital/ui/check-boxes';
import { classNames } from '@hospital/ui/class-names';
import { Absent, absenceOf, statusOfAbsence } from '@hospital/ui/desk-absence';
import { failureText, statusOfFailure } from '@hospital/ui/desk-change';
import { Notice } from '@hospital/ui/notice';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { Select } from '@hospital/ui/select';
import { TextInput } from '@hospital/ui/text-input';
import {
  BOOKINGS_DEFAULT,
  BOOKINGS_MAX,
  BOOKINGS_MIN,
  BURST,
  BURSTS_PATH,
  type BurstProps,
  CANCEL,
  KEEP,
  KEPT_MAX,
  NOTIFY,
  type Outcome,
  ROWS_MAX,
  type Span,
  WORDS,
  burstRequest,
  burstsAddress,
  countText,
  outcomeOf,
  periodText,
  periodsOf,
  spanText,
  textOf,
} from './desk/bursts.ts';
import { mayChange } from './desk/day.ts';
import { RESULT } from './desk/row.tsx';
import { isMoment } from './desk/waitlist.ts';
import rows from '@hospital/ui/desk-row.module.css';
import styles from '@hospital/ui/desk.module.css';
import book from './desk/book.module.css';
import row from './desk/row.module.css';

export const action = burstRequest;

export function status(props: BurstProps): number {
  const { action: posted } = props;
  const outcome = outcomeOf(posted);
  if (posted && outcome) {
    return outcome.kind === 'failed' || outcome.kind === 'unread' ? statusOfFailure(posted.result.status) : 200;
  }
  const absence = absenceIn(props);
  return absence ? statusOfAbsence(absence) : 200;
}

function absenceIn({ data: { list } }: BurstProps) {
  if (!list) return 'down';
  return list.ok ? null : absenceOf(list);
}

const TITLE = 'Booking bursts';

export default function StaffBursts(props: BurstProps) {
  const { action: posted, query } = props;
  const here = burstsAddress(query);
  const outcome = outcomeOf(posted);
  const absence = absenceIn(props);
  const isLook = outcome?.kind === 'looked';
  return (
    <section className={styles.page}>
      <h1>{TITLE}</h1>
      {outcome && <Result {...{ props, outcome, here }} />}
      {isLook && (
        <p>
          <a href={here}>Back to the list without a change</a>
        </p>
      )}
      {!isLook && <p>{ABOUT}</p>}
      {!isLook && <FilterForm props={props} />}
      {!isLook && absence && <Absent absence={absence} words={WORDS} again={here} whole={BURSTS_PATH} />}
      {!isLook && !absence && <List {...{ props, here }} />}
    </section>
  );
}

const ABOUT =
  'Each row is one network with many bookings in the chosen period. A clinic or a family may share one, and so may a ' +
  'script that takes other people’s times. Look at the bookings before you cancel them.';

function FilterForm({ props: { now, query } }: { props: BurstProps }) {
  const { since = '', bookings = '' } = query;
  const periods = periodsOf(now);
  return (
    <form className={styles.filters} method="get" action={BURSTS_PATH} aria-label="Period and number">
      <Select id="since" name="since" label="Booked in" defaultValue={since}>
        {since && !periods.some((one) => one.since === since) && <option value={since}>Chosen period</option>}
        {periods.map((one) => (
          <option key={one.since} value={one.since}>
            {one.label}
          </option>
        ))}
      </Select>
      <TextInput
        id="bookings"
        name="bookings"
        label="Bookings, at least"
        type="number"
        inputMode="numeric"
        min={BOOKINGS_MIN}
        max={BOOKINGS_MAX}
        defaultValue={bookings || String(BOOKINGS_DEFAULT)}
      />
      <Button type="submit" tone="secondary">
        Show
      </Button>
    </form>
  );
}

function List({ props, here }: { props: BurstProps; here: string }) {
  const { data, now, part } = props;
  const bursts = data.list?.ok ? data.list.body.bursts : [];
  const canChange = mayChange(props);
  return (
    <>
      <p className={styles.asOf} data-live="as-of">
        {`As of ${formatTime(now)} IST, most bookings first. `}
        <a href={here}>Refresh</a>
      </p>
      {canChange && (
        <form id="look" method="post" action={`${here}#${RESULT}`}>
          <input type="hidden" name="part" value={part} />
        </form>
      )}
      <div className={styles.live} data-live="rows">
        {bursts.length === 0 && (
          <NothingYet>
            <p>No network has made that many bookings in this period.</p>
          </NothingYet>
        )}
        {bursts.length > 0 && (
          <ol className={styles.rows}>
            {bursts.slice(0, ROWS_MAX).map((burst) => (
              <Row key={burst.network} burst={burst} canChange={canChange} />
            ))}
          </ol>
        )}
        {bursts.length > ROWS_MAX && <p>{`These are the first ${ROWS_MAX} of ${bursts.length}.`}</p>}
      </div>
    </>
  );
}

function Row({ burst, canChange }: { burst: Burst; canChange: boolean }) {
  const { network, bookings, open, firstTime, lastTime } = burst;
  return (
    <li className={classNames(rows.row, row.row, row.untimed)} tabIndex={-1} data-row="" data-key={network}>
      <h2 className={rows.name}>{`${bookings} bookings, ${open} still open`}</h2>
      <p className={row.place}>{isMoment(firstTime) && isMoment(lastTime) && periodText(firstTime, lastTime)}</p>
      <p className={classNames(row.reference, row.long)}>{`Network ${network}`}</p>
      {canChange && open > 0 && (
        <button
          form="look"
          name={BURST}
          value={spanText(burst)}
          className={rows.change}
          aria-label={`Look closer: network ${network}`}
        >
          Look closer
        </button>
      )}
    </li>
  );
}

interface ResultProps {
  props: BurstProps;
  outcome: Outcome;
  here: string;
}

function Result({ props, outcome, here }: ResultProps) {
  switch (outcome.kind) {
    case 'looked':
      return <Looked {...{ props, outcome, here }} />;
    case 'cancelled':
      return <Cancelled {...outcome} />;
    case 'failed':
      return <Failed {...{ props, outcome, here }} />;
    case 'unread':
      return (
        <Notice tone="failure" role="alert" title="Nothing was changed" id={RESULT} tabIndex={-1}>
          <p>We couldn’t read your choice. Please choose again.</p>
        </Notice>
      );
  }
}

const MAIL = 'E-mail each address once that it’s cancelled';

/** Renders a dry run: how many appointments and which, and the question whether to cancel them. */
function Looked({ props, outcome, here }: ResultProps & { outcome: Extract<Outcome, { kind: 'looked' }> }) {
  const { references, more, span } = outcome;
  const shown = references.slice(0, KEPT_MAX);
  const rest = references.slice(KEPT_MAX);
  const count = countText(references.length);
  return (
    <>
      <Notice
        tone="info"
        role="status"
        title={references.length === 0 ? 'No open appointment is left' : `${count} would be cancelled`}
        id={RESULT}
        tabIndex={-1}
      >
        <p>{`Nothing is changed yet. Network ${span.network}, booked ${periodText(span.from, span.until)}.`}</p>
        {more && <p>There are more than one step cancels. Look again after this step.</p>}
      </Notice>
      {references.length > 0 && (
        <form className={book.form} method="post" action={`${here}#${RESULT}`} aria-label="Cancellation">
          <input type="hidden" name="part" value={props.part} />
          <input type="hidden" name={BURST} value={textOf(span)} />
          <CheckBoxes
            id={KEEP}
            name={KEEP}
            label="Keep the appointments of real patients"
            hint="Tick those to keep. “Find” shows whose an appointment is."
            options={shown}
          />
          {rest.length > 0 && <p>{`Also, and not to be kept one by one: ${rest.join(', ')}.`}</p>}
          <CheckBoxes id={NOTIFY} name={NOTIFY} label="Tell the patients" options={[MAIL]} defaultValue={MAIL} />
          <details className={rows.asked}>
            <summary>Cancel them…</summary>
            {`This cancels ${count} except those you keep. The times become free, and it can’t be undone.`}
            <button name={CANCEL} value="yes" className={rows.change}>
              {`Cancel ${count} except those kept`}
            </button>
          </details>
        </form>
      )}
    </>
  );
}

function Cancelled({ references, kept, notified, more }: Extract<Outcome, { kind: 'cancelled' }>) {
  const isNone = references.length === 0;
  return (
    <Notice
      tone={isNone ? 'info' : 'success'}
      role="status"
      title={isNone ? 'No appointment was left to cancel' : `${countText(references.length)} cancelled`}
      id={RESULT}
      tabIndex={-1}
    >
      {!isNone && <p>{references.join(', ')}</p>}
      {kept.length > 0 && <p>{`Kept: ${kept.join(', ')}`}</p>}
      {!isNone && <p>{notified ? 'Each e-mail address gets one mail.' : 'The patients are not notified.'}</p>}
      {more && <p>There are more. Look at the network again below.</p>}
    </Notice>
  );
}

function Failed({ props, outcome, here }: ResultProps & { outcome: Extract<Outcome, { kind: 'failed' }> }) {
  const { failure, isReal, span } = outcome;
  const title = !isReal
    ? 'The bookings can’t be shown'
    : failure === 'unknown'
      ? 'The appointments may have been cancelled in part'
      : 'Nothing was cancelled';
  const text = isReal
    ? failure === 'unknown'
      ? 'We got no reply. Look again: you’ll see those that are left, and no appointment is cancelled twice.'
      : failureText(failure, 'appointment')
    : failure === 'unsaved'
      ? 'Nothing was changed. Try again in a few minutes.'
      : failureText(failure, 'appointment');
  return (
    <Notice tone="failure" role="alert" title={title} id={RESULT} tabIndex={-1}>
      <p>{text}</p>
      {failure === 'signedOut' ? (
        <LinkButton href={`/staff/sign-in?return=${encodeURIComponent(here)}`}>Sign in</LinkButton>
      ) : (
        <LookAgain {...{ props, here, span }} />
      )}
    </Notice>
  );
}

function LookAgain({ props, here, span }: { props: BurstProps; here: string; span: Span }) {
  return (
    <form method="post" action={`${here}#${RESULT}`}>
      <input type="hidden" name="part" value={props.part} />
      <input type="hidden" name={BURST} value={textOf(span)} />
      <Button type="submit" tone="secondary">
        Look again
      </Button>
    </form>
  );
}

export function head(props: BurstProps): Head {
  const outcome = outcomeOf(props.action);
  const prefix = status(props) >= 400 ? 'Error: ' : outcome?.kind === 'cancelled' ? 'Saved: ' : '';
  return {
    title: `${prefix}${TITLE}`,
    description: 'Networks with many bookings in a short time, for staff.',
    canonicalPath: BURSTS_PATH,
    robots: 'noindex',
    referrer: 'same-origin',
  };
}
