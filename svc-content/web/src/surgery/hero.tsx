import type { Surgery } from '@hospital/api/types';
import { Breadcrumb, type Crumb } from '@hospital/ui/breadcrumb';
import { LinkButton } from '@hospital/ui/button';
import layout from '@hospital/ui/layout.module.css';
import { drawingOf } from '../parts/drawings.ts';
import { HeroPicture } from '../parts/picture.tsx';
import styles from './hero.module.css';
import { priceText } from './price.ts';

interface SurgeryHeroProps {
  surgery: Surgery;
  trail: Crumb[];
  /** URL of the booking form with the surgeon preselected. */
  book: string;
}

/** Top of a surgery's page: what it is, and the facts that decide most plans, on a band of their own. */
export function SurgeryHero({ surgery, trail, book }: SurgeryHeroProps) {
  const { name, slug, description, duration, recovery, price, stay, backToWork } = surgery;
  const drawing = drawingOf('surgeries', slug);
  return (
    <header className={styles.hero}>
      <div className={styles.inner}>
        <Breadcrumb trail={trail} />
        <div className={styles.columns}>
          <div>
            <h1 className={styles.title}>{name}</h1>
            <p className={styles.lead}>{description}</p>
            <div className={layout.actions}>
              <LinkButton href={book}>Book a Consultation</LinkButton>
              <LinkButton tone="secondary" href="/deluxe-surgeries">
                All Surgeries
              </LinkButton>
            </div>
          </div>
          <div className={styles.media}>
            <HeroPicture of={surgery} drawing={drawing} />
          </div>
        </div>
      </div>
      <div className={styles.band}>
        <dl className={styles.facts}>
          <Fact term="Price" value={priceText(price)} />
          <Fact term="In the theatre" value={duration} />
          <Fact term="In hospital" value={stay} />
          <Fact term="Back to desk work" value={backToWork} />
          <Fact term="Back to daily life" value={recovery} />
        </dl>
      </div>
    </header>
  );
}

/** Services of earlier releases send neither price nor stay. */
function Fact({ term, value }: { term: string; value: string | undefined }) {
  if (!value) return null;
  return (
    <div>
      <dt>{term}</dt>
      <dd>{value}</dd>
    </div>
  );
}
