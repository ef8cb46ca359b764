/** Drawings by name below `src/drawn`, without extension. */
export const DRAWN: ReadonlyMap<string, string>;
