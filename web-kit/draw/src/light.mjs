/** Light of an evening. */
import { PALETTE as C, mix } from './palette.mjs';

/** A part that keeps its colours at dusk: they are in capitals until `compact`. */
export const shining = (part) => part.replace(/#[0-9a-f]{6}/g, (colour) => colour.toUpperCase());
/** A part in the evening, with `share` of its light lost to the night; what shines is left as it is. */
export const inEvening = (part, share = 0.36) =>
  part.replace(/#[0-9a-f]{6}(?=")/g, (colour) => mix(colour, C.night, share));
/** The gradient of `halo`, once in a drawing. `id` must be unique in a document. */
export const haloGradient = (id, colour = C.lamp) =>
  `<radialGradient id="${id}"><stop stop-color="${colour}" stop-opacity=".75"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient>`;
export const halo = (id, x, y, rx, ry = rx) =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="url(#${id})"/>`;
