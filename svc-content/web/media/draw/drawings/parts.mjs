/** Common style of the drawings: flat shapes, two tones of teal, champaca light, round line ends. */
export const INK = '#10262b';
export const DARK = '#083f4a';
export const TEAL = '#0b5563';
export const MID = '#2c8a8d';
export const LIGHT = '#9fc9cb';
export const PALE = '#c3dfe0';
export const SOFT = '#e1f0f1';
export const WHITE = '#fff';
export const GOLD = '#e6a52e';
export const GLOW = '#f3cf86';
export const CREAM = '#fdf3dc';
export const SKIN = ['#e0b088', '#c98f63', '#8a5a3b'];

export const shape = (d, fill) => `<path d="${d}" fill="${fill}"/>`;
export const line = (d, stroke, width = 3) =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;
export const dot = (x, y, r, fill) => `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"/>`;
export const oval = (x, y, rx, ry, fill) => `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}"/>`;
export const box = (x, y, width, height, r, fill) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${r}" fill="${fill}"/>`;
/** Translates, rotates or mirrors a drawing. */
export const at = (transform, ...parts) => `<g transform="${transform}">${parts.join('')}</g>`;
/** Mirrors the left half of a symmetric drawing to the right, in a field of this width. */
export const mirrored = (width, ...parts) => at(`matrix(-1 0 0 1 ${width} 0)`, ...parts);
export const cross = (x, y, r, stroke, width) => line(`M${x - r} ${y}h${2 * r}M${x} ${y - r}v${2 * r}`, stroke, width);
