/** Status of a page, derived from its data. */
import type { DataResult } from '@hospital/page';

/** Returns 200 with data, 404 for a missing item, otherwise a status of at least 500, which must not be cached. */
export function statusOf(result: DataResult): number {
  if (result.ok) return 200;
  return isMissing(result) ? 404 : Math.max(result.status, 500);
}

/** Returns whether the item is missing: the API has none of this name (404), or the name is invalid (400). */
export function isMissing(result: DataResult): boolean {
  return !result.ok && (result.status === 404 || result.status === 400);
}
