/** `/newsletter/confirm?token=…`: target of the link in the confirmation mail. */
import type { Head } from '@hospital/page';
import { LinkPage } from './newsletter/link-page.tsx';
import { type LinkProps, linkAction, linkHead, linkStatus } from './newsletter/link.ts';

const TITLES = {
  asked: 'Confirm your subscription',
  done: 'You’re subscribed',
  unknown: 'This link no longer works',
  incomplete: 'This link is incomplete',
  failed: 'Confirm your subscription',
};

const WORDS = {
  asked: 'Select Subscribe to get our newsletter, about once a month.',
  done: 'Thank you. We’ll send you our next newsletter. You can unsubscribe with the link in every e-mail.',
  unknown: 'It’s older than 7 days, or isn’t one of ours. Enter your address again and we’ll send you a new one.',
  incomplete: 'Part of its address is missing. Open it from the e-mail again, or enter your address again.',
  failed: 'We couldn’t update our list just now. Your link still works.',
};

export const action = linkAction('/newsletter:confirm', 'You’re subscribed');
export const status = linkStatus;

export default function NewsletterConfirm(props: LinkProps) {
  return (
    <LinkPage
      {...props}
      titles={TITLES}
      words={WORDS}
      button="Subscribe"
      next={{ label: 'To the newsletter', href: '/newsletter' }}
    />
  );
}

export function head(props: LinkProps): Head {
  return linkHead('Confirm your subscription', 'Confirm that you want our newsletter at your e-mail address.', props);
}
