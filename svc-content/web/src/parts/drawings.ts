/** The drawings of this package: `media/drawn`, each known by its folder and name, such as `services/wards`. */
import type { Drawing } from '@hospital/ui/drawing';
import { pictureAddress, pictureKey } from '@hospital/ui/picture';

const ADDRESSES = table(
  import.meta.webpackContext('../../media/drawn', {
    regExp: /^\.\/(articles|blogs|events|news|portraits|promos|reviews|services|surgeries)\/[a-z0-9-]+\.svg$/,
  }),
);

/** The drawings themselves, of those that can be in the first screen. */
const SOURCES = table(
  import.meta.webpackContext('../../media/drawn?raw', {
    regExp: /^\.\/(articles|blogs(?!\/scene-)|events|news|services|surgeries)\/[a-z0-9-]+\.svg$/,
  }),
);

/** The address of a picture that the content names: a drawing of this package, or a path of this site. */
export function pictureAt(image: string): string | undefined {
  return pictureAddress(image, ADDRESSES);
}

/** The drawing itself, when the content names one that can be in the first screen. */
export function pictureSource(image: string): string | undefined {
  const key = pictureKey(image);
  return Object.hasOwn(SOURCES, key) ? SOURCES[key] : undefined;
}

/** Address and text of the drawing of a service or surgery, 16 by 9; none for a slug that nothing is drawn for. */
export function drawingOf(kind: 'services' | 'surgeries', slug: string): Drawing | undefined {
  const key = `${kind}/${slug}`;
  const [address, svg] = [ADDRESSES[key], SOURCES[key]];
  return address && svg ? { address, svg } : undefined;
}

/** The address of a doctor's portrait, a square. */
export function portraitOf(slug: string): string | undefined {
  const key = `portraits/${slug}`;
  return Object.hasOwn(ADDRESSES, key) ? ADDRESSES[key] : undefined;
}

/** The keys of all drawings. */
export function drawnKeys(): string[] {
  return Object.keys(ADDRESSES);
}

function table(context: WebpackContext<string>): Readonly<Record<string, string>> {
  return Object.fromEntries(context.keys().map((path) => [pictureKey(path.slice(2)), context(path)]));
}
