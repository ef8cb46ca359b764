/**
 * `/newsletter/unsubscribe?token=…`: target of the link in every newsletter, and of the one-click posts of mail
 * programs.
 */
import type { Head } from '@hospital/page';
import { LinkPage } from './newsletter/link-page.tsx';
import { type LinkProps, linkAction, linkHead, linkStatus } from './newsletter/link.ts';

const TITLES = {
  asked: 'Unsubscribe from our newsletter',
  done: 'You’ve unsubscribed',
  unknown: 'This link isn’t one of ours',
  incomplete: 'This link is incomplete',
  failed: 'Unsubscribe from our newsletter',
};

const WORDS = {
  asked: 'Select the button to stop our newsletter to this address.',
  done: 'We won’t send you any more newsletters. We’ll erase your address in 30 days. You can subscribe again whenever you like.',
  unknown: 'Open the link from one of our e-mails again, or write to us and we’ll take your address off the list.',
  incomplete: 'Part of its address is missing. Open it from the e-mail again, or write to us.',
  failed: 'We couldn’t update our list just now. Your link still works.',
};

export const action = linkAction('/newsletter:unsubscribe', 'You’ve unsubscribed');
export const status = linkStatus;

export default function NewsletterUnsubscribe(props: LinkProps) {
  return (
    <LinkPage
      {...props}
      titles={TITLES}
      words={WORDS}
      button="Unsubscribe from our newsletter"
      next={{ label: 'Contact Us', href: '/contact' }}
    />
  );
}

export function head(props: LinkProps): Head {
  return linkHead('Unsubscribe from our newsletter', 'Take your e-mail address off our newsletter list.', props);
}
