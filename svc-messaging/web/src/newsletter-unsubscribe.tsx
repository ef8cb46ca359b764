/**
 * `/newsletter/unsubscribe?token=…`: target of the link in every newsletter, and of the one-click posts of mail
 * programs.
 */
import type { Head } from '@hospital/page';
import { LinkPage } from './newsletter/link-page.tsx';
import { type LinkProps, linkAction, linkHead, linkStatus } from './newsletter/link.ts';

const TITLES = {
  asked: 'Leave the newsletter',
  done: 'You have left the newsletter',
  unknown: 'This link is not one of ours',
  incomplete: 'This link is not complete',
  failed: 'Leave the newsletter',
};

const WORDS = {
  asked: 'Press the button, and no newsletter comes to the address at which you got this link any more.',
  done: 'Nothing more is sent to you. Your address is erased in 30 days. You can come back whenever you like.',
  unknown: 'Open the link from one of our mails once more, or write to us and we take your address from the list.',
  incomplete: 'A part of its address is missing. Open it from the mail once more, or write to us.',
  failed: 'We could not reach our list just now. Your link is still good.',
};

export const action = linkAction('/newsletter:unsubscribe', 'You have left the newsletter');
export const status = linkStatus;

export default function NewsletterUnsubscribe(props: LinkProps) {
  return (
    <LinkPage
      {...props}
      titles={TITLES}
      words={WORDS}
      button="Leave the newsletter"
      next={{ label: 'Contact Us', href: '/contact' }}
    />
  );
}

export function head(props: LinkProps): Head {
  return linkHead('Leave the newsletter', 'Take your e-mail address from the list of our newsletter.', props);
}
