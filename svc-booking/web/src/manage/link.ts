/** The link by which a patient reaches an appointment or an entry of the waitlist. Its secret is a fragment: browsers send that nowhere. */

export interface ManageLink {
  /** `SH-7K3M-9QXD` of an appointment, `WL-7K3M-9QXD` of an entry of the waitlist. */
  reference: string;
  /** 43 characters. */
  secret: string;
}

export const MANAGE_PATH = '/appointment/manage';

const REFERENCE = /^SH-[0-9A-Z]{4}-[0-9A-Z]{4}$/;
const LINK_ALONE = /^(?:SH|WL)-[0-9A-Z]{4}-[0-9A-Z]{4}\.[\w-]{43}$/;
const LINK = /((?:SH|WL)-[0-9A-Z]{4}-[0-9A-Z]{4})\.([\w-]{43})(?![\w-])/i;

/** The link that stands somewhere in a text, such as an address that was pasted, or null. */
export function linkIn(text: string): ManageLink | null {
  const [, reference, secret] = LINK.exec(text) ?? [];
  return reference && secret ? { reference: reference.toUpperCase(), secret } : null;
}

export function linkProblem({ reference, secret }: ManageLink): string | false {
  const isWhole = LINK_ALONE.test(`${reference}.${secret}`);
  return !isWhole && 'Paste the whole link from our mail or from your confirmation';
}

/** Of an appointment, as it was typed: in capitals, without the white space around it. */
export function referenceOf(text: string): string {
  return text.trim().toUpperCase();
}

export function referenceProblem(text: string): string | false {
  const reference = referenceOf(text);
  if (/^WL-/.test(reference)) return 'A place on the waitlist is opened by the link in our mail';
  return !REFERENCE.test(reference) && 'Enter the reference from your confirmation, such as SH-7K3M-9QXD';
}

export function isWaitlist({ reference }: Pick<ManageLink, 'reference'>): boolean {
  return reference.startsWith('WL-');
}

/** `#SH-7K3M-9QXD.<secret>` */
export function fragmentOf({ reference, secret }: ManageLink): string {
  return `#${reference}.${secret}`;
}
