/** `/staff/status`: what works now, for any member of staff. */
import type { ListDeliveriesResponse } from '@hospital/api/types';
import type { DataResult, Head, PageProps, ServiceHealth } from '@hospital/page';
import { formatTime } from '@hospital/page/format';
import { AbsenceNotice } from '@hospital/ui/desk-absence';
import { type Fact, Facts } from '@hospital/ui/desk-facts';
import { teamName } from './desk/teams.ts';
import styles from '@hospital/ui/desk.module.css';
import own from './desk/operations.module.css';

type StatusProps = PageProps<{
  services: ServiceHealth;
  failed: ListDeliveriesResponse;
  postponed: ListDeliveriesResponse;
}>;

const PATH = '/staff/status';

/** Scope, address and name of pages that explain more. */
const MORE = [
  ['messages:read', '/staff/deliveries', 'Deliveries'],
  ['releases:read', '/staff/releases', 'Releases'],
  ['audit:read', '/staff/audit', 'Audit log'],
] as const;

const STATES: Readonly<Record<ServiceHealth['services'][number]['state'], string>> = {
  up: 'Works',
  slow: 'Works with delays',
  down: 'Isn’t working',
  unknown: 'Not known yet',
};

export default function StaffStatus({ data, now, staff }: StatusProps) {
  const services = data.services?.ok ? data.services.body.services : null;
  const has = (scope: string) => staff?.scopes.includes(scope) ?? false;
  const more = MORE.filter(([scope]) => has(scope));
  return (
    <section className={styles.page}>
      <h1>Status</h1>
      <p className={styles.asOf}>
        {`As of ${formatTime(now)} IST. `}
        <a href={PATH}>Refresh</a>
      </p>
      <p className={styles.said}>{services && summary(services)}</p>
      {services ? (
        <ul className={own.services}>
          {services.map(({ name, offers, state, checked }) => (
            <li key={name} data-state={state}>
              <h2>{teamName(name)}</h2>
              <p className={own.state}>{STATES[state] ?? STATES.unknown}</p>
              <p className={own.fact}>
                {offers}
                {checked && `. Checked at ${formatTime(checked)} IST`}
              </p>
            </li>
          ))}
        </ul>
      ) : (
        <AbsenceNotice title="The services can’t be shown right now" next={<a href={PATH}>Try again</a>}>
          Use the site as usual. Try again in a few minutes.
        </AbsenceNotice>
      )}
      {has('messages:read') && <Mails {...data} />}
      {more.length > 0 && (
        <nav className={styles.pages} aria-label="More about this">
          {more.map(([, path, label]) => (
            <a key={path} href={path}>
              {label}
            </a>
          ))}
        </nav>
      )}
    </section>
  );
}

function summary(services: ServiceHealth['services']): string {
  const broken = services.filter(({ state }) => state === 'down');
  if (broken.length > 0) return `Isn’t working: ${broken.map(({ name }) => teamName(name)).join(', ')}.`;
  if (services.some(({ state }) => state === 'slow')) return 'Everything works, some of it with delays.';
  return services.every(({ state }) => state === 'up')
    ? 'Everything works.'
    : 'We’re checking. Refresh in a few seconds.';
}

function Mails({ failed, postponed }: Pick<StatusProps['data'], 'failed' | 'postponed'>) {
  const facts: Fact[] = [
    ['Failed', countText(failed, 'failed')],
    ['Postponed', countText(postponed, 'postponed')],
  ];
  return (
    <section className={own.card} aria-labelledby="mails">
      <h2 id="mails">Mails and text messages</h2>
      <Facts facts={facts} />
    </section>
  );
}

function countText(result: DataResult<ListDeliveriesResponse> | undefined, state: string) {
  if (!result?.ok) return 'Can’t be shown right now';
  const { deliveries, nextPageToken } = result.body;
  const count = nextPageToken ? `${deliveries.length} or more` : String(deliveries.length);
  return deliveries.length > 0 ? <a href={`/staff/deliveries?state=${state}`}>{count}</a> : 'None';
}

export function head(): Head {
  return {
    title: 'Status',
    description: 'What works now, for staff.',
    canonicalPath: PATH,
    robots: 'noindex',
    referrer: 'same-origin',
  };
}
