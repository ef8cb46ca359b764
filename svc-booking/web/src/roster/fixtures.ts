/** Props and API responses for the tests of the roster's pages. */
import type { Holiday, Leave, Session } from '@hospital/api/types';
import type { StaffMember } from '@hospital/page';
import { NOW, ASHA, LATE } from '../desk/fixtures.ts';
import { pageProps } from '../appointment/fixtures.ts';
import type { RosterProps } from './roster.ts';

export const READER: StaffMember = { name: 'Meera Nair', scopes: ['rosters:read'] };
export const MANAGER: StaffMember = {
  name: 'Meera Nair',
  scopes: ['rosters:read', 'rosters:write', 'appointments:read', 'appointments:write'],
};

export const IYENGAR: Session = {
  id: 's-1', department: 'cardiology', doctorId: 'doc-06', name: '', weekdays: ['Mon', 'Wed', 'Fri'],
  from: '10:00 AM', until: '1:00 PM', seats: 1, byNameOnly: false, validFrom: '', validUntil: '', etag: '3',
  feeRupees: 1000, place: 'Outpatient block, first floor',
}; // prettier-ignore
export const CLINIC: Session = {
  ...IYENGAR, id: 'cardiology-opd', doctorId: '', name: 'Cardiology clinic, ECG and follow-up', from: '9:00 AM',
  etag: '1', weekdays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'], seats: 2, feeRupees: 600,
}; // prettier-ignore
export const UNNAMED: Session = {
  ...IYENGAR,
  id: 's-9',
  doctorId: 'doc-99',
  weekdays: ['Sat'],
  validUntil: '2026-11-30',
};
export const LEAVE: Leave = {
  id: '0198a000-0000-7000-8000-000000000001', resource: 'doctor:doc-06', from: '2026-11-25', until: '2026-11-26',
  reason: 'Conference',
}; // prettier-ignore
export const HOLIDAY: Holiday = { date: '2026-11-27', name: 'Founders’ Day' };
export const UNCOVERED = [{ ...ASHA, uncovered: true, date: '2026-11-25' }, LATE];

export const ok = <Body>(body: Body, status = 200) => ({ ok: true as const, status, body });
export const down = { ok: false, status: 503, body: null } as const;

export const DATA = {
  departments: pageProps().data.departments,
  doctors: ok({ doctors: [{ id: 'doc-06', name: 'Dr. Nandini Iyengar' }] }),
  sessions: ok({ sessions: [IYENGAR, CLINIC, UNNAMED], nextPageToken: '' }),
  leaves: ok({ leaves: [LEAVE], nextPageToken: '' }),
  holidays: ok({ holidays: [HOLIDAY], nextPageToken: '' }),
} satisfies RosterProps['data'];

export function weekProps(change: Partial<RosterProps> = {}): RosterProps {
  return {
    params: {},
    query: { week: '2026-11-23' },
    data: DATA,
    action: null,
    now: NOW,
    path: '/staff/rosters',
    part: 'booking:/staff/rosters',
    staff: MANAGER,
    ...change,
  };
}

export function resourceProps(change: Partial<RosterProps> = {}): RosterProps {
  return weekProps({
    params: { resource: 'doctor:doc-06' },
    query: {},
    path: '/staff/rosters/doctor:doc-06',
    part: 'booking:/staff/rosters/{resource}',
    ...change,
  });
}

/** Fields of a session's form as a browser sends them. */
export const SESSION_FORM = {
  act: 'session', at: NOW, doctorId: 'doc-06', department: 'cardiology', name: '', weekdays: ['Tue', 'Thu'],
  from: '14:00', until: '17:30', seats: '2', validFrom: '', validUntil: '', feeRupees: '', place: '',
}; // prettier-ignore
export const LEAVE_FORM = {
  act: 'leave', at: NOW, resource: 'doctor:doc-06', leaveFrom: '2026-11-25', leaveUntil: '2026-11-26',
  reason: 'Conference',
}; // prettier-ignore
