import { classNames } from '@hospital/ui/class-names';
import pictograms from '../../media/drawn/pictograms.svg';
import styles from './pictogram.module.css';

interface PictogramProps {
  /** Icon name from the content. */
  name: string;
  /** `teal`, `champaca` or `mist`; anything else is teal. */
  tone?: string;
  large?: boolean;
}

/** A pictogram on a tile; all pictograms are in one file. Decoration beside a name. */
export function Pictogram({ name, tone = 'teal', large = false }: PictogramProps) {
  const size = large ? 160 : 48;
  return (
    <span className={classNames(styles.tile, styles[tone] ?? styles.teal, large && styles.large)}>
      <img src={`${pictograms}#${name}`} alt="" width={size} height={size} loading={large ? undefined : 'lazy'} />
    </span>
  );
}
