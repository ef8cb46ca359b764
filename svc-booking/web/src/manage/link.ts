/**
 * The link to an appointment or a waitlist entry. Its secret is in the fragment, which browsers do not send to servers.
 */

export interface ManageLink {
  /** `SH-7K3M-9QXD` for an appointment, `WL-7K3M-9QXD` for a waitlist entry. Hospitals set the first two letters. */
  reference: string;
  /** 43 characters. */
  secret: string;
}

export const MANAGE_PATH = '/appointment/manage';

const LINK = /([A-Z]{2}-[0-9A-Z]{4}-[0-9A-Z]{4})\.([\w-]{43})(?![\w-])/i;

/** Returns the link inside a text, such as a pasted address, or null. */
export function linkIn(text: string): ManageLink | null {
  const [, reference, secret] = LINK.exec(text) ?? [];
  return reference && secret ? { reference: reference.toUpperCase(), secret } : null;
}

export function isWaitlist({ reference }: Pick<ManageLink, 'reference'>): boolean {
  return reference.startsWith('WL-');
}

/** Returns the fragment: `#SH-7K3M-9QXD.<secret>`. */
export function fragmentOf({ reference, secret }: ManageLink): string {
  return `#${reference}.${secret}`;
}
