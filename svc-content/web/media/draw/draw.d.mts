/** Drawings by path below `media/drawn`, without extension. */
export const DRAWN: ReadonlyMap<string, string>;
