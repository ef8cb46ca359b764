/** Doctors and their rosters: who is on one side only, and the way from a profile to its roster. */
import type { Department, Doctor } from '@hospital/api/types';
import type { DataResult, PageProps } from '@hospital/page';
import { address } from '@hospital/ui/address';
import { LinkButton } from '@hospital/ui/button';
import { Notice } from '@hospital/ui/notice';
import type { Body } from './body.ts';
import type { ContentRecord } from './records.ts';

export type Departments = DataResult<{ departments: readonly Department[] }> | undefined;

type Staffed = Pick<PageProps, 'staff'>;

/** Returns whether the signed-in person may change rosters. The service of rosters checks it. */
export function maySetRosters({ staff }: Staffed): boolean {
  return staff?.scopes.includes('rosters:write') ?? false;
}

/** Returns the page of a doctor's roster, with what its first session needs. */
export function rosterAddress(
  doctor: { id: string; name: string; specialty?: string },
  departments: Departments,
): string {
  const specialty = (doctor.specialty ?? '').toLowerCase();
  const all = departments?.ok ? departments.body.departments : [];
  const department = all.find(({ id, name }) => [id, name.toLowerCase()].includes(specialty))?.id;
  const path = `/staff/rosters/doctor:${encodeURIComponent(doctor.id)}`;
  return address(path, { name: doctor.name, department });
}

export interface OneSided {
  /** Live profiles of doctors whom patients can’t book. */
  unrostered: readonly { id: string; name: string; specialty: string }[];
  /** Doctors whom patients can book, without a live profile. */
  unknown: readonly { id: string; name: string }[];
}

interface Sides {
  /** Live records of doctors. */
  records: readonly Pick<ContentRecord, 'recordId'>[];
  /** Doctors in lists. */
  profiles: readonly Pick<Doctor, 'id' | 'name' | 'specialty' | 'closedToNewPatients'>[];
  departments: readonly Department[];
}

/** Compares the ids of both sides. A doctor who is in no list, or sees known patients only, needs no roster. */
export function oneSided({ records, profiles, departments }: Sides): OneSided {
  const bookable = new Set(departments.flatMap(({ doctorIds }) => doctorIds ?? []));
  const live = new Set(records.map(({ recordId }) => recordId));
  const names = new Map(
    departments.flatMap(({ attendants }) => (attendants ?? []).map(({ doctorId, name }) => [doctorId, name] as const)),
  );
  return {
    unrostered: profiles.filter(({ id, closedToNewPatients }) => !closedToNewPatients && !bookable.has(id)),
    unknown: [...bookable].filter((id) => !live.has(id)).map((id) => ({ id, name: names.get(id) ?? id })),
  };
}

interface NextStepProps {
  record: ContentRecord;
  departments: Departments;
  staff: PageProps['staff'];
}

/** Renders the step after the profile of a doctor whom patients can’t book yet. */
export function RosterStep({ record, departments, staff }: NextStepProps) {
  const { kind, recordId, state, title, body = {} } = record;
  if (kind !== 'doctor' || state === 'archived' || !departments?.ok || !needsRoster(body)) return null;
  const { unrostered } = oneSided({
    records: [],
    profiles: [{ id: recordId, name: title, specialty: String(body.specialty ?? ''), closedToNewPatients: false }],
    departments: departments.body.departments ?? [],
  });
  const [doctor] = unrostered;
  if (!doctor) return null;
  return (
    <Notice tone="warning" title="Next step: the roster">
      <p>{`Patients can’t book ${title || 'this doctor'} before a roster has the days and hours.`}</p>
      {maySetRosters({ staff }) ? (
        <p>
          <LinkButton href={rosterAddress(doctor, departments)}>Add the doctor’s roster</LinkButton>
        </p>
      ) : (
        <p>{WHO}</p>
      )}
    </Notice>
  );
}

export const WHO = 'Ask a colleague who may change rosters (scope rosters:write), such as a manager, to add it.';

function needsRoster({ listed, closed_to_new_patients: isClosed }: Body): boolean {
  return listed !== false && isClosed !== true;
}
