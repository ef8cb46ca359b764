/** What the card of a doctor or clinic shows, joined from the booking service's list and the content team's profiles. */
import type { Doctor } from '@hospital/api/types';
import { addDays, istDay } from '@hospital/page/format';
import type { DayTime } from './alternatives.ts';
import { type Attendant, feeText, hoursText } from './attendants.ts';
import { t } from '../messages.ts';
import { shortDay, timeText } from './calendar.ts';
import { type AppointmentProps, type Department, type NextFree, doctorsOf, listOf } from './data.ts';
import { attendantsOf, pickedValue } from './picked.ts';

export interface AttendantCard {
  attendant: Attendant;
  /** Value of the field `picked`. */
  value: string;
  /** Path of the portrait; empty if there is none. */
  image: string;
  initials: string;
  /** Degrees of a doctor; hours of a clinic. */
  about: string;
  /** Fee and languages. */
  facts: string;
}

/** Returns the cards of a department: its doctors, then its clinics. Without a department, all doctors. */
export function cardsOf(
  { data }: Pick<AppointmentProps, 'data'>,
  departments: readonly Department[],
  department: Department | undefined,
): AttendantCard[] {
  const clinics = attendantsOf(department).filter(({ doctorId }) => !doctorId);
  return [...doctorsOf(departments, department), ...clinics].map((one) => cardOf(data, one));
}

export function cardOf(data: Pick<AppointmentProps['data'], 'doctors'>, attendant: Attendant): AttendantCard {
  const profiles = listOf(data.doctors, 'doctors');
  const profile = profiles.find(({ id }) => id === attendant.doctorId);
  const hours = (attendant.sittings ?? []).filter(Boolean).map(hoursText).join('; ');
  return {
    attendant,
    value: pickedValue(attendant),
    image: profile ? portraitOf(profile) : '',
    initials: profile?.initials ?? initialsOf(attendant.name),
    about: attendant.doctorId ? [profile?.specialty, profile?.degrees].filter(Boolean).join(', ') : hours,
    facts: [feeText(attendant) || t('Fee: please ask reception'), ...(profile ? languagesOf(profile) : [])]
      .filter(Boolean)
      .join(' · '),
  };
}

/** An uploaded picture has only the forms that its facts name. A service of an earlier release returns no facts. */
function portraitOf({ image, picture }: Pick<Doctor, 'image' | 'picture'>): string {
  if (!image.startsWith('/media/')) return image;
  const [width] = picture?.widths ?? [];
  return width ? `${image}-${width}.webp` : '';
}

/** A service of an earlier release returns no languages. */
function languagesOf({ languages = [] }: Partial<Pick<Doctor, 'languages'>>): string[] {
  return languages.length > 0 ? [t('speaks {languages}', { languages: languages.join(', ') })] : [];
}

function initialsOf(name: string): string {
  const words = name.replace(/^Dr\. /, '').split(/[^\p{L}\p{M}’']+/u);
  return words
    .slice(0, 2)
    .map((word) => word.charAt(0))
    .join('')
    .toUpperCase();
}

/** Returns the next free time of a doctor; null if unknown, `none` if every day is full. */
export function nextOf(next: readonly NextFree[], { doctorId }: Attendant): DayTime | 'none' | null {
  const found = doctorId ? next.find(({ doctor }) => doctor === doctorId) : undefined;
  if (!found) return null;
  return found.date ? { date: found.date, time: found.time } : 'none';
}

/** Formats a time as `Next free: today, 4:00 PM`. */
export function nextText(next: DayTime | 'none' | null, now: string): string {
  if (!next) return '';
  if (next === 'none') return t('No free time in the next 60 days');
  const today = istDay(now);
  const { weekday, date } = shortDay(next.date);
  const time = timeText(next.time);
  if (next.date === today) return t('Next free: today, {time}', { time });
  if (next.date === addDays(today, 1)) return t('Next free: tomorrow, {time}', { time });
  return t('Next free: {day}, {time}', { day: `${weekday} ${date}`, time });
}
