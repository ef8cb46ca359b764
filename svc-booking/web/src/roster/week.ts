/** A week of the roster: who works when, who is away. */
import type { Holiday, Leave, Session } from '@hospital/api/types';
import { addDays, istDay, weekday } from '@hospital/page/format';
import { address } from '@hospital/ui/address';
import { isListDay } from '../desk/day.ts';
import { ROSTERS_PATH, type RosterProps, resourceOf } from './roster.ts';

/** The hospital has no sessions on Sundays. */
export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
/** Maximum sessions in a week: each is rendered up to six times, and the gateway's engine has 50 ms. */
export const SESSIONS_SHOWN_MAX = 40;

/** A session on one day. */
export interface Entry {
  session: Session;
  resource: string;
  /** Leave of the doctor or clinic on this day. */
  leave: Leave | null;
}

export interface Day {
  date: string;
  /** Null: open. */
  holiday: Holiday | null;
  /** By start. Empty on a holiday. */
  entries: Entry[];
}

/** Filters in the address. Empty: all. */
export interface WeekQuery {
  week: string;
  department: string;
  doctor: string;
}

/** Returns the Monday of the week of a day, `YYYY-MM-DD`. */
export function mondayOf(day: string): string {
  // Sunday is the last day of its week, and not in the list.
  const index = (WEEKDAYS as readonly string[]).indexOf(weekday(day).slice(0, 3));
  return addDays(day, -(index < 0 ? WEEKDAYS.length : index));
}

/** Returns the filters, with the Monday of the wanted week. Without a valid day, the week is the present one. */
export function weekQueryOf({ query, now }: Pick<RosterProps, 'query' | 'now'>): WeekQuery {
  const { week = '', department = '', doctor = '' } = query;
  return { week: mondayOf(isListDay(week.trim()) ? week.trim() : istDay(now)), department, doctor };
}

/** Returns whether the address names a week that does not exist. */
export function isWrongWeek({ query }: Pick<RosterProps, 'query'>): boolean {
  return Boolean(query.week) && !isListDay((query.week ?? '').trim());
}

export function weekAddress(query: Partial<WeekQuery> & { pageToken?: string }): string {
  const { week, department, doctor, pageToken } = query;
  return address(ROSTERS_PATH, { week, department, doctor, pageToken });
}

interface Roster {
  sessions: readonly Session[];
  leaves: readonly Leave[];
  holidays: readonly Holiday[];
}

/** Returns the six days of a week from its Monday on. */
export function weekOf(monday: string, { sessions, leaves, holidays }: Roster): Day[] {
  return WEEKDAYS.map((name, index) => {
    const date = addDays(monday, index);
    const holiday = holidays.find((one) => one.date === date) ?? null;
    const working = holiday ? [] : sessions.filter((session) => isOn(session, name, date));
    const entries = working.map((session) => {
      const resource = resourceOf(session);
      return { session, resource, leave: leaves.find((leave) => isAway(leave, resource, date)) ?? null };
    });
    entries.sort((one, other) => minutesOf(one.session.from) - minutesOf(other.session.from));
    return { date, holiday, entries };
  });
}

/** Same as `Session::is_on` of the service. */
function isOn({ weekdays, validFrom, validUntil }: Session, name: string, date: string): boolean {
  return weekdays.includes(name) && (!validFrom || validFrom <= date) && (!validUntil || date <= validUntil);
}

function isAway(leave: Leave, resource: string, date: string): boolean {
  return leave.resource === resource && leave.from <= date && date <= leave.until;
}

/** Returns the minutes after midnight of a time such as `9:00 AM`, or of a control's `09:00`; NaN for other texts. */
export function minutesOf(text: string): number {
  const [, hour, minute, half] = /^\s*(\d{1,2}):(\d{2})\s*([AP]M)?\s*$/i.exec(text) ?? [];
  const [hours, minutes] = [Number(hour), Number(minute)];
  if (half ? hours < 1 || hours > 12 : hours > 23) return NaN;
  if (!(minutes < 60)) return NaN;
  return (half ? (hours % 12) + (half.toUpperCase() === 'PM' ? 12 : 0) : hours) * 60 + minutes;
}

/** Returns the time as the API spells it: `9:00 AM`. */
export function timeLabel(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  return `${hours % 12 || 12}:${String(minutes % 60).padStart(2, '0')} ${hours < 12 ? 'AM' : 'PM'}`;
}

/** Returns the time as a control of type `time` spells it: `09:00`. Returns any other text unchanged. */
export function clockOf(text: string): string {
  const minutes = minutesOf(text);
  if (Number.isNaN(minutes)) return text;
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}
