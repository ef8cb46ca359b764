/** Path below `media/drawn`, without its ending, to the drawing. */
export const DRAWN: ReadonlyMap<string, string>;
