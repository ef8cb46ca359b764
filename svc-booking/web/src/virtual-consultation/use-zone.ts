import { useSyncExternalStore } from 'react';
import { type Zone, zoneOf } from './zone.ts';

const never = () => () => {};
/** One object per zone and time: a snapshot that changes with each read would render forever. */
let known: { key: string; zone: Zone | null } | null = null;

function read(now: string): Zone | null {
  const id = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const key = `${id} ${now}`;
  if (known?.key !== key) known = { key, zone: id ? zoneOf(id, now) : null };
  return known.zone;
}

/** Returns the visitor's zone if its clocks differ from India's. Null on the server and without script. */
export function useZone(now: string): Zone | null {
  return useSyncExternalStore(
    never,
    () => read(now),
    () => null,
  );
}
