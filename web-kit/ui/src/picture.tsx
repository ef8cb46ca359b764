import { DrawnHere } from './drawing.tsx';
import styles from './picture.module.css';

interface PictureProps {
  /** Path of the picture on this site. Without a path, the frame shows the hospital's mark. */
  address: string | undefined;
  /** SVG source. Trusted: a file of the module. Used only for a decorative picture in the first screen. */
  svg?: string | undefined;
  /** The picture is in the first screen: inline if `svg` is set, otherwise loaded eagerly. */
  first?: boolean;
  alt?: string;
}

/**
 * Renders a picture in a frame with a fixed ratio of 16 to 9. If the picture cannot be loaded, the frame's mark stays
 * visible. Without `alt`, the picture is decorative: the title beside it names the subject.
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
 * Resolves a picture to its address: a drawing of the module, given by its key (`blogs/scene-walking`) or by its path
 * in the content (`/images/blogs/scene-walking.svg`), or a path of this site. Returns undefined for anything else,
 * because the content security policy blocks pictures of other sites.
 */
export function pictureAddress(image: string, drawings: Readonly<Record<string, string>>): string | undefined {
  const key = pictureKey(image);
  if (Object.hasOwn(drawings, key)) return drawings[key];
  return /^\/(?![/\\])/.test(image) ? image : undefined;
}

/** Returns the key among the drawings for a picture of the content. */
export function pictureKey(image: string): string {
  return image.replace(/^\/images\//, '').replace(/\.svg$/, '');
}
