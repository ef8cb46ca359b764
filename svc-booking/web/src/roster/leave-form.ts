/** The forms of a leave and of a holiday. */
import type { CreateHolidayResponse, CreateLeaveResponse, HolidayInput, LeaveInput } from '@hospital/api/types';
import { type FieldDeclarations, defineForm } from '@hospital/form/declaration';
import { parseLine } from '@hospital/form/rules';
import { addDays } from '@hospital/page/format';
import { isDay } from '../appointment/calendar.ts';
import { HOLIDAYS_PATH, ROSTERS_PATH, isResource } from './roster.ts';

const LEAVE_DAYS_MAX = 1_000;
const REASON_CHARACTERS_MAX = 200;
const HOLIDAY_CHARACTERS_MAX = 80;
const DAY = 'Enter a day such as 2026-11-23';

// The page has a form of sessions too, whose fields are named `from` and `until`.
const LEAVE_FIELDS = {
  resource: { label: 'Doctor or clinic' },
  leaveFrom: { label: 'First day of leave', type: 'date', required: true, payload: ['from'] },
  leaveUntil: { label: 'Last day of leave', type: 'date', required: true, payload: ['until'] },
  reason: {
    label: 'Reason',
    hint: `For staff, such as “Conference”. No patient’s data. At most ${REASON_CHARACTERS_MAX} characters.`,
    maxLength: REASON_CHARACTERS_MAX,
    autoComplete: 'off',
  },
} as const satisfies FieldDeclarations;

export const leaveForm = defineForm({
  id: 'booking.roster.leave',
  page: ROSTERS_PATH,
  fields: LEAVE_FIELDS,
  rules: ({ leaveFrom, leaveUntil, reason }) => ({
    leaveFrom: !isDay(leaveFrom) && DAY,
    leaveUntil: isDay(leaveUntil) ? isDay(leaveFrom) && lengthProblem(leaveFrom, leaveUntil) : DAY,
    reason: reason.trim() && parseLine(reason, REASON_CHARACTERS_MAX).problem,
  }),
  request: ({ resource, leaveFrom, leaveUntil, reason }) =>
    isResource(resource)
      ? {
          method: 'POST',
          template: '/leaves',
          body: { resource, from: leaveFrom, until: leaveUntil, reason: reason.trim() } satisfies LeaveInput,
          receipt: {
            title: 'The leave is added',
            text: 'The roster can’t be shown right now. Look at the uncovered appointments later.',
            facts: { 'Uncovered appointments': 'affectedTotal' },
          },
        }
      : null,
  outcome: (answer: Partial<CreateLeaveResponse>) => (answer.leave ? (answer as CreateLeaveResponse) : null),
  failure: 'The leave was not added',
});

function lengthProblem(from: string, until: string): string {
  if (until < from) return 'Enter a day that is not before the first day';
  return until > addDays(from, LEAVE_DAYS_MAX) ? `Enter a day at most ${LEAVE_DAYS_MAX} days after the first day` : '';
}

export const holidayForm = defineForm({
  id: 'booking.roster.holiday',
  page: HOLIDAYS_PATH,
  fields: {
    date: { label: 'Day', type: 'date', required: true },
    name: {
      label: 'Name',
      hint: `Visitors see it, such as “Republic Day”. At most ${HOLIDAY_CHARACTERS_MAX} characters.`,
      maxLength: HOLIDAY_CHARACTERS_MAX,
      required: true,
      autoComplete: 'off',
    },
  },
  rules: ({ date, name }) => ({
    date: !isDay(date) && DAY,
    name: name.trim()
      ? parseLine(name, HOLIDAY_CHARACTERS_MAX).problem
      : `Enter a name of at most ${HOLIDAY_CHARACTERS_MAX} characters`,
  }),
  request: ({ date, name }) => ({
    method: 'POST',
    template: '/holidays',
    body: { date, name: name.trim() } satisfies HolidayInput,
    receipt: {
      title: 'The holiday is saved',
      text: 'The holidays can’t be shown right now. Look at the uncovered appointments later.',
      facts: { 'Uncovered appointments': 'affectedTotal' },
    },
  }),
  outcome: (answer: Partial<CreateHolidayResponse>) => (answer.holiday ? (answer as CreateHolidayResponse) : null),
  failure: 'The holiday was not saved',
});
