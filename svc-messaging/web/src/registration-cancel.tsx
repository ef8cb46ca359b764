/** `/registration/cancel?token=…`: target of the link in the confirmation of a registration. Gives the place back. */
import type { Head } from '@hospital/page';
import { t } from './messages.ts';
import { LinkPage } from './newsletter/link-page.tsx';
import { type LinkProps, linkAction, linkHead, linkStatus } from './newsletter/link.ts';

const titles = () => ({
  asked: t('Give your place back'),
  done: t('You’ve given your place back'),
  unknown: t('This link isn’t one of ours'),
  incomplete: t('This link is incomplete'),
  failed: t('Give your place back'),
});

const words = () => ({
  asked: t('Select the button if you can’t come to the event. Someone else can then have your place.'),
  done: t('Thank you for telling us. You can register again while there are places.'),
  unknown: t('Open the link from our e-mail again, or call us and give your reference.'),
  incomplete: t('Part of its address is missing. Open it from the e-mail again, or call us.'),
  failed: t('We couldn’t update our list just now. Your link still works.'),
});

export const action = linkAction('/registrations:cancel', () => t('You’ve given your place back'));
export const status = linkStatus;

export default function RegistrationCancel(props: LinkProps) {
  return (
    <LinkPage
      {...props}
      titles={titles()}
      words={words()}
      button={t('Give my place back')}
      next={{ label: t('All Events'), href: '/events' }}
    />
  );
}

export function head(props: LinkProps): Head {
  return linkHead(t('Give your place back'), t('Give your place at an event back.'), props);
}
