/** Drawings of this package in `media/drawn`, keyed by folder and name, such as `services/wards`. */
import type { Drawing } from '@hospital/ui/drawing';
import { pictureAddress, pictureKey } from '@hospital/ui/picture';

const ADDRESSES = table(
  import.meta.webpackContext('../../media/drawn', {
    regExp: /^\.\/(articles|blogs|events|news|portraits|promos|reviews|services|surgeries)\/[a-z0-9-]+\.svg$/,
  }),
);

/** SVG sources of drawings that can be above the fold. */
const SOURCES = table(
  import.meta.webpackContext('../../media/drawn?raw', {
    regExp: /^\.\/(articles|blogs(?!\/scene-)|events|news|services|surgeries)\/[a-z0-9-]+\.svg$/,
  }),
);

/** Returns the URL of a picture named by the content: a drawing of this package, or a path on this site. */
export function pictureAt(image: string): string | undefined {
  return pictureAddress(image, ADDRESSES);
}

/** Returns the SVG source of a picture named by the content, if it can be above the fold. */
export function pictureSource(image: string): string | undefined {
  const key = pictureKey(image);
  return Object.hasOwn(SOURCES, key) ? SOURCES[key] : undefined;
}

/**
 * Returns URL and SVG source of the drawing of a service or surgery, 16 by 9; undefined if none exists for the slug.
 */
export function drawingOf(kind: 'services' | 'surgeries', slug: string): Drawing | undefined {
  const key = `${kind}/${slug}`;
  const [address, svg] = [ADDRESSES[key], SOURCES[key]];
  return address && svg ? { address, svg } : undefined;
}

/** Returns the URL of a doctor's square portrait. */
export function portraitOf(slug: string): string | undefined {
  const key = `portraits/${slug}`;
  return Object.hasOwn(ADDRESSES, key) ? ADDRESSES[key] : undefined;
}

/** Returns the keys of all drawings. */
export function drawnKeys(): string[] {
  return Object.keys(ADDRESSES);
}

function table(context: WebpackContext<string>): Readonly<Record<string, string>> {
  return Object.fromEntries(context.keys().map((path) => [pictureKey(path.slice(2)), context(path)]));
}
