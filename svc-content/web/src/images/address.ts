import { PICTURES, SOURCES } from './pictures.ts';

const PLACEHOLDER = PICTURES.placeholder as string;

/**
 * The address of a picture that the content names: a drawing (`/images/blogs/scene-walking.svg`, or its key
 * `blogs/scene-walking`), or a path of this site. The security policy shows no pictures of other sites, so those, like a
 * missing one, give the placeholder.
 */
export function pictureAddress(image: string): string {
  const key = keyOf(image);
  if (Object.hasOwn(PICTURES, key)) return PICTURES[key] as string;
  return /^\/(?![/\\])/.test(image) ? image : PLACEHOLDER;
}

/** The drawing itself, when the content names one that can be in the first screen. */
export function pictureSource(image: string): string | undefined {
  const key = keyOf(image);
  return Object.hasOwn(SOURCES, key) ? SOURCES[key] : undefined;
}

function keyOf(image: string): string {
  return image.replace(/^\/images\//, '').replace(/\.svg$/, '');
}
