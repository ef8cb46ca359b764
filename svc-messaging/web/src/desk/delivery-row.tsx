/** Rows of deliveries and of stopped addresses. */
import type { Delivery, Suppression } from '@hospital/api/types';
import { formatTime } from '@hospital/page/format';
import { classNames } from '@hospital/ui/class-names';
import rows from '@hospital/ui/desk-row.module.css';
import { LABELS, canResend, isState, kindText, whyText } from './deliveries.ts';
import { momentOf } from './message.ts';
import { REDO, liftText, resendText } from './redo.ts';
import { FORM } from './row.tsx';
import styles from './row.module.css';

interface DeliveryRowProps {
  delivery: Delivery;
  now: string;
  canChange: boolean;
}

export function DeliveryRow({ delivery, now, canChange }: DeliveryRowProps) {
  const { createTime, recipientName, recipient, state } = delivery;
  const whom = [recipientName, recipient].filter(Boolean).join(', ') || 'Unknown recipient';
  return (
    <li className={classNames(rows.row, styles.row)} tabIndex={-1} data-row="" data-key={delivery.id}>
      <time className={styles.time} dateTime={createTime}>
        {formatTime(createTime)}
      </time>
      <h3 className={rows.name}>{kindText(delivery)}</h3>
      <p className={styles.sender}>{whom}</p>
      <p className={classNames(rows.state, styles.state)} data-state={state}>
        {isState(state) ? LABELS[state] : state}
      </p>
      <p className={styles.text}>{whyText(delivery)}</p>
      {canChange && canResend(delivery, now) && (
        <button
          form={FORM}
          name={REDO}
          value={resendText(delivery)}
          aria-label={`Resend: ${kindText(delivery)}, ${whom}`}
          className={rows.change}
        >
          Resend
        </button>
      )}
    </li>
  );
}

export function AddressRow({ suppression, canChange }: { suppression: Suppression; canChange: boolean }) {
  const { email, reason, createTime, expireTime } = suppression;
  return (
    <li
      className={classNames(rows.row, styles.row, styles.address)}
      tabIndex={-1}
      data-row=""
      data-key={suppression.id}
    >
      <h3 className={rows.name}>{email || 'Unknown address'}</h3>
      <p className={styles.text}>
        {`Stopped since ${momentOf(createTime)}, until ${momentOf(expireTime)}.`}
        {reason && ` Reason: ${reason}.`}
      </p>
      {canChange && (
        <button
          form={FORM}
          name={REDO}
          value={liftText(suppression)}
          aria-label={`Resume: ${email}`}
          className={rows.change}
        >
          Resume
        </button>
      )}
    </li>
  );
}
