/** The address, the filters and the data of a day's list. */
import type { Department, ListAppointmentsResponse } from '@hospital/api/types';
import type { DataResult, PageData, PageProps } from '@hospital/page';
import { formatDate, istDay } from '@hospital/page/format';
import { address } from '@hospital/ui/address';
import {
  type Absence as ListAbsence,
  absenceOf as failureOf,
  statusOfAbsence as statusOfList,
} from '@hospital/ui/desk-absence';
import { isDay } from '../appointment/calendar.ts';
import { departmentsOf } from '../appointment/data.ts';
import type { Listed } from './appointment.ts';
import { type State, isState } from './states.ts';

export const TODAY_PATH = '/staff/today';
/** Scope that a change of state needs. */
const WRITE = 'appointments:write';

interface DayBodies {
  list: Omit<ListAppointmentsResponse, 'appointments'> & { appointments: Listed[] };
  departments: { departments: Department[] };
}

/** `/staff/today` has no data: it leads to the present day. Find has no list. */
export type DayProps = Omit<PageProps, 'data'> & { data: Partial<PageData<DayBodies>> };

const ABSENT = { ok: false, status: 503, body: null } as const;

/** Filters in the address. Empty: all. */
export interface Filters {
  department: string;
  doctor: string;
  status: string;
}

/** Returns the day that the address names. Empty: the address names none. */
export function wantedDay({ params, query }: Pick<DayProps, 'params' | 'query'>): string {
  return (params.date ?? query.date ?? '').trim();
}

/** Returns whether the text is a day that can have a list. Bounded, so that the days around it exist too. */
export function isListDay(text: string): boolean {
  return /^20\d\d-/.test(text) && isDay(text);
}

/** Returns the departments with their doctors. Without the service, their names only. */
export function deskDepartments({ data }: Pick<DayProps, 'data'>): Department[] {
  return departmentsOf({ data: { departments: data.departments ?? ABSENT, site: ABSENT } });
}

export function filtersOf({ query }: Pick<DayProps, 'query'>): Filters {
  const { department = '', doctor = '', status = '' } = query;
  return { department, doctor, status };
}

/**
 * Returns the filters of an address without a day. A doctor who opened the page without any filter gets the own day.
 * The filter form names its day, so it can show the others.
 */
export function firstFiltersOf(props: Pick<DayProps, 'query' | 'staff'>): Filters {
  const { query, staff } = props;
  const isOpened = !query.date && !query.department && !query.status && query.doctor === undefined;
  return { ...filtersOf(props), ...(isOpened && staff?.doctor ? { doctor: staff.doctor } : {}) };
}

/** Returns the one state that the list is filtered by. */
export function stateIn({ status }: Filters): State | null {
  const word = status.replace(/^APPOINTMENT_STATUS_/, '').toLowerCase();
  return isState(word) ? word : null;
}

/** Returns the address of a day's list. */
export function dayAddress(day: string, filters: Partial<Filters> = {}, pageToken = ''): string {
  const { department, doctor, status } = filters;
  return address(`${TODAY_PATH}/${encodeURIComponent(day)}`, { department, doctor, status, pageToken });
}

/** Returns whether the signed-in person may change appointments. The service checks it again. */
export function mayChange({ staff }: Pick<PageProps, 'staff'>): boolean {
  return staff?.scopes.includes(WRITE) ?? false;
}

/** Returns `Today, Saturday 21 November 2026`, or the day alone. */
export function dayTitle(day: string, now: string): string {
  return day === istDay(now) ? `Today, ${formatDate(day)}` : formatDate(day);
}

/** Why a list cannot be shown. `day`: the address names none. */
export type Absence = ListAbsence | 'day';

/** Returns why the list of an address cannot be shown, or null if it can. */
export function absenceOf(day: string, list: DataResult | undefined): Absence | null {
  if (!isListDay(day)) return 'day';
  if (!list) return 'down';
  return list.ok ? null : failureOf(list);
}

/** Returns the HTTP status of a page without its list. */
export function statusOfAbsence(absence: Absence): number {
  return absence === 'day' ? 400 : statusOfList(absence);
}
