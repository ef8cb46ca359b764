import type { Day } from './outcome.ts';
import type { AvailabilityQuery } from './use-availability.ts';

/** The days of the span; null when they cannot be read now. */
export async function listAvailability(query: AvailabilityQuery, signal: AbortSignal): Promise<Day[] | null> {
  const response = await fetch(`/api/availability?${new URLSearchParams({ ...query })}`, { signal }).catch(() => null);
  if (!response?.ok) return null;
  return ((await response.json()) as { days: Day[] }).days;
}
