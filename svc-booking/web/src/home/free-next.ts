import type { ListDoctorsResponse, ListNextAvailableResponse, NextAvailable } from '@hospital/api/types';
import type { DataResult } from '@hospital/page';
import { address } from '@hospital/ui/address';
import { shortDay, timeText } from '../appointment/calendar.ts';

/** A doctor's next free time, with the booking form's path for it. */
export interface FreeDoctor {
  id: string;
  name: string;
  initials: string;
  specialty: string;
  /** `Thu 26 Nov, 9:00 AM`. Never `today`: a cached document may be read on the next day. */
  when: string;
  startsAt: string;
  href: string;
}

interface Answers {
  doctors: DataResult<ListDoctorsResponse> | undefined;
  next: DataResult<ListNextAvailableResponse> | undefined;
}

/** Returns up to `count` doctors of different specialties whose next free time comes first; none without an answer. */
export function freeNext({ doctors, next }: Answers, now: string, count: number): FreeDoctor[] {
  const profiles = doctors?.ok && Array.isArray(doctors.body?.doctors) ? doctors.body.doctors : [];
  const times = next?.ok && Array.isArray(next.body?.next) ? next.body.next : [];
  const ahead = times
    .filter(({ date, time, startsAt }) => date && time && Date.parse(startsAt) > Date.parse(now))
    .sort((one, other) => Date.parse(one.startsAt) - Date.parse(other.startsAt));
  const found: FreeDoctor[] = [];
  const specialties = new Set<string>();
  for (const entry of ahead) {
    const profile = profiles.find(({ id }) => id === entry.doctor);
    if (!profile || profile.closedToNewPatients || specialties.has(profile.specialtyKey)) continue;
    specialties.add(profile.specialtyKey);
    const { id, name, initials, specialty } = profile;
    found.push({ id, name, initials, specialty, when: whenOf(entry), startsAt: entry.startsAt, href: hrefOf(entry) });
    if (found.length === count) break;
  }
  return found;
}

function whenOf({ date, time }: NextAvailable): string {
  const { weekday, date: day } = shortDay(date);
  return `${weekday} ${day}, ${timeText(time)}`;
}

function hrefOf({ doctor, department, date, time }: NextAvailable): string {
  return address('/appointment', { doctor, department, date, time });
}
