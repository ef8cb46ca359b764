import type { ComponentProps } from 'react';
import { classNames } from './class-names.tsx';
import styles from './button.module.css';

/** `primary` once per view; `emergency` only for calling the emergency number. */
export type ButtonTone = 'primary' | 'secondary' | 'quiet' | 'emergency';

type Look = { tone?: ButtonTone; wide?: boolean };

function look({ tone = 'primary', wide }: Look, className?: string): string {
  return classNames(styles.button, styles[tone], wide && styles.wide, className);
}

/** Renders a native button. Its label names the action. `type` defaults to `button`. */
export function Button({ tone, wide, className, type = 'button', ...rest }: Look & ComponentProps<'button'>) {
  return <button type={type} className={look({ tone, wide }, className)} {...rest} />;
}

/** Renders a link that looks like a button. */
export function LinkButton({
  tone,
  wide,
  className,
  children,
  ...rest
}: Look & ComponentProps<'a'> & { href: string }) {
  return (
    <a className={look({ tone, wide }, className)} {...rest}>
      {children}
    </a>
  );
}
