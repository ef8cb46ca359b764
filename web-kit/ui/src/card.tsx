import type { ComponentProps } from 'react';
import { classNames } from './class-names.tsx';
import styles from './card.module.css';

type CardProps = ComponentProps<'div'> & {
  as?: 'div' | 'section' | 'article' | 'li';
  tone?: 'paper' | 'mist' | 'teal' | 'champaca' | 'emergency';
};

/** A bordered surface. Borders do the work; there is no shadow. */
export function Card({ as: Element = 'div', tone = 'paper', className, ...rest }: CardProps) {
  return <Element {...(rest as object)} className={classNames(styles.card, styles[tone], className)} />;
}
