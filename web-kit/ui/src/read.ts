/** What a page's answers mean for its status. */
import type { DataResult } from '@hospital/page';

/** 200 with the data, 404 when there is no such thing, otherwise a failure that must not be kept as the page. */
export function statusOf(result: DataResult): number {
  if (result.ok) return 200;
  return isMissing(result) ? 404 : Math.max(result.status, 500);
}

/** There is no such thing: the API knows none of this name, or nothing can have such a name. */
export function isMissing(result: DataResult): boolean {
  return !result.ok && (result.status === 404 || result.status === 400);
}
