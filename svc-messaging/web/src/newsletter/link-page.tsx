import type { ReactNode } from 'react';
import { Button, LinkButton } from '@hospital/ui/button';
import { Card } from '@hospital/ui/card';
import layout from '@hospital/ui/layout.module.css';
import { Notice } from '@hospital/ui/notice';
import { PageHero } from '@hospital/ui/page-hero';
import { t } from '../messages.ts';
import { type LinkProps, type LinkState, linkState, tokenOf } from './link.ts';
import styles from './link-page.module.css';

interface LinkPageProps extends Pick<LinkProps, 'query' | 'action' | 'part' | 'path'> {
  /** Page heading for each state. */
  titles: Readonly<Record<LinkState, string>>;
  /** Text below the heading. */
  words: Readonly<Record<LinkState, ReactNode>>;
  /** Label of the only button. */
  button: string;
  /** Follow-up link, for when there is nothing to confirm. */
  next: { label: string; href: string };
}

/** Page with a single action and its button. */
export function LinkPage({ titles, words, button, next, part, path, ...props }: LinkPageProps) {
  const state = linkState(props);
  const token = tokenOf(props.action?.form ?? {}, props.query);
  return (
    <>
      <PageHero title={titles[state]} />
      <div className={layout.page}>
        <Card className={styles.card}>
          {state === 'failed' ? (
            <Notice tone="failure" role="alert" title={t('This didn’t work. Please try again.')}>
              <p>{words.failed}</p>
            </Notice>
          ) : (
            <p>{words[state]}</p>
          )}
          {state === 'asked' || state === 'failed' ? (
            <form className={styles.form} method="post" action={path}>
              <input type="hidden" name="token" value={token} />
              <input type="hidden" name="part" value={part} />
              <Button type="submit">{button}</Button>
            </form>
          ) : (
            <div className={styles.form}>
              <LinkButton tone="secondary" href={next.href}>
                {next.label}
              </LinkButton>
            </div>
          )}
        </Card>
      </div>
    </>
  );
}
