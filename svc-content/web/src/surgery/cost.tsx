import type { ReactNode } from 'react';
import type { Insurance, SurgeryCost } from '@hospital/api/types';
import { Accordion } from '@hospital/ui/accordion';
import { Steps } from '@hospital/ui/lists';
import styles from './cost.module.css';
import { priceText } from './price.ts';

/** Packages with their prices, what they include, what changes them, and insurance. */
export function Cost({ cost }: { cost: SurgeryCost }) {
  const { packages, included, excluded, changes, insurance } = cost;
  return (
    <section aria-labelledby="cost">
      <h2 className={styles.heading} id="cost">
        What it costs
      </h2>
      <p className={styles.intro}>
        Prices for 2026, taxes included. After the consultation you get a written estimate for your case, before you
        decide.
      </p>
      <ul className={styles.packages}>
        {packages.map(({ name, description, price }) => (
          <li className={styles.package} key={name}>
            <h3 className={styles.name}>{name}</h3>
            <p className={styles.price}>{priceText(price)}</p>
            <p className={styles.description}>{description}</p>
          </li>
        ))}
      </ul>
      <div className={styles.lists}>
        <List title="Included" mark={styles.yes} items={included} />
        <List title="Not included" mark={styles.no} items={excluded} />
        <List title="What changes the price" mark={styles.dot} items={changes} />
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
          <li key={item}>{item}</li>
        ))}
      </ul>
    </div>
  );
}

function Insured({ insurance: { cover, approval, steps } }: { insurance: Insurance }) {
  return (
    <div className={styles.insurance}>
      <h3 className={styles.name}>Insurance and cashless treatment</h3>
      <dl className={styles.terms}>
        <Term name="What policies cover">{cover}</Term>
        <Term name="How long approval takes">{approval}</Term>
      </dl>
      <div className={styles.steps}>
        <Accordion
          name="cashless"
          items={[{ title: 'How to get a cashless approval', content: <Steps items={steps} /> }]}
        />
      </div>
    </div>
  );
}

function Term({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
