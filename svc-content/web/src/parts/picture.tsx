import { Picture as FramedPicture } from '@hospital/ui/picture';
import { pictureAt, pictureSource } from './drawings.ts';

interface PictureProps {
  /** As the content names it. */
  image: string;
  /** In the first screen: in the document itself. */
  first?: boolean;
  alt?: string;
}

/** A picture that the content names, in its frame. */
export function Picture({ image, first, alt }: PictureProps) {
  return <FramedPicture address={pictureAt(image)} svg={pictureSource(image)} first={first} alt={alt} />;
}
