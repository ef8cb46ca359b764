import { Picture as FramedPicture } from '@hospital/ui/picture';
import { pictureAt, pictureSource } from './drawings.ts';

interface PictureProps {
  /** Image name from the content. */
  image: string;
  /** Above the fold: the SVG is inlined. */
  first?: boolean;
  alt?: string;
}

/** A framed picture named by the content. */
export function Picture({ image, first, alt }: PictureProps) {
  return <FramedPicture address={pictureAt(image)} svg={pictureSource(image)} first={first} alt={alt} />;
}
