/** Paths, data and names of the roster's pages. */
import type {
  Department,
  Doctor,
  Leave,
  LeaveRequest,
  ListAppointmentsResponse,
  ListHolidaysResponse,
  ListLeaveRequestsResponse,
  ListLeavesResponse,
  ListSessionsResponse,
  Session,
} from '@hospital/api/types';
import type { DataResult, PageData, PageProps } from '@hospital/page';
import { address } from '@hospital/ui/address';
import { type Absence, type AbsenceWords, absenceOf } from '@hospital/ui/desk-absence';
import { listOf } from '../appointment/data.ts';
import type { Listed } from '../desk/appointment.ts';
import { deskDepartments } from '../desk/day.ts';

export const ROSTERS_PATH = '/staff/rosters';
export const HOLIDAYS_PATH = '/staff/holidays';
export const UNCOVERED_PATH = '/staff/uncovered';
/** Element id of the outcome of a post, to which forms lead. */
export const RESULT = 'result';

interface RosterBodies {
  sessions: ListSessionsResponse;
  leaves: ListLeavesResponse;
  holidays: ListHolidaysResponse;
  /** Requests for leave: those of one doctor, or the waiting ones of all. */
  requests: ListLeaveRequestsResponse;
  departments: { departments: Department[] };
  /** Public profiles, for names only. */
  doctors: { doctors: Pick<Doctor, 'id' | 'name'>[] };
  /** Uncovered appointments. */
  list: Omit<ListAppointmentsResponse, 'appointments'> & { appointments: Listed[] };
}

/** Each page declares some of the data. */
export type RosterProps = Omit<PageProps, 'data'> & { data: Partial<PageData<RosterBodies>> };

export const WORDS: AbsenceWords = {
  things: 'sessions',
  whole: 'This week',
  page: 'Begin at the first page.',
  filter: 'The department in the address is unknown. Choose again below, or see the whole week.',
  down: 'No session is lost. Try again in a few minutes.',
};

/** Returns whether the signed-in person may change rosters. The service checks it again. */
export function mayChange({ staff }: Pick<PageProps, 'staff'>): boolean {
  return staff?.scopes.includes('rosters:write') ?? false;
}

/** Returns whether the signed-in person may write to patients. The service checks it again. */
export function mayWrite({ staff }: Pick<PageProps, 'staff'>): boolean {
  return staff?.scopes.includes('appointments:write') ?? false;
}

/** Returns why a list cannot be shown, or null if it can. */
export function absenceIn(list: DataResult | undefined): Absence | null {
  if (!list) return 'down';
  return list.ok ? null : absenceOf(list);
}

export function sessionsIn({ data }: Pick<RosterProps, 'data'>): readonly Session[] {
  return listOf(data.sessions, 'sessions');
}

export function leavesIn({ data }: Pick<RosterProps, 'data'>): readonly Leave[] {
  return listOf(data.leaves, 'leaves');
}

export function requestsIn({ data }: Pick<RosterProps, 'data'>): readonly LeaveRequest[] {
  return listOf(data.requests, 'leaveRequests');
}

/** Returns the departments that can have sessions. Without the service, those of the specification. */
export function departmentsIn({ data: { departments } }: Pick<RosterProps, 'data'>): Department[] {
  return deskDepartments({ data: { departments } }).filter(({ bookable }) => bookable);
}

/** Returns who works in a session, as leave names it: `doctor:<id>` or `clinic:<session id>`. */
export function resourceOf({ doctorId, id }: Pick<Session, 'doctorId' | 'id'>): string {
  return doctorId ? `doctor:${doctorId}` : `clinic:${id}`;
}

/** Returns the doctor's id of a resource, or an empty string for a clinic. */
export function doctorIn(resource: string): string {
  return resource.startsWith('doctor:') ? resource.slice('doctor:'.length) : '';
}

/** Returns whether the text names a doctor or a clinic. */
export function isResource(text: string): boolean {
  return /^(doctor|clinic):[\w-]{1,64}$/.test(text);
}

/** Returns the name of each doctor and clinic. Doctors are named by the departments, else by their public profiles. */
export function namesOf(props: Pick<RosterProps, 'data'>): ReadonlyMap<string, string> {
  const names = new Map(listOf(props.data.doctors, 'doctors').map(({ id, name }) => [`doctor:${id}`, name]));
  for (const { attendants } of departmentsIn(props)) {
    for (const { resource, name } of attendants) names.set(resource, name);
  }
  for (const session of sessionsIn(props)) {
    if (!session.doctorId && session.name) names.set(resourceOf(session), session.name);
  }
  return names;
}

/** Returns the name, or a replacement for a doctor without bookable days and without a public profile. */
export function nameOf(resource: string, names: ReadonlyMap<string, string>): string {
  const doctor = doctorIn(resource);
  return names.get(resource) ?? (doctor ? `Doctor ${doctor}` : `Clinic ${resource.slice('clinic:'.length)}`);
}

/** Returns the address of a doctor's or clinic's page. `session`: the one to change. */
export function resourceAddress(resource: string, query: { session?: string } = {}): string {
  // A colon needs no escape in a path.
  return address(`${ROSTERS_PATH}/${encodeURIComponent(resource).replace('%3A', ':')}`, query);
}
