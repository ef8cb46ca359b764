/**
 * `/newsletter/unsubscribe?token=…`: target of the link in every newsletter, and of the one-click posts of mail
 * programs.
 */
import type { Head } from '@hospital/page';
import { t } from './messages.ts';
import { LinkPage } from './newsletter/link-page.tsx';
import { type LinkProps, linkAction, linkHead, linkStatus } from './newsletter/link.ts';

const titles = () => ({
  asked: t('Unsubscribe from our newsletter'),
  done: t('You’ve unsubscribed'),
  unknown: t('This link isn’t one of ours'),
  incomplete: t('This link is incomplete'),
  failed: t('Unsubscribe from our newsletter'),
});

const words = () => ({
  asked: t('Select the button to stop our newsletter to this address.'),
  done: t(
    'We won’t send you any more newsletters. We’ll erase your address in 30 days. You can subscribe again whenever you like.',
  ),
  unknown: t('Open the link from one of our e-mails again, or write to us and we’ll take your address off the list.'),
  incomplete: t('Part of its address is missing. Open it from the e-mail again, or write to us.'),
  failed: t('We couldn’t update our list just now. Your link still works.'),
});

export const action = linkAction('/newsletter:unsubscribe', () => t('You’ve unsubscribed'));
export const status = linkStatus;

export default function NewsletterUnsubscribe(props: LinkProps) {
  return (
    <LinkPage
      {...props}
      titles={titles()}
      words={words()}
      button={t('Unsubscribe from our newsletter')}
      next={{ label: t('Contact Us'), href: '/contact' }}
    />
  );
}

export function head(props: LinkProps): Head {
  return linkHead(t('Unsubscribe from our newsletter'), t('Take your e-mail address off our newsletter list.'), props);
}
