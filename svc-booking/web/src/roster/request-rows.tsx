/** Rows of requests for leave: those of one doctor, and those that wait for a decision. */
import type { ReactNode } from 'react';
import type { LeaveRequest } from '@hospital/api/types';
import { Button } from '@hospital/ui/button';
import rows from '@hospital/ui/desk-row.module.css';
import { TextInput } from '@hospital/ui/text-input';
import { EditForm, isRefused, shown, shownValues } from './fields.tsx';
import { STATE_LABELS, askedText, declineForm, requestText, stateOf, uncoversText } from './leave-request.ts';
import { RESULT, type RosterProps, resourceAddress } from './roster.ts';
import { RULE, rulingText } from './ruling.ts';
import styles from './roster.module.css';

/** Element id of the form of all rows. */
const FORM = 'rulings';

/** Renders the form of the rows' buttons. `here`: address of the page, without fragment. */
export function RulingForm({ here, part }: { here: string; part: string }) {
  return (
    <form id={FORM} method="post" action={`${here}#${RESULT}`}>
      <input type="hidden" name="part" value={part} />
    </form>
  );
}

function Words({ children, request, title }: { children?: ReactNode; request: LeaveRequest; title: ReactNode }) {
  const asked = askedText(request);
  return (
    <div className={styles.what}>
      <b>{title}</b>
      {request.reason && <p>{request.reason}</p>}
      {children}
      {asked && <p className={styles.soft}>{asked}</p>}
    </div>
  );
}

export function OwnRequestRow({ request, whose }: { request: LeaveRequest; whose: string }) {
  const state = stateOf(request);
  const text = requestText(request);
  return (
    <li className={rows.row} tabIndex={-1} data-row="" data-key={request.id}>
      <p className={`${rows.state} ${styles.state}`} data-state={state ?? 'unknown'}>
        {state ? STATE_LABELS[state] : 'Unknown'}
      </p>
      <Words request={request} title={text}>
        {request.answer && <p>{`Answer: ${request.answer}`}</p>}
        {request.leaveDeleted && (
          <p className={styles.mark}>The leave was deleted from the roster since. Ask the person who keeps it.</p>
        )}
      </Words>
      {state === 'waiting' && (
        <details className={rows.asked} name="asked">
          <summary aria-label={`Withdraw: ${text}`}>Withdraw…</summary>
          {`This withdraws your request for leave: ${text}. You can ask again.`}
          <button form={FORM} name={RULE} value={rulingText('withdraw', request, whose)} className={rows.change}>
            Withdraw the request
          </button>
        </details>
      )}
    </li>
  );
}

interface WaitingRowProps {
  props: RosterProps;
  request: LeaveRequest;
  /** The doctor's name. */
  whose: string;
  /** Address of the page, without fragment. */
  here: string;
}

export function WaitingRow({ props, request, whose, here }: WaitingRowProps) {
  const text = requestText(request);
  const effect = uncoversText(request);
  const isNothing = request.uncovers === 0;
  return (
    <li className={rows.row} tabIndex={-1} data-row="" data-key={request.id}>
      <Words request={request} title={`${whose}: ${text}`}>
        <p className={isNothing ? undefined : styles.mark}>{effect}</p>
      </Words>
      <a className={styles.link} href={resourceAddress(`doctor:${request.doctorId}`)} aria-label={`Roster of ${whose}`}>
        Roster
      </a>
      <details className={rows.asked} name="asked">
        <summary aria-label={`Grant: ${whose}, ${text}`}>Grant…</summary>
        {`This enters leave of ${whose}: ${text}. ${effect}. `}
        {isNothing
          ? 'Nobody can book these days any more.'
          : 'They stay booked: you then see them and can offer each patient a new time.'}
        <button form={FORM} name={RULE} value={rulingText('grant', request, whose)} className={rows.change}>
          Grant the leave
        </button>
      </details>
      <Decline {...{ props, request, whose, here, text }} />
    </li>
  );
}

function Decline({ props, request, whose, here, text }: WaitingRowProps & { text: string }) {
  const isKept = isRefused(props, 'decline') && props.action?.form.request?.at(-1) === request.id;
  const fresh = { request: request.id, etag: request.etag, whose, seen: text, answer: '' };
  const values = isKept ? shownValues(props, 'decline', declineForm, fresh) : fresh;
  const answer = shown(props, 'decline', declineForm, values)('answer');
  return (
    <details className={rows.asked} name="asked" open={isKept}>
      <summary aria-label={`Decline: ${whose}, ${text}`}>Decline…</summary>
      <EditForm {...{ props, here }} act="decline" label={`Decline: ${whose}, ${text}`}>
        <input type="hidden" name="request" value={request.id} />
        <input type="hidden" name="etag" value={request.etag} />
        <input type="hidden" name="whose" value={whose} />
        <input type="hidden" name="seen" value={text} />
        {/* The message of a refused answer leads to the id of the field. */}
        <TextInput {...answer} {...(isKept ? {} : { id: `answer-${request.id}`, error: undefined })} />
        <p className={styles.save}>
          <Button type="submit" tone="secondary">
            Decline the request
          </Button>
        </p>
      </EditForm>
    </details>
  );
}
