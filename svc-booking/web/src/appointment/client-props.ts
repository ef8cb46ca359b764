/** The data that the page hydrates with: only the fields that its components read. */
import type { DataResult } from '@hospital/page';
import type { AppointmentProps } from './data.ts';

const FIELDS = {
  site: ['name', 'origin', 'address', 'phones', 'emails', 'hours'],
  departmentProfiles: ['id', 'problems', 'treats'],
  doctors: ['id', 'specialty', 'degrees', 'image', 'picture', 'initials', 'languages'],
  next: ['doctor', 'date', 'time'],
} as const;

/** The fields of a response, or of an entry of its list, that the page may read. */
export type Fields<Body, Key extends keyof typeof FIELDS> = Pick<Body, (typeof FIELDS)[Key][number] & keyof Body>;

/** Returns the props without the other fields. */
export function clientProps(props: AppointmentProps): AppointmentProps {
  const { departments, site, profiles, doctors, next } = props.data;
  return {
    ...props,
    data: {
      departments,
      site: site.ok ? { ...site, body: pick(site.body, FIELDS.site) } : site,
      ...(profiles && { profiles: reduced(profiles, 'departmentProfiles') }),
      ...(doctors && { doctors: reduced(doctors, 'doctors') }),
      ...(next && { next: reduced(next, 'next') }),
    },
  };
}

/** Reduces the entries of a response's list. */
function reduced<Body extends object>(result: DataResult<Body | undefined>, key: keyof Body & keyof typeof FIELDS) {
  if (!result.ok || !result.body) return result;
  const list = result.body[key] as object[];
  return { ...result, body: { [key]: list.map((entry) => pick(entry, FIELDS[key])) } as Body };
}

function pick<Entry extends object>(entry: Entry, fields: readonly string[]): Entry {
  return Object.fromEntries(Object.entries(entry).filter(([field]) => fields.includes(field))) as Entry;
}
