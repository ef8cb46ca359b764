/** Path with those query parameters that have a value. */
export function address(path: string, query: Record<string, string | undefined>): string {
  const given = Object.entries(query).filter(([, value]) => value);
  const pairs = given.map(([name, value]) => `${name}=${encodeURIComponent(value as string)}`);
  return pairs.length ? `${path}?${pairs.join('&')}` : path;
}

/** The API's limit for a search. */
export const SEARCH_CHARACTERS_MAX = 100;
