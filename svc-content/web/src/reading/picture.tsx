import { pictureAddress, pictureSource } from '../images/address.ts';
import { DrawnHere } from '../kit/drawing.tsx';
import styles from './picture.module.css';

interface PictureProps {
  image: string;
  /** In the first screen: in the document itself. */
  first?: boolean;
  alt?: string;
}

/**
 * A picture in a frame of its size. When it cannot be loaded, the mark on the frame stays. Without `alt` it is decoration:
 * the title beside it says what it is about.
 */
export function Picture({ image, first = false, alt = '' }: PictureProps) {
  const source = first && !alt ? pictureSource(image) : undefined;
  if (source) return <DrawnHere svg={source} />;
  return (
    <span className={styles.frame}>
      <img
        className={styles.image}
        src={pictureAddress(image)}
        alt={alt}
        width={640}
        height={360}
        loading={first ? undefined : 'lazy'}
      />
    </span>
  );
}
