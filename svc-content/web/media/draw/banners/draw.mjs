/** The banners of the home page. */
import { SCENES } from './scenes.mjs';

/** Round line ends everywhere; shapes name their own fill. */
function drawBanner(name) {
  const content = SCENES[name].replace(/-?\d+\.\d{2,}/g, (number) => String(Math.round(Number(number) * 10) / 10));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 890 356" fill="none" stroke-linecap="round" stroke-linejoin="round">${content}</svg>\n`;
}

/** Path below `media/drawn`, without its ending, to the drawing. */
export const BANNERS = new Map(Object.keys(SCENES).map((name) => [`banners/${name}`, drawBanner(name)]));
