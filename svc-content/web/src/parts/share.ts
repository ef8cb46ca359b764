/** Preview pictures for shared links. PNG, because social networks do not show SVG; the build converts the drawings. */
import { pictureKey } from '@hospital/ui/picture';
import { pictureAt } from './drawings.ts';
import { type Depicted, sharedForm } from './photograph.tsx';

const SHARED = table(
  import.meta.webpackContext('../../media/drawn?share', {
    regExp: /^\.\/(articles|banners|blogs(?!\/scene-)|events|news|portraits|services|surgeries)\/[a-z0-9-]+\.svg$/,
  }),
);

/** Returns the preview of a picture named by the content: of an uploaded one, a form of it. */
export function sharedPicture(depicted: Depicted): string | undefined {
  const { image } = depicted;
  const form = sharedForm(depicted);
  if (form) return form;
  const key = pictureKey(image);
  if (Object.hasOwn(SHARED, key)) return SHARED[key];
  return /\.(png|jpe?g)$/.test(image) ? pictureAt(image) : undefined;
}

export function sharedPortrait(doctor: Depicted & { slug: string }): string | undefined {
  return sharedForm(doctor) ?? sharedPicture({ image: `portraits/${doctor.slug}` });
}

/** Returns the preview for kinds of pages without their own pictures. */
export function sharedBanner(
  name: 'ambulance' | 'arrival' | 'garden' | 'laboratory' | 'mother' | 'theatre' | 'ward',
): string | undefined {
  return sharedPicture({ image: `banners/${name}` });
}

function table(context: WebpackContext<string>): Readonly<Record<string, string>> {
  return Object.fromEntries(context.keys().map((path) => [pictureKey(path.slice(2)), context(path)]));
}
