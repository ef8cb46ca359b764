import { PICTURES } from '../images/pictures.ts';

/** The address of a picture by its key, which stands in the path that the API names; or what else a browser can fetch. */
export function pictureOf(image: string): string | undefined {
  const key = image.replace(/^\/images\/|\.svg$/g, '');
  return PICTURES[key] ?? (image.startsWith('https://') ? image : undefined);
}
