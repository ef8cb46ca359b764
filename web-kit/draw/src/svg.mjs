/** SVG elements as text. Coordinates are user units of the drawing. */
export const fill = (d, colour) => `<path d="${d}" fill="${colour}"/>`;
/** A line with round ends and joins. */
export const line = (d, colour, width = 4) =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;
export const dot = (x, y, r, colour) => `<circle cx="${x}" cy="${y}" r="${r}" fill="${colour}"/>`;
export const oval = (x, y, rx, ry, colour) => `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${colour}"/>`;
export const box = (x, y, width, height, colour, r = 8) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}"${r ? ` rx="${r}"` : ''} fill="${colour}"/>`;
/** Moves and optionally scales; a negative `sx` mirrors. */
export const at = (x, y, content, sx = 1, sy = Math.abs(sx)) =>
  `<g transform="translate(${x} ${y})${sx === 1 && sy === 1 ? '' : ` scale(${sx === sy ? sx : `${sx} ${sy}`})`}">${content}</g>`;
export const turn = (x, y, degrees, content) => `<g transform="translate(${x} ${y}) rotate(${degrees})">${content}</g>`;
export const many = (places, draw) => places.map(([x, y, ...rest]) => draw(x, y, ...rest)).join('');
/** Any transformation. */
export const moved = (transform, ...parts) => `<g transform="${transform}">${parts.join('')}</g>`;
/** Mirrors the left half of a symmetric drawing to the right, in a field of this width. */
export const mirrored = (width, ...parts) => moved(`matrix(-1 0 0 1 ${width} 0)`, ...parts);
export const cross = (x, y, r, colour, width) => line(`M${x - r} ${y}h${2 * r}M${x} ${y - r}v${2 * r}`, colour, width);
/** A complete drawing. */
export const picture = (width, height, content) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">${content}</svg>\n`;
const ROUND = ' stroke-linecap="round" stroke-linejoin="round"';
/**
 * The same drawing in fewer bytes: `digits` decimals (of scales too), short colours, no blanks before signs; what most lines have in
 * common is said once, at the root.
 */
export const compact = (svg, digits = 1) =>
  svg
    .replace(/<(path|ellipse)[^>]* stroke="[^>]*>/g, (stroke) => {
      if (stroke.includes(ROUND)) return stroke.replace(ROUND, '').replace(' fill="none"', '');
      return stroke.includes('stroke-linecap="round"')
        ? stroke.replace(' stroke-linecap="round"', '')
        : stroke.replace('/>', ' stroke-linecap="butt"/>');
    })
    .replace('>', ` fill="none"${ROUND}>`)
    .replace(/-?\d+\.\d+/g, (number) => String(Math.round(Number(number) * 10 ** digits) / 10 ** digits))
    .replace(/#[0-9A-F]{6}/gi, (colour) => colour.toLowerCase())
    .replace(/#([0-9a-f])\1([0-9a-f])\2([0-9a-f])\3"/g, '#$1$2$3"')
    .replace(/ d="[^"]*"/g, (path) => path.replace(/ -/g, '-').replace(/(?<=\D)0\./g, '.'));
