import { pictureAddress, pictureKey } from '@hospital/ui/picture';
import { PICTURES, SOURCES } from './pictures.ts';

/** The address of a picture that the content names: a drawing of this module, or a path of this site. */
export function pictureAt(image: string): string | undefined {
  return pictureAddress(image, PICTURES);
}

/** The drawing itself, when the content names one that can be in the first screen. */
export function pictureSource(image: string): string | undefined {
  const key = pictureKey(image);
  return Object.hasOwn(SOURCES, key) ? SOURCES[key] : undefined;
}
