import type { EmailAddress } from '@hospital/api/get-site';

/** An address that breaks after its `@`, where it must. */
export function MailLink({ email: { address } }: { email: EmailAddress }) {
  const [name, domain] = address.split('@');
  return (
    <a href={`mailto:${address}`}>
      {name}@<wbr />
      {domain}
    </a>
  );
}
