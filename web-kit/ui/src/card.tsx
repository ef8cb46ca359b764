import type { ComponentProps } from 'react';
import { classNames } from './class-names.tsx';
import styles from './card.module.css';

type CardProps = ComponentProps<'div'> & {
  as?: 'div' | 'section' | 'article' | 'li';
  tone?: 'paper' | 'mist' | 'teal' | 'champaca' | 'emergency';
};

/** Renders a surface with a border and without a shadow. */
export function Card({ as: Element = 'div', tone = 'paper', className, ...rest }: CardProps) {
  return <Element {...(rest as object)} className={classNames(styles.card, styles[tone], className)} />;
}
