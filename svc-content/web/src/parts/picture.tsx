import { Picture as FramedPicture } from '@hospital/ui/picture';
import frame from '@hospital/ui/picture.module.css';
import { pictureAt, pictureSource } from './drawings.ts';
import { type Depicted, Photograph, isUpload, uploadedIn } from './photograph.tsx';

/** Across a phone; a third of the page on desktops. */
const CARD = '(min-width: 60rem) 24rem, 100vw';

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
      <span className={frame.frame}>
        <Photograph className={frame.image} image={image} picture={picture} sizes={sizes} first={first} alt={alt} />
      </span>
    );
  }
  if (isUpload(image)) return <FramedPicture address={undefined} />;
  return <FramedPicture address={pictureAt(image)} svg={pictureSource(image)} first={first} alt={alt} />;
}
