/**
 * The copy of an appointment's pass that a visitor keeps on this device. The shell's service worker shows it at
 * `/appointment/pass`, also without a connection. It is a page without script, and at most one is kept.
 */
import { formatDate } from '@hospital/page/format';
import { inLanguage, language } from '@hospital/page/language';
import { t } from '../messages.ts';
import { MANAGE_PATH, fragmentOf } from '../manage/link.ts';
import { timeText } from './calendar.ts';
import type { Contact, Department } from './data.ts';
import type { Booked } from './form.ts';
import { type Fact, visitFacts } from './visit-facts.ts';
import { toBring } from './visit-help.tsx';

/** The cache that the service worker reads. */
const CACHE = 'pass';
export const PASS_PATH = '/appointment/pass';
const REFERENCE = 'x-reference';
/** The service worker deletes the pass after this time. */
const KEPT_UNTIL = 'x-kept-until';
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

export interface Pass {
  reference: string;
  /** YYYY-MM-DD, day of the visit in IST. */
  date: string;
  facts: readonly Fact[];
  toBring: readonly string[];
  hospital: string;
  /** Path of the manage page, with the secret in its fragment. Empty if unknown. */
  managePath: string;
  emergency: { display: string; e164: string };
}

/** Returns the pass of an appointment. Without a secret, it has no link for changes. */
export function passOf(
  appointment: Booked,
  secret: string | undefined,
  known: { contact: Contact; departments: readonly Department[] },
): Pass {
  const { reference, date, time } = appointment;
  return {
    reference,
    date,
    facts: visitFacts(appointment, known, [
      [t('Date'), formatDate(date)],
      [t('Time'), t('{time} IST', { time: timeText(time) })],
    ]),
    toBring: toBring(),
    hospital: known.contact.name,
    managePath: secret ? MANAGE_PATH + fragmentOf({ reference, secret }) : '',
    emergency: known.contact.emergency,
  };
}

/** Returns whether this browser can keep a pass: it has a service worker and a cache. */
export function canKeep(): boolean {
  return 'caches' in globalThis && 'serviceWorker' in navigator;
}

/** Returns the reference of the kept pass. Null if none is kept. */
export async function keptReference(): Promise<string | null> {
  const kept = await (await caches.open(CACHE)).match(PASS_PATH);
  return kept?.headers.get(REFERENCE) ?? null;
}

/** Keeps a pass in place of any other. Rejects if the browser refuses storage. */
export async function keep(pass: Pass): Promise<void> {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': POLICY,
    [REFERENCE]: pass.reference,
    [KEPT_UNTIL]: new Date(`${pass.date}T23:59:59+05:30`).toISOString(),
  };
  await (await caches.open(CACHE)).put(PASS_PATH, new Response(passPage(pass), { headers }));
  await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' });
}

/** Deletes the kept pass if it is this appointment's. */
export async function drop(reference: string): Promise<void> {
  if ((await keptReference()) === reference) await (await caches.open(CACHE)).delete(PASS_PATH);
}

/** Returns the pass's style sheet. Colours are this page's tokens, because the pass has no other style sheet. */
function style(): string {
  const tokens = getComputedStyle(document.documentElement);
  const colour = (role: string) => tokens.getPropertyValue(`--${role}`);
  return [
    `body{margin:0 auto;max-width:34rem;padding:20px;background:${colour('surface')};color:${colour('text')}`,
    `;font:1.0625rem/1.5 system-ui,sans-serif}h1{font-size:1.6rem;line-height:1.2}.reference{padding:12px 16px`,
    `;border-radius:10px;background:${colour('action-soft')};font-size:1.5rem;font-weight:700}dt{color:${colour('text-soft')}}`,
    `dd{margin:0 0 12px;font-weight:600}a{color:${colour('action')};display:inline-block;padding-block:9px}`,
    `.call{color:${colour('danger')}}`,
  ].join('');
}

/** Returns the page of a pass. All texts are escaped. */
export function passPage({ reference, facts, toBring: things, hospital, managePath, emergency }: Pass): string {
  const rows = facts.map(([term, value]) => `<dt>${escape(term)}</dt><dd>${escape(value)}</dd>`).join('');
  const items = things.map((item) => `<li>${escape(item)}</li>`).join('');
  const change =
    managePath &&
    `<p><a href="${escape(inLanguage(managePath))}">${t('Change or cancel, or remove this pass')}</a></p>`;
  return [
    `<!doctype html><html lang="${language()}-IN"><meta charset="utf-8"><meta name="viewport" content="width=device-width">`,
    `<title>${t('Your appointment {reference}', { reference: escape(reference) })}</title><style>${style()}</style>`,
    `<main><p>${escape(hospital)}</p><h1>${t('Your appointment')}</h1><p class="reference">${escape(reference)}</p>`,
    `<dl>${rows}</dl><h2>${t('What to bring')}</h2><ul>${items}</ul>`,
    `<p>${t('This is a copy on your device. It doesn’t show changes made elsewhere.')}</p>`,
    change,
    `<p><a class="call" href="tel:${escape(emergency.e164)}">${t('Emergency: call {phone}', { phone: escape(emergency.display) })}</a></p>`,
    `<p><a href="${inLanguage('/emergency')}">${t('First aid')}</a> · <a href="${inLanguage('/')}">${t('Home')}</a></p>`,
    '</main></html>',
  ].join('');
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}
