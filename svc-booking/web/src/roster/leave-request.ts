/** Requests for leave: their states and texts, the form of a doctor, and the answer to a declined one. */
import type { LeaveRequest, LeaveRequestInput } from '@hospital/api/types';
import { type FieldDeclarations, defineForm } from '@hospital/form/declaration';
import { parseLine } from '@hospital/form/rules';
import { addDays, formatDay, istDay } from '@hospital/page/format';
import { isDay } from '../appointment/calendar.ts';
import { daysText, isWord } from './words.ts';

export const OWN_LEAVE_PATH = '/staff/leave';
export const REQUESTS_PATH = '/staff/leave-requests';

const DAYS_MAX = 366;
const TEXT_CHARACTERS_MAX = 300;
const DAY = 'Enter a day such as 2026-11-23';

export type RequestState = 'waiting' | 'granted' | 'declined' | 'withdrawn';

/** Returns the state of a request, or null for one that this page does not know. */
export function stateOf({ state }: LeaveRequest): RequestState | null {
  switch (state) {
    case 'LEAVE_REQUEST_STATE_WAITING':
      return 'waiting';
    case 'LEAVE_REQUEST_STATE_GRANTED':
      return 'granted';
    case 'LEAVE_REQUEST_STATE_DECLINED':
      return 'declined';
    case 'LEAVE_REQUEST_STATE_WITHDRAWN':
      return 'withdrawn';
    case 'LEAVE_REQUEST_STATE_UNSPECIFIED':
    default:
      return null;
  }
}

export const STATE_LABELS: Readonly<Record<RequestState, string>> = {
  waiting: 'Waiting',
  granted: 'Granted',
  declined: 'Declined',
  withdrawn: 'Withdrawn',
};

/** Returns `Asked on 21 November 2026`, or an empty text for a time that is none. */
export function askedText({ createTime }: LeaveRequest): string {
  const day = createTime && Date.parse(createTime) ? istDay(createTime) : '';
  return isDay(day) ? `Asked on ${formatDay(day)}` : '';
}

/** Returns what granting a request does to booked appointments. */
export function uncoversText({ uncovers }: LeaveRequest): string {
  if (uncovers === 0) return 'No booked appointment is affected';
  return uncovers === 1 ? 'Leaves 1 booked appointment uncovered' : `Leaves ${uncovers} booked appointments uncovered`;
}

const ASK_FIELDS = {
  leaveFrom: { label: 'First day of leave', type: 'date', required: true, payload: ['from'] },
  leaveUntil: { label: 'Last day of leave', type: 'date', required: true, payload: ['until'] },
  reason: {
    label: 'Reason',
    hint: `Only those who decide see it. You may leave it empty. At most ${TEXT_CHARACTERS_MAX} characters.`,
    maxLength: TEXT_CHARACTERS_MAX,
    autoComplete: 'off',
  },
} as const satisfies FieldDeclarations;

export const askForm = defineForm({
  id: 'booking.leave.ask',
  page: OWN_LEAVE_PATH,
  fields: ASK_FIELDS,
  rules: ({ leaveFrom, leaveUntil, reason }, { now }) => ({
    leaveFrom: isDay(leaveFrom) ? leaveFrom < istDay(now) && 'Enter a day from today on' : DAY,
    leaveUntil: isDay(leaveUntil) ? isDay(leaveFrom) && lengthProblem(leaveFrom, leaveUntil) : DAY,
    reason: reason.trim() && parseLine(reason, TEXT_CHARACTERS_MAX).problem,
  }),
  request: ({ leaveFrom, leaveUntil, reason }) => ({
    method: 'POST',
    template: '/leave-requests',
    body: { from: leaveFrom, until: leaveUntil, reason: reason.trim() } satisfies LeaveRequestInput,
    receipt: { title: 'You have asked for leave', text: 'Your requests can’t be shown right now. Look at them later.' },
  }),
  outcome: (answer: Partial<LeaveRequest>) => (answer.id ? (answer as LeaveRequest) : null),
  failure: 'Your request was not sent',
});

function lengthProblem(from: string, until: string): string {
  if (until < from) return 'Enter a day that is not before the first day';
  return until >= addDays(from, DAYS_MAX) ? `Leave can have ${DAYS_MAX} days at most` : '';
}

export const declineForm = defineForm({
  id: 'booking.leave.decline',
  page: REQUESTS_PATH,
  fields: {
    request: { label: 'Request' },
    etag: { label: 'Version' },
    whose: { label: 'Doctor' },
    seen: { label: 'Days' },
    answer: {
      label: 'Why you decline it',
      hint: `The doctor sees it. At most ${TEXT_CHARACTERS_MAX} characters.`,
      maxLength: TEXT_CHARACTERS_MAX,
      required: true,
      autoComplete: 'off',
    },
  },
  rules: ({ answer }) => ({
    answer: answer.trim()
      ? parseLine(answer, TEXT_CHARACTERS_MAX).problem
      : `Enter a reason of at most ${TEXT_CHARACTERS_MAX} characters`,
  }),
  request: ({ request, etag, answer }) =>
    isWord(request) && isWord(etag)
      ? {
          method: 'POST',
          template: '/leave-requests/{leave_request_id}:decline',
          params: { leave_request_id: request },
          headers: { 'If-Match': `"${etag}"` },
          body: { answer: answer.trim() },
          receipt: { title: 'The request is declined', text: 'The requests can’t be shown right now.' },
        }
      : null,
  outcome: (answer: Partial<LeaveRequest>) => (answer.id ? (answer as LeaveRequest) : null),
  failure: 'The request was not declined',
});

export function requestText({ from, until }: Pick<LeaveRequest, 'from' | 'until'>): string {
  return daysText(from, until);
}
