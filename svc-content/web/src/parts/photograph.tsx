/** Pictures that staff uploaded. Their forms are at `/media/<hash>-<width>.<avif|webp>`. */
import type { Picture } from '@hospital/api/types';
import { classNames } from '@hospital/ui/class-names';
import styles from './photograph.module.css';

/** Width of the form for link previews, in pixels. */
const SHARED_WIDTH = 960;
/** Steps of the focal point from edge to edge. */
const STEPS = 6;

/** An `image` of the content, and the facts that services send beside it if it was uploaded. */
export interface Depicted {
  image: string;
  /** Absent for drawings, while a picture has no forms, and from services of earlier releases. */
  picture?: Picture | null | undefined;
}

/** Returns the facts of an uploaded picture that can be shown. */
export function uploadedIn({ image, picture }: Depicted): Picture | null {
  return isUpload(image) && picture?.widths?.length ? picture : null;
}

/** Returns whether an `image` names an uploaded picture. Its address without a width has no content. */
export function isUpload(image: string): boolean {
  return /^\/media\/[0-9a-f]+$/.test(image);
}

/** Returns the address of the smallest WebP form of at least this width, or else of the widest, if there is one. */
export function formOf(depicted: Depicted, width: number): string | undefined {
  const widths = uploadedIn(depicted)?.widths ?? [];
  const fitting = widths.find((one) => one >= width) ?? widths.at(-1);
  return fitting === undefined ? undefined : `${depicted.image}-${fitting}.webp`;
}

/** Returns the address of the form for link previews. */
export function sharedForm(depicted: Depicted): string | undefined {
  return formOf(depicted, SHARED_WIDTH);
}

interface PhotographProps {
  /** `/media/<hash>`. */
  image: string;
  picture: Picture;
  /** Widths at which the page shows it, as in the attribute `sizes`. */
  sizes: string;
  /** In the first screen. */
  first?: boolean | undefined;
  /** Instead of what staff wrote. */
  alt?: string | undefined;
  className?: string | undefined;
}

/** Renders an uploaded picture that covers its container, around the point that staff chose. */
export function Photograph({ image, picture, sizes, first, alt, className }: PhotographProps) {
  const { widths, width, height, focalX = 50, focalY = 50 } = picture;
  const formsAs = (type: string) => widths.map((one) => `${image}-${one}.${type} ${one}w`).join(', ');
  const step = (percent: number) => Math.round((percent * STEPS) / 100);
  return (
    <picture>
      <source type="image/avif" srcSet={formsAs('avif')} sizes={sizes} />
      <img
        className={classNames(styles.image, className)}
        data-left={step(focalX)}
        data-top={step(focalY)}
        src={formOf({ image, picture }, 640)}
        srcSet={formsAs('webp')}
        sizes={sizes}
        alt={alt ?? picture.alt}
        width={width}
        height={height}
        loading={first ? undefined : 'lazy'}
        fetchPriority={first ? 'high' : undefined}
        decoding="async"
      />
    </picture>
  );
}
