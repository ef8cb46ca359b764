/** The people whose appointment is uncovered, and the offer of a new time by mail. */
import type { ReactNode } from 'react';
import { formatDate } from '@hospital/page/format';
import { failureText } from '@hospital/ui/desk-change';
import rows from '@hospital/ui/desk-row.module.css';
import { Notice } from '@hospital/ui/notice';
import { callTo } from '../desk/appointment.ts';
import type { Affected } from './edit.ts';
import { type Offered, PEOPLE, type Person, countText, peopleText } from './people.ts';
import { RESULT, type RosterProps, UNCOVERED_PATH, mayWrite } from './roster.ts';
import desk from '@hospital/ui/desk.module.css';
import styles from './roster.module.css';

interface PeopleProps {
  people: readonly Person[];
  /** Element id of the list's heading. */
  labelledBy?: string;
}

export function People({ people, labelledBy }: PeopleProps) {
  return (
    <ol className={desk.rows} aria-labelledby={labelledBy}>
      {people.map((person) => (
        <li key={person.reference} className={rows.row} data-key={person.reference}>
          <b className={styles.who}>{person.name}</b>
          <span>{`${formatDate(person.date)}, ${person.time}`}</span>
          {person.phone && (
            <a className={styles.call} href={callTo(person.phone)}>
              {person.phone}
            </a>
          )}
          <span className={styles.soft}>{person.reference}</span>
          {!person.hasMail && <span>No e-mail address</span>}
        </li>
      ))}
    </ol>
  );
}

interface OfferProps {
  props: RosterProps;
  people: readonly Person[];
  /** Address of the page, without fragment. */
  here: string;
}

/** Asks once, with the number of people, before it writes to them. */
export function OfferForm({ props, people, here }: OfferProps) {
  const count = people.filter(({ hasMail }) => hasMail).length;
  const without = people.length - count;
  if (!mayWrite(props)) {
    return <p>Your role can’t write to patients. The front desk can, under “Uncovered”.</p>;
  }
  if (count === 0) return <p>We have no e-mail address of these patients. Please call them.</p>;
  const calls = without > 0 ? ` ${countText(without)} without an e-mail address can only be called.` : '';
  return (
    <form method="post" action={`${here}#${RESULT}`}>
      <input type="hidden" name="part" value={props.part} />
      <input type="hidden" name={PEOPLE} value={peopleText(people)} />
      <details className={rows.asked}>
        <summary>Offer a new time by mail…</summary>
        {`This mails ${countText(count)} a link to choose another time. A sent mail can’t be taken back.${calls}`}
        <button className={rows.change}>{`Write to ${countText(count)}`}</button>
      </details>
    </form>
  );
}

interface UncoveredProps {
  props: RosterProps;
  affected: Affected;
  here: string;
}

/** Lists the appointments that a change left uncovered, below its outcome. */
export function Uncovered({ props, affected: { people, total }, here }: UncoveredProps) {
  const isPart = total > people.length;
  return (
    <>
      <h2 id="affected" className={styles.heading}>
        {total === 1 ? '1 appointment is uncovered' : `${total} appointments are uncovered`}
      </h2>
      <p>They stay booked, but nobody works at their time any more. The patients don’t know it yet.</p>
      {isPart && (
        <p>
          {`These are the first ${people.length}. Write to them, then see the others under `}
          <a href={UNCOVERED_PATH}>Uncovered</a>.
        </p>
      )}
      <OfferForm {...{ props, people, here }} />
      <People people={people} labelledBy="affected" />
    </>
  );
}

interface OfferedProps {
  offered: Offered;
  /** Address of the page, to offer again at. */
  here: string;
  props: RosterProps;
}

export function OfferedNotice({ offered, here, props }: OfferedProps) {
  return (
    <div id={RESULT} tabIndex={-1} className={styles.result}>
      {offered.kind === 'unread' && (
        <Notice tone="failure" role="alert" title="Nobody was written to">
          <p>We couldn’t read your choice. Please choose again.</p>
        </Notice>
      )}
      {offered.kind === 'failed' && <FailedOffer {...{ offered, here, props }} />}
      {offered.kind === 'sent' && <SentOffer {...offered} />}
    </div>
  );
}

function FailedOffer({ offered, here, props }: OfferedProps & { offered: Extract<Offered, { kind: 'failed' }> }) {
  const { failure, people } = offered;
  const isUnknown = failure === 'unknown';
  return (
    <>
      <Notice
        tone="failure"
        role="alert"
        title={isUnknown ? 'The mails may not have been sent' : 'Nobody was written to'}
      >
        <p>
          {isUnknown
            ? 'We got no reply. If you choose it again, nobody gets a second mail while the first is still waiting.'
            : failureText(failure, 'appointment')}
        </p>
      </Notice>
      <OfferForm {...{ props, people, here }} />
      <People people={people} />
    </>
  );
}

function SentOffer({ written, call, rest }: Extract<Offered, { kind: 'sent' }>) {
  return (
    <>
      <Notice
        tone={written.length > 0 ? 'success' : 'failure'}
        role={written.length > 0 ? 'status' : 'alert'}
        title={written.length > 0 ? `We are writing to ${countText(written.length)}.` : 'Nobody was written to'}
      >
        {written.length > 0 && (
          <p>A mail that can’t be delivered appears under “Deliveries”, not here. Then call the patient.</p>
        )}
      </Notice>
      <Group id="written" title="Written to" people={written} />
      <Group id="call" title="Not written to: please call" people={call}>
        We have no e-mail address of these patients.
      </Group>
      <Group id="rest" title="Not written to: no longer uncovered" people={rest}>
        These appointments were changed, cancelled or covered again in the meantime.
      </Group>
    </>
  );
}

interface GroupProps {
  id: string;
  title: string;
  people: readonly Person[];
  children?: ReactNode;
}

function Group({ id, title, people, children }: GroupProps) {
  if (people.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={styles.heading}>{`${title} (${people.length})`}</h2>
      {children && <p>{children}</p>}
      <People people={people} labelledBy={id} />
    </section>
  );
}
