/** Whether a `#rrggbb` or `#rgb` colour is one of the palette or was mixed from it. */
export function isOfPalette(colour: string): boolean;
