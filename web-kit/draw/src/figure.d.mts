/** Draws a person with the feet at (x, y) as SVG; see figure.mjs for the looks. */
type Draw = (x: number, y: number, look?: object, scale?: number) => string;
export const standing: Draw;
export const walking: Draw;
export const seated: Draw;
export const crossLegged: Draw;
export const kneeling: Draw;
export const lying: Draw;
export const wheelchair: Draw;
