/** `/staff/deliveries`: mails and text messages that did not arrive, and the addresses to which mails are stopped. */
import type { FormFields, Head } from '@hospital/page';
import { formatTime } from '@hospital/page/format';
import { Absent, statusOfAbsence } from '@hospital/ui/desk-absence';
import { statusOfFailure } from '@hospital/ui/desk-change';
import { NothingYet } from '@hospital/ui/nothing-yet';
import {
  ADDRESS_WORDS,
  DELIVERIES_PATH,
  type DeliveriesProps,
  LABELS,
  STATES,
  WORDS,
  absenceIn,
  deliveriesAddress,
  stateIn,
} from './desk/deliveries.ts';
import { AddressRow, DeliveryRow } from './desk/delivery-row.tsx';
import { mayChange } from './desk/inbox.ts';
import { type Key, Keys } from './desk/keys.tsx';
import { byDay } from './desk/message.ts';
import { RedoneNotice } from './desk/redone.tsx';
import { redoRequest, redoneOf } from './desk/redo.ts';
import { ChangeForm } from './desk/row.tsx';
import styles from '@hospital/ui/desk.module.css';

export const action = (posted: FormFields) => redoRequest(posted);

export function status({ action: posted, data }: DeliveriesProps): number {
  const redone = redoneOf(posted);
  if (posted && redone && redone.kind !== 'done') return statusOfFailure(posted.result.status);
  const absence = absenceIn(data.list) ?? absenceIn(data.suppressions);
  return absence ? statusOfAbsence(absence) : 200;
}

const KEYS: readonly Key[] = [
  ['R', 'resend'],
  ['L', 'resume'],
];

/** Element id of the text before the list. */
const LIST = 'list';

export default function StaffDeliveries(props: DeliveriesProps) {
  const { query, part, now, action: posted } = props;
  const redone = redoneOf(posted);
  const here = deliveriesAddress(query);
  const canChange = mayChange(props);
  return (
    <section className={styles.page}>
      <a className={styles.skip} href={`#${LIST}`}>
        Skip to the list
      </a>
      <h1>Deliveries</h1>
      {redone && <RedoneNotice redone={redone} />}
      <States {...props} />
      <p className={styles.asOf} id={LIST} tabIndex={-1} data-list="" data-live="as-of">
        {`As of ${formatTime(now)} IST, newest first. Sent mails and queued newsletters aren’t listed.`}{' '}
        <a href={here}>Refresh</a>
      </p>
      {!canChange && <p>You can see deliveries but not resend them.</p>}
      {canChange && <Keys keys={KEYS} />}
      {canChange && <ChangeForm action={here} part={part} />}
      <div className={styles.live} data-live="rows">
        <Deliveries {...props} />
        <Addresses {...props} />
      </div>
    </section>
  );
}

/** Renders the links to the lists by state. The service has no counts, and a page has at most 25 rows. */
function States(props: DeliveriesProps) {
  const chosen = stateIn(props);
  return (
    <nav className={styles.counts} aria-label="By state">
      <a href={DELIVERIES_PATH} aria-current={chosen ? undefined : 'true'}>
        All
      </a>
      {STATES.map((state) => (
        <a key={state} href={deliveriesAddress({ state })} aria-current={chosen === state ? 'true' : undefined}>
          {LABELS[state]}
        </a>
      ))}
    </nav>
  );
}

function Deliveries(props: DeliveriesProps) {
  const { data, query, now } = props;
  const absence = absenceIn(data.list);
  if (absence || !data.list?.ok) {
    return (
      <Absent absence={absence ?? 'down'} words={WORDS} again={deliveriesAddress(query)} whole={DELIVERIES_PATH} />
    );
  }
  const { deliveries, nextPageToken } = data.list.body;
  const state = stateIn(props);
  return (
    <>
      {deliveries.length === 0 && (
        <NothingYet>
          <p>
            {state
              ? `No delivery is ${LABELS[state].toLowerCase()}.`
              : 'Everything was sent: no mail or text message is waiting, postponed, failed or expired.'}
          </p>
        </NothingYet>
      )}
      {byDay(deliveries, ({ createTime }) => createTime, now).map(({ label, items }) => (
        <div key={label} className={styles.group} data-key={label}>
          <h2>{label}</h2>
          <ol className={styles.rows}>
            {items.map((delivery) => (
              <DeliveryRow key={delivery.id} {...{ delivery, now }} canChange={mayChange(props)} />
            ))}
          </ol>
        </div>
      ))}
      <Pages
        label="More deliveries"
        first={query.pageToken && deliveriesAddress({ ...query, pageToken: '' })}
        next={nextPageToken && deliveriesAddress({ ...query, pageToken: nextPageToken })}
      />
    </>
  );
}

function Addresses(props: DeliveriesProps) {
  const { data, query } = props;
  const absence = absenceIn(data.suppressions);
  const { suppressions, nextPageToken } = data.suppressions?.ok
    ? data.suppressions.body
    : { suppressions: [], nextPageToken: '' };
  return (
    <section className={styles.group} aria-labelledby="addresses">
      <h2 id="addresses">Stopped addresses</h2>
      <p>Mails to these addresses came back, so we send none for 30 days. Resume an address if it works again.</p>
      {absence && (
        <Absent
          absence={absence}
          words={ADDRESS_WORDS}
          again={deliveriesAddress(query)}
          whole={deliveriesAddress({ ...query, addressToken: '' })}
        />
      )}
      {!absence && suppressions.length === 0 && (
        <NothingYet>
          <p>No address is stopped.</p>
        </NothingYet>
      )}
      {suppressions.length > 0 && (
        <ol className={styles.rows}>
          {suppressions.map((suppression) => (
            <AddressRow key={suppression.id} suppression={suppression} canChange={mayChange(props)} />
          ))}
        </ol>
      )}
      <Pages
        label="More stopped addresses"
        first={query.addressToken && deliveriesAddress({ ...query, addressToken: '' })}
        next={nextPageToken && deliveriesAddress({ ...query, addressToken: nextPageToken })}
      />
    </section>
  );
}

interface PagesProps {
  label: string;
  /** Addresses of the pages. Empty: there is none. */
  first?: string;
  next?: string;
}

function Pages({ label, first, next }: PagesProps) {
  if (!first && !next) return null;
  return (
    <nav className={styles.pages} aria-label={label}>
      {first && <a href={first}>First page</a>}
      {next && <a href={next}>Older ones</a>}
      {!next && <p>This is the end of the list.</p>}
    </nav>
  );
}

/** The title names no recipient: the browser keeps titles in its history. */
export function head(props: DeliveriesProps): Head {
  const redone = redoneOf(props.action);
  const isFailed = status(props) >= 400;
  return {
    title: `${isFailed ? 'Error: ' : redone ? 'Saved: ' : ''}Deliveries`,
    description: 'Mails that did not arrive, for staff.',
    canonicalPath: DELIVERIES_PATH,
    robots: 'noindex',
    referrer: 'same-origin',
  };
}
