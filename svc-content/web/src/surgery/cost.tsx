import type { Insurance, SurgeryCost } from '@hospital/api/types';
import { Accordion } from '@hospital/ui/accordion';
import { Steps } from '@hospital/ui/lists';
import { Text } from '@hospital/page/text';
import { t } from '../messages.ts';
import styles from './cost.module.css';
import { priceText } from './price.ts';

/** Packages with their prices, what they include, what changes them, and insurance. */
export function Cost({ cost }: { cost: SurgeryCost }) {
  const { packages, included, excluded, changes, insurance } = cost;
  return (
    <section aria-labelledby="cost">
      <h2 className={styles.heading} id="cost">
        {t('What it costs')}
      </h2>
      <p className={styles.intro}>
        {t(
          'Prices for 2026, taxes included. After the consultation you get a written estimate for your case, before you decide.',
        )}
      </p>
      <ul className={styles.packages}>
        {packages.map(({ name, description, price }) => (
          <li className={styles.package} key={name}>
            <h3 className={styles.name}>
              <Text>{name}</Text>
            </h3>
            <p className={styles.price}>{priceText(price)}</p>
            <p className={styles.description}>
              <Text>{description}</Text>
            </p>
          </li>
        ))}
      </ul>
      <div className={styles.lists}>
        <List title={t('Included')} mark={styles.yes} items={included} />
        <List title={t('Not included')} mark={styles.no} items={excluded} />
        <List title={t('What changes the price')} mark={styles.dot} items={changes} />
      </div>
      {insurance && <Insured insurance={insurance} />}
    </section>
  );
}

function List({ title, mark, items }: { title: string; mark: string | undefined; items: string[] }) {
  return (
    <div>
      <h3 className={styles.name}>{title}</h3>
      <ul className={mark}>
        {items.map((item) => (
          <li key={item}>
            <Text>{item}</Text>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Insured({ insurance: { cover, approval, steps } }: { insurance: Insurance }) {
  return (
    <div className={styles.insurance}>
      <h3 className={styles.name}>{t('Insurance and cashless treatment')}</h3>
      <dl className={styles.terms}>
        <Term name={t('What policies cover')}>{cover}</Term>
        <Term name={t('How long approval takes')}>{approval}</Term>
      </dl>
      <div className={styles.steps}>
        <Accordion
          name="cashless"
          items={[{ title: t('How to get a cashless approval'), content: <Steps items={steps} /> }]}
        />
      </div>
    </div>
  );
}

function Term({ name, children }: { name: string; children: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Text>{children}</Text>
      </dd>
    </div>
  );
}
