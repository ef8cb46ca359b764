/** The departments that see patients by video: who calls, the fee and the hours. */
import type { Department, ListDepartmentsResponse, VideoClinic } from '@hospital/api/types';
import type { DataResult } from '@hospital/page';
import { addDays, istDay } from '@hospital/page/format';
import { weekdayCode } from '../appointment/calendar.ts';
import { t } from '../messages.ts';

export interface Clinic {
  id: string;
  name: string;
  feeRupees: number;
  hours: { weekdays: string[]; from: string; until: string };
  /** Who calls: doctors, or clinics if the department has no doctor of its own. */
  people: string[];
}

/** Returns an empty list if the departments could not be loaded or the service is of an earlier release. */
export function clinicsIn(answer: DataResult<ListDepartmentsResponse> | undefined): Clinic[] {
  const departments = answer?.ok && Array.isArray(answer.body?.departments) ? answer.body.departments : [];
  return departments.flatMap((one) => (one.video?.hours ? [clinic(one, one.video)] : []));
}

function clinic({ id, name, attendants }: Department, { feeRupees, hours }: VideoClinic): Clinic {
  const open = (attendants ?? []).filter(({ byNameOnly }) => !byNameOnly);
  const doctors = open.filter(({ doctorId }) => doctorId);
  const people = (doctors.length > 0 ? doctors : open).map((one) => one.name);
  const { weekdays, from, until } = hours ?? {};
  return { id, name, feeRupees, hours: { weekdays: weekdays ?? [], from: from ?? '', until: until ?? '' }, people };
}

/** Formats `₹400 to ₹700`. */
export function feesText(clinics: readonly Clinic[]): string {
  const fees = clinics.map(({ feeRupees }) => feeRupees);
  const [low, high] = [Math.min(...fees), Math.max(...fees)];
  return low === high ? `₹${low}` : t('₹{low} to ₹{high}', { low, high });
}

/** Returns the first of these weekdays from today on, `YYYY-MM-DD` in India. */
export function sampleDay(weekdays: readonly string[], now: string): string {
  const days = Array.from({ length: 7 }, (_, ahead) => addDays(istDay(now), ahead));
  return days.find((day) => weekdays.includes(weekdayCode(day))) ?? istDay(now);
}
