/** Texts and order of messages at the desk. */
import type { InboxMessage, Message } from '@hospital/api/types';
import { formatDate, formatTime, istDay } from '@hospital/page/format';

/** The part of a message that the desk shows. */
export type Listed = Omit<InboxMessage, 'language' | 'message' | 'takenByMe' | 'takenByName' | 'updateTime'> & {
  /** Absent from a gateway of the last release. */
  takenByMe?: boolean;
  takenByName?: string;
  /** Code of the sender's language; empty for English. */
  language?: string;
  message: Pick<Message, 'createTime' | 'email' | 'id' | 'message' | 'name' | 'phone' | 'reference' | 'subject'> &
    Partial<Pick<Message, 'meta' | 'registration'>>;
};

/** Returns who has taken a message: `you`, a name, or the account. Empty: nobody. */
export function holderOf({ takenBy, takenByMe, takenByName }: Listed): string {
  return takenByMe ? 'you' : takenByName || (takenBy && `account ${takenBy}`);
}

/** Maximum code points of a message's text in a list. */
const SNIPPET_MAX = 140;

/** Returns the beginning of a message's text, on one line. */
export function snippetOf({ message }: Listed['message']): string {
  const line = message
    .slice(0, SNIPPET_MAX * 4)
    .replace(/\s+/g, ' ')
    .trim();
  const letters = [...line];
  return letters.length > SNIPPET_MAX ? `${letters.slice(0, SNIPPET_MAX).join('').trimEnd()}…` : line;
}

/** Returns what a message is: `Enquiry`. */
export function kindOf({ meta, registration }: Listed['message']): string {
  if (registration?.eventId) return 'Registration for an event';
  return meta ? 'Comment on a post' : 'Enquiry';
}

/** Returns the address of a call, without the spaces and brackets of a typed number. */
export function callTo(phone: string): string {
  return `tel:${phone.replace(/[^\d+]/g, '')}`;
}

/** Returns the day of a message's arrival: `Today`, or `Saturday 21 November 2026`. */
export function dayOf(createTime: string, now: string): string {
  return istDay(createTime) === istDay(now) ? 'Today' : formatDate(createTime);
}

/** Returns `Saturday 21 November 2026, 3:30 PM IST`. */
export function momentOf(time: string): string {
  return `${formatDate(time)}, ${formatTime(time)} IST`;
}

/** Items of one day. */
export interface Day<Item> {
  /** For example `Today`. */
  label: string;
  items: Item[];
}

/** Groups items by the day of their creation, in their order. */
export function byDay<Item>(items: readonly Item[], timeOf: (item: Item) => string, now: string): Day<Item>[] {
  const days: Day<Item>[] = [];
  for (const item of items) {
    const label = dayOf(timeOf(item), now);
    const last = days.at(-1);
    if (last?.label === label) last.items.push(item);
    else days.push({ label, items: [item] });
  }
  return days;
}

/** Returns the list, newest first, with the message at its time. An entry with its id is replaced. */
export function withMessage(messages: readonly Listed[], changed: Listed): Listed[] {
  const { id, createTime } = changed.message;
  const at = messages.findIndex(({ message }) => message.id === id);
  if (at >= 0) return messages.map((one, index) => (index === at ? changed : one));
  const older = messages.findIndex(({ message }) => message.createTime < createTime);
  const place = older < 0 ? messages.length : older;
  return [...messages.slice(0, place), changed, ...messages.slice(place)];
}
