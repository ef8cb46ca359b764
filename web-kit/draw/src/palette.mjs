/** Colours of every drawing. Drawings use no other colours, except mixtures of these. */
export const PALETTE = {
  // The site's own colours, equal to the tokens.
  ink: '#10262b', slate: '#47606a', teal: '#0b5563', deep: '#083f4a', air: '#e1f0f1', paper: '#fffdf8', white: '#ffffff',
  champaca: '#e6a52e', cream: '#fdf3dc', line: '#e4e0d6',
  // Between them.
  sea: '#2c8a8d', mist: '#7fb3b6', pale: '#c3dfe0', light: '#f3cf86', stone: '#c9c2b4', granite: '#8f9492', grey: '#c9d3d6',
  // Plants of Jayanagar: leaf, sunlit leaf, gulmohar blossom, bark.
  leaf: '#1f6b4f', sunlit: '#4f9a5f', gulmohar: '#d9532c', bark: '#6b4a34',
  // The city: auto rickshaw, Bengaluru bus, brick, jasmine, marigold.
  auto: '#f2c230', autoGreen: '#1d7a4b', bus: '#2f6fa8', brick: '#b8643f', rose: '#c9576b', marigold: '#ee8a1d',
  // Dusk.
  dusk: '#33415c', duskLow: '#c96f4f', lamp: '#ffd98a', night: '#16233a',
}; // prettier-ignore

/** Skin, from light to dark. */
export const SKIN = { 1: '#f0c9a4', 2: '#dfae84', 3: '#c98f63', 4: '#a9714a', 5: '#8a5738', 6: '#6c422a' };

export const HAIR = { black: '#1d2326', brown: '#3a2a22', grey: '#8b9497', white: '#d5dbdc', henna: '#5b2f22' };

/** Mixes two `#rrggbb` colours; `share` is that of the second, 0 to 1. */
export function mix(a, b, share) {
  const channel = (colour, at) => parseInt(colour.slice(at, at + 2), 16);
  const mixed = [1, 3, 5].map((at) => Math.round(channel(a, at) * (1 - share) + channel(b, at) * share));
  const colour = `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
  mixtures.add(colour);
  return colour;
}

const mixtures = new Set();
/** Whether a `#rrggbb` or `#rgb` colour is one of the palette or was mixed from it. */
export function isOfPalette(colour) {
  const long = colour.length === 4 ? colour.replace(/[0-9a-f]/g, '$&$&') : colour;
  return mixtures.has(long) || [PALETTE, SKIN, HAIR].some((colours) => Object.values(colours).includes(long));
}
