import type { EmailAddress } from '@hospital/api/types';

/** Renders an e-mail link whose address may break after the `@`. */
export function MailLink({ email: { address } }: { email: EmailAddress }) {
  const [name, domain] = address.split('@');
  return (
    <a href={`mailto:${address}`}>
      {name}@<wbr />
      {domain}
    </a>
  );
}
