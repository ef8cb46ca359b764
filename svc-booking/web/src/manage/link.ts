/** The link by which a patient reaches an appointment or an entry of the waitlist. Its secret is a fragment: browsers send that nowhere. */

export interface ManageLink {
  /** `SH-7K3M-9QXD` of an appointment, `WL-7K3M-9QXD` of an entry of the waitlist. */
  reference: string;
  /** 43 characters. */
  secret: string;
}

export const MANAGE_PATH = '/appointment/manage';

const REFERENCE = /^(?:SH|WL)-[0-9A-Z]{4}-[0-9A-Z]{4}$/;
const SECRET = /^[\w-]{43}$/;
const LINK = /((?:SH|WL)-[0-9A-Z]{4}-[0-9A-Z]{4})\.([\w-]{43})(?![\w-])/i;

/** The link that stands somewhere in a text, such as an address that was pasted, or null. */
export function linkIn(text: string): ManageLink | null {
  const [, reference, secret] = LINK.exec(text) ?? [];
  return reference && secret ? { reference: reference.toUpperCase(), secret } : null;
}

/** What was typed into the two fields; either may hold the whole link. */
export function linkOf(typed: ManageLink): ManageLink {
  const whole = linkIn(typed.reference) ?? linkIn(typed.secret);
  return whole ?? { reference: typed.reference.trim().toUpperCase(), secret: typed.secret.trim() };
}

export function linkProblems(typed: ManageLink) {
  const { reference, secret } = linkOf(typed);
  return {
    reference: !REFERENCE.test(reference) && 'Enter the reference from your confirmation, such as SH-7K3M-9QXD',
    secret: !SECRET.test(secret) && 'Copy the whole secret from your confirmation, all 43 characters',
  };
}

export function isWaitlist({ reference }: Pick<ManageLink, 'reference'>): boolean {
  return reference.startsWith('WL-');
}

/** `#SH-7K3M-9QXD.<secret>` */
export function fragmentOf({ reference, secret }: ManageLink): string {
  return `#${reference}.${secret}`;
}
