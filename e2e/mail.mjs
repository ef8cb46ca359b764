/** The mails that the hospital sent, as a mail program reads them: the Maildir of svc-messaging. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ICAL from 'ical.js';
import { simpleParser } from 'mailparser';
import { until } from './processes.mjs';

/** Returns all sent mails, parsed, in the order of their file names. */
export async function sentMails(system) {
  const files = ['new', 'cur'].flatMap((name) => {
    const folder = join(system.mailDir, name);
    return existsSync(folder) ? readdirSync(folder).map((file) => join(folder, file)) : [];
  });
  return Promise.all(files.map((file) => simpleParser(readFileSync(file))));
}

/** Returns the mails to an address. */
export async function mailsTo(system, address) {
  const mails = await sentMails(system);
  return mails.filter((mail) => addressesOf(mail.to).includes(address.toLowerCase()));
}

/** Waits for a mail to an address that `accept` matches. */
export function mailTo(system, address, accept = () => true, limitMs = 20_000) {
  const find = async () => (await mailsTo(system, address)).find(accept);
  return until(`a mail to ${address}`, find, limitMs);
}

export function addressesOf(field) {
  const groups = Array.isArray(field) ? field : [field ?? { value: [] }];
  return groups.flatMap(({ value }) => value.map(({ address }) => address.toLowerCase()));
}

/** Returns the only event of the calendar file attached to a mail, with the file's method; `null` without a file. */
export function eventOf(mail) {
  const file = mail.attachments.find(({ contentType }) => contentType === 'text/calendar');
  if (!file) return null;
  const calendar = new ICAL.Component(ICAL.parse(file.content.toString('utf8')));
  const [component, ...others] = calendar.getAllSubcomponents('vevent');
  if (!component || others.length) throw new Error('not exactly one event');
  return { method: calendar.getFirstPropertyValue('method'), event: new ICAL.Event(component), component };
}

/** Returns the links in a mail's text, with the origin of the running site instead of the configured one. */
export function linksOf(system, mail) {
  const found = mail.text.match(/https?:\/\/[^\s<>]+/g) ?? [];
  return found.map((link) => link.replace(/^http:\/\/127\.0\.0\.1:8080/, system.origin));
}
