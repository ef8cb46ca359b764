import { Picture as FramedPicture } from '@hospital/ui/picture';
import type { Drawing } from '@hospital/ui/drawing';
import { CardPicture } from '@hospital/ui/entry-card';
import { pictureAt, pictureSource } from './drawings.ts';
import { type Depicted, Photograph, isUpload, uploadedIn } from './photograph.tsx';
import styles from './picture.module.css';

/** Widths of pictures, as in the attribute `sizes`: across a phone, and less on desktops. */
const CARD = '(min-width: 60rem) 24rem, 100vw';
export const HALF = '(min-width: 60rem) 50vw, 100vw';
export const WIDE = '(min-width: 60rem) 60rem, 100vw';

interface PictureProps {
  /** What the content says: image name, and facts of an uploaded picture. */
  of: Depicted;
  /** Above the fold: the SVG is inlined. */
  first?: boolean;
  alt?: string;
  /** Widths at which an uploaded picture is shown. Default: those of a card. */
  sizes?: string;
}

/** A framed picture named by the content. */
export function Picture({ of, first, alt, sizes = CARD }: PictureProps) {
  const { image } = of;
  const picture = uploadedIn(of);
  if (picture) {
    return (
      <span className={styles.frame}>
        <Photograph className={styles.image} image={image} picture={picture} sizes={sizes} first={first} alt={alt} />
      </span>
    );
  }
  if (isUpload(image)) return <FramedPicture address={undefined} />;
  return <FramedPicture address={pictureAt(image)} svg={pictureSource(image)} first={first} alt={alt} />;
}

interface OfEntry {
  of: Depicted;
  /** Shown unless a picture was uploaded. */
  drawing: Drawing | undefined;
}

/** The picture at the top of a page of a service or surgery. */
export function HeroPicture({ of, drawing }: OfEntry) {
  if (uploadedIn(of)) return <Picture of={of} first sizes={HALF} />;
  return <FramedPicture address={drawing?.address} svg={drawing?.svg} first />;
}

/** The picture across the top of a card of a service or surgery. */
export function EntryPicture({ of, drawing, first }: OfEntry & { first: boolean }) {
  if (uploadedIn(of)) return <Picture of={of} first={first} />;
  return <CardPicture drawing={drawing} first={first} />;
}
