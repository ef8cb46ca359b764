import type { Surgery } from '@hospital/api/types';
import { Breadcrumb, type Crumb } from '@hospital/ui/breadcrumb';
import { LinkButton } from '@hospital/ui/button';
import layout from '@hospital/ui/layout.module.css';
import { drawingOf } from '../parts/drawings.ts';
import { HeroPicture } from '../parts/picture.tsx';
import styles from './hero.module.css';
import { priceText } from './price.ts';
import { Text } from '@hospital/page/text';
import { t } from '../messages.ts';

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
            <h1 className={styles.title}>
              <Text>{name}</Text>
            </h1>
            <p className={styles.lead}>
              <Text>{description}</Text>
            </p>
            <div className={layout.actions}>
              <LinkButton href={book}>{t('Book a Consultation')}</LinkButton>
              <LinkButton tone="secondary" href="/deluxe-surgeries">
                {t('All Surgeries')}
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
          <Fact term={t('Price')} value={priceText(price)} />
          <Fact term={t('In the theatre')} value={duration} />
          <Fact term={t('In hospital')} value={stay} />
          <Fact term={t('Back to desk work')} value={backToWork} />
          <Fact term={t('Back to daily life')} value={recovery} />
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
      <dd>
        <Text>{value}</Text>
      </dd>
    </div>
  );
}
