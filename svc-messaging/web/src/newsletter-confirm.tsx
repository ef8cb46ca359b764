/** `/newsletter/confirm?token=…`: target of the link in the confirmation mail. */
import type { Head } from '@hospital/page';
import { LinkPage } from './newsletter/link-page.tsx';
import { type LinkProps, linkAction, linkHead, linkStatus } from './newsletter/link.ts';

const TITLES = {
  asked: 'Confirm your subscription',
  done: 'You are subscribed',
  unknown: 'This link does not work any more',
  incomplete: 'This link is not complete',
  failed: 'Confirm your subscription',
};

const WORDS = {
  asked: 'Press the button, and our newsletter comes to the address at which you got this link, about once a month.',
  done: 'Thank you. The next newsletter comes to you. Each mail has a link that ends it at once.',
  unknown: 'It is older than 7 days, or not one of ours. Enter your address again, and we send you a new one.',
  incomplete: 'A part of its address is missing. Open it from the mail once more, or enter your address again.',
  failed: 'We could not reach our list just now. Your link is still good.',
};

export const action = linkAction('/newsletter:confirm', 'You are subscribed');
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
  return linkHead('Confirm your subscription', 'Confirm that our newsletter may come to your e-mail address.', props);
}
