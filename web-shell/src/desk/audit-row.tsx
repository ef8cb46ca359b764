import type { ReactNode } from 'react';
import { formatTime } from '@hospital/page/format';
import { classNames } from '@hospital/ui/class-names';
import rows from '@hospital/ui/desk-row.module.css';
import { type AuditQuery, type Row, actionText, auditAddress } from './audit.ts';
import styles from './audit.module.css';
import { teamName } from './teams.ts';

/** Ids that are shown at once. A list names up to 200. */
const IDS_SHOWN = 2;
/** Ids after “more”. The rest is in the export. */
const IDS_MORE = 23;

/** Renders an entry. Each part of it leads to the entries that share it, with the days of the filter. */
export function AuditRow({ row: { service, entry }, filter }: { row: Row; filter: AuditQuery }) {
  const { actor, action, ids, detail, createTime, number } = entry;
  const days = { from: filter.from, to: filter.to };
  return (
    <li className={classNames(rows.row, styles.row)}>
      <time className={styles.time} dateTime={createTime}>
        {createTime ? formatTime(createTime) : ''}
      </time>
      <h3 className={classNames(rows.name, styles.what)}>
        <a href={auditAddress({ ...days, action })}>{actionText(action)}</a>
      </h3>
      <p className={styles.actor}>
        <a href={auditAddress({ ...days, actor })}>{actor}</a>
      </p>
      <div className={styles.ids}>
        {ids.length === 0 && <span>No ids</span>}
        {ids.slice(0, IDS_SHOWN).map((id, index) => (
          <a key={index} href={auditAddress({ ...days, id })}>
            {id}
          </a>
        ))}
        {ids.length > IDS_SHOWN && <More ids={ids.slice(IDS_SHOWN)} />}
      </div>
      <p className={styles.detail}>
        {`${teamName(service)}, entry ${number}`}
        {detail && `: ${detail}`}
      </p>
    </li>
  );
}

function More({ ids }: { ids: readonly string[] }): ReactNode {
  const rest = ids.length - IDS_MORE;
  return (
    <details>
      <summary>{`${ids.length} more`}</summary>
      {ids.slice(0, IDS_MORE).join(', ')}
      {rest > 0 && ` and ${rest} more, which the export names`}
    </details>
  );
}
