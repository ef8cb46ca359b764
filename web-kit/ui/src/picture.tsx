import { DrawnHere } from './drawing.tsx';
import styles from './picture.module.css';

interface PictureProps {
  /** Where the picture is, a path of this site; without one the frame shows the hospital's mark. */
  address: string | undefined;
  /** The drawing itself. Trusted: a file of the module. It is used for a decoration of the first screen only. */
  svg?: string | undefined;
  /** In the first screen: in the document itself where `svg` is known, else fetched at once. */
  first?: boolean;
  alt?: string;
}

/**
 * A picture in a frame of its size, 16 to 9. When it cannot be loaded, the mark on the frame stays. Without `alt` it is
 * decoration: the title beside it says what it is about.
 */
export function Picture({ address, svg, first = false, alt = '' }: PictureProps) {
  if (first && svg && !alt) return <DrawnHere svg={svg} />;
  return (
    <span className={styles.frame}>
      {address && (
        <img
          className={styles.image}
          src={address}
          alt={alt}
          width={640}
          height={360}
          loading={first ? undefined : 'lazy'}
        />
      )}
    </span>
  );
}

/**
 * The one rule for addresses of pictures: a drawing of the module, named by its key (`blogs/scene-walking`) or by the path
 * that the content gives (`/images/blogs/scene-walking.svg`), or a path of this site. The security policy shows no picture
 * of another site, so anything else gives none.
 */
export function pictureAddress(image: string, drawings: Readonly<Record<string, string>>): string | undefined {
  const key = pictureKey(image);
  if (Object.hasOwn(drawings, key)) return drawings[key];
  return /^\/(?![/\\])/.test(image) ? image : undefined;
}

/** The key that a picture of the content has among the drawings. */
export function pictureKey(image: string): string {
  return image.replace(/^\/images\//, '').replace(/\.svg$/, '');
}
