/** `/newsletter/confirm?token=…`: target of the link in the confirmation mail. */
import type { Head } from '@hospital/page';
import { t } from './messages.ts';
import { LinkPage } from './newsletter/link-page.tsx';
import { type LinkProps, linkAction, linkHead, linkStatus } from './newsletter/link.ts';

const titles = () => ({
  asked: t('Confirm your subscription'),
  done: t('You’re subscribed'),
  unknown: t('This link no longer works'),
  incomplete: t('This link is incomplete'),
  failed: t('Confirm your subscription'),
});

const words = () => ({
  asked: t('Select Subscribe to get our newsletter, about once a month.'),
  done: t('Thank you. We’ll send you our next newsletter. You can unsubscribe with the link in every e-mail.'),
  unknown: t('It’s older than 7 days, or isn’t one of ours. Enter your address again and we’ll send you a new one.'),
  incomplete: t('Part of its address is missing. Open it from the e-mail again, or enter your address again.'),
  failed: t('We couldn’t update our list just now. Your link still works.'),
});

export const action = linkAction('/newsletter:confirm', () => t('You’re subscribed'));
export const status = linkStatus;

export default function NewsletterConfirm(props: LinkProps) {
  return (
    <LinkPage
      {...props}
      titles={titles()}
      words={words()}
      button={t('Subscribe')}
      next={{ label: t('To the newsletter'), href: '/newsletter' }}
    />
  );
}

export function head(props: LinkProps): Head {
  return linkHead(
    t('Confirm your subscription'),
    t('Confirm that you want our newsletter at your e-mail address.'),
    props,
  );
}
