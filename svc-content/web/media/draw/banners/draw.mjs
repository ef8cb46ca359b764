/** Banners of the home page. */
import { SCENES } from './scenes.mjs';

/** Wraps a scene in an SVG with round line ends. Shapes set their own fill. */
function drawBanner(name) {
  const content = SCENES[name].replace(/-?\d+\.\d{2,}/g, (number) => String(Math.round(Number(number) * 10) / 10));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 890 356" fill="none" stroke-linecap="round" stroke-linejoin="round">${content}</svg>\n`;
}

/** Drawings by path below `media/drawn`, without extension. */
export const BANNERS = new Map(Object.keys(SCENES).map((name) => [`banners/${name}`, drawBanner(name)]));
