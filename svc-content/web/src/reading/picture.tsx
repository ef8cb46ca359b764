import { pictureAddress } from '../images/address.ts';
import styles from './picture.module.css';

interface PictureProps {
  image: string;
  /** In the first screen: fetched at once, and first. */
  first?: boolean;
  alt?: string;
}

/**
 * A picture in a frame of its size. When it cannot be loaded, the mark on the frame stays. Without `alt` it is decoration:
 * the title beside it says what it is about.
 */
export function Picture({ image, first = false, alt = '' }: PictureProps) {
  return (
    <span className={styles.frame}>
      <img
        className={styles.image} src={pictureAddress(image)} alt={alt} width={640} height={360}
        loading={first ? undefined : 'lazy'} fetchPriority={first ? 'high' : undefined}
      />
    </span>
  );
}
