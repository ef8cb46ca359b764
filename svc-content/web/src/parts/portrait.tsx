import type { Doctor } from '@hospital/api/types';
import { portraitOf } from './drawings.ts';
import { Photograph, uploadedIn } from './photograph.tsx';
import styles from './portrait.module.css';

interface PortraitProps {
  doctor: Doctor;
  /** Side length in CSS pixels. */
  size: number;
  eager?: boolean;
}

/**
 * A doctor's photograph, or else the drawn portrait, in front of a tile with the initials, which stays visible if there
 * is no picture.
 */
export function Portrait({ doctor, size, eager = false }: PortraitProps) {
  return (
    <div className={size > 100 ? styles.large : styles.small}>
      <span className={styles.initials} aria-hidden="true">
        {doctor.initials}
      </span>
      <Face className={styles.image} doctor={doctor} size={size} eager={eager} />
    </div>
  );
}

/** Empty alternative text: the name is beside the picture, and a broken picture must not hide the initials. */
export function Face({ doctor, size, eager, className }: PortraitProps & { className?: string | undefined }) {
  const { slug, image } = doctor;
  const picture = uploadedIn(doctor);
  if (picture) {
    return <Photograph className={className} {...{ image, picture }} sizes={`${size}px`} first={eager} alt="" />;
  }
  const address = portraitOf(slug);
  return (
    address && (
      <img className={className} src={address} alt="" width={size} height={size} loading={eager ? undefined : 'lazy'} />
    )
  );
}
