/** `/registration/cancel?token=…`: target of the link in the confirmation of a registration. Gives the place back. */
import type { Head } from '@hospital/page';
import { LinkPage } from './newsletter/link-page.tsx';
import { type LinkProps, linkAction, linkHead, linkStatus } from './newsletter/link.ts';

const TITLES = {
  asked: 'Give your place back',
  done: 'You’ve given your place back',
  unknown: 'This link isn’t one of ours',
  incomplete: 'This link is incomplete',
  failed: 'Give your place back',
};

const WORDS = {
  asked: 'Select the button if you can’t come to the event. Someone else can then have your place.',
  done: 'Thank you for telling us. You can register again while there are places.',
  unknown: 'Open the link from our e-mail again, or call us and give your reference.',
  incomplete: 'Part of its address is missing. Open it from the e-mail again, or call us.',
  failed: 'We couldn’t update our list just now. Your link still works.',
};

export const action = linkAction('/registrations:cancel', 'You’ve given your place back');
export const status = linkStatus;

export default function RegistrationCancel(props: LinkProps) {
  return (
    <LinkPage
      {...props}
      titles={TITLES}
      words={WORDS}
      button="Give my place back"
      next={{ label: 'All Events', href: '/events' }}
    />
  );
}

export function head(props: LinkProps): Head {
  return linkHead('Give your place back', 'Give your place at an event back.', props);
}
