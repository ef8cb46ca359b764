/** Returns the path with the query parameters that have a value. */
export function address(path: string, query: Record<string, string | undefined>): string {
  const given = Object.entries(query).filter(([, value]) => value);
  const pairs = given.map(([name, value]) => `${name}=${encodeURIComponent(value as string)}`);
  return pairs.length ? `${path}?${pairs.join('&')}` : path;
}

/** Maximum characters of a search in the API. */
export const SEARCH_CHARACTERS_MAX = 100;
