/** Banners of the home page. */
import { compact, picture } from '@hospital/draw/svg';
import { SCENES } from './scenes.mjs';

/** Drawings by path below `media/drawn`, without extension. */
export const BANNERS = new Map(
  Object.entries(SCENES).map(([name, scene]) => [`banners/${name}`, compact(picture(890, 356, scene))]),
);
