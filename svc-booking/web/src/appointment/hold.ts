/** Holds the chosen time while the visitor fills in the form, to keep other visitors from taking it. */
import { createHold } from '@hospital/api/create-hold';
import { deleteHold } from '@hospital/api/delete-hold';
import { newIdempotencyKey } from '@hospital/api/call';
import { ApiProblem } from '@hospital/api/problem';
import { serverNow } from '@hospital/api/server-time';
import { type DayTime, alternativesIn } from './alternatives.ts';
import type { Attendant } from './attendants.ts';

/** Debounce of the chosen time, in milliseconds: only the last of several quick choices is requested. */
const DEBOUNCE_MS = 400;
/** Time before a hold's end at which it is renewed, once, in milliseconds. A hold lasts 5 minutes. */
const RENEWED_BEFORE_MS = 30_000;
/** Delay of the only retry after a failure, in milliseconds: when a granted hold would have been renewed. */
const RETRY_DELAY_MS = 270_000;
/** Maximum requests for holds per minute. The rest of the visitor's ten calls is for the booking and for free times. */
const CALLS_MAX = 5;
const CALLS_WINDOW_MS = 60_000;

/** The slot of a hold. */
export interface HeldTime extends DayTime {
  /** Department id. */
  department: string;
  /** Doctor id, or empty for any of the department. */
  doctorId: string;
}

export interface Held extends HeldTime {
  id: string;
  /** End of the hold, RFC 3339. */
  until: string;
  /** The doctor or clinic that sees the patient. */
  attendant?: Attendant;
}

/**
 * The page's current hold and its requested slot. Requests are sequential, because each includes the hold that it
 * replaces. Failures other than a taken time are not shown to the visitor, because the booking itself decides. They are
 * retried once, at the next renewal.
 */
export class TimeHold {
  private readonly onTaken: (time: HeldTime, alternatives: DayTime[]) => void;
  private readonly onHeld: (held: Held | null, expired: Held | null) => void;
  private wished: HeldTime | null = null;
  private held: Held | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private asking: Promise<void> | null = null;
  private sent: HeldTime | null = null;
  private isDeferred = false;
  private renewed = false;
  private calls: number[] = [];
  /** When to renew the hold or to retry, in milliseconds since 1970 by the server's clock. */
  private dueAt = 0;

  /** `onTaken`: the requested time is taken. `onHeld`: the hold has changed, is gone or has expired. */
  constructor(
    onTaken: (time: HeldTime, alternatives: DayTime[]) => void,
    onHeld: (held: Held | null, expired: Held | null) => void,
  ) {
    this.onTaken = onTaken;
    this.onHeld = onHeld;
  }

  /** Requests a hold of this time. The previous hold stays until the new one replaces it. */
  keep(time: HeldTime): void {
    if (isSame(this.wished, time)) return;
    this.wished = time;
    this.renewed = false;
    this.after(DEBOUNCE_MS);
  }

  /** Releases the hold, also on page unload. Not if it is `used`, because a booking has consumed it. */
  giveBack(used: HeldTime | null = null): void {
    const { held } = this;
    this.forget();
    if (held && !isSame(held, used)) void deleteHold(held.id, { keepalive: true }).catch(reportUnlessProblem);
  }

  /** Discards the hold of a time that the service refused, even one being requested. Keeps a hold of another time. */
  lose(time: DayTime): void {
    if (isAt(this.wished, time)) this.forget();
    else if (isAt(this.held, time)) this.drop();
  }

  /** Begins no hold of the time that the form is being sent with: it would take that time from the booking. */
  sending(time: HeldTime | null): void {
    this.sent = time;
    if (time || !this.isDeferred) return;
    this.isDeferred = false;
    this.after(DEBOUNCE_MS);
  }

  /** Returns the end of the request in flight; null if there is none. Like every call, it ends within 8 s. */
  settled(): Promise<void> | null {
    return this.asking;
  }

  /** Returns the id of the current hold if it is of this slot. */
  idOf(time: HeldTime | null): string {
    return this.held && isSame(this.held, time) ? this.held.id : '';
  }

  private forget(): void {
    clearTimeout(this.timer);
    this.wished = null;
    this.dueAt = 0;
    if (this.held) this.drop();
  }

  /** Makes a renewal that became due while the page was hidden. */
  resume(): void {
    if (this.dueAt && serverNow() >= this.dueAt) this.renew();
  }

  private after(ms: number, act: () => void = () => this.ask()): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(act, ms);
  }

  private readonly renew = (): void => {
    this.after(this.dueAt + RENEWED_BEFORE_MS - serverNow(), this.expire);
    if (this.renewed || !this.wished || document.visibilityState === 'hidden') return;
    this.renewed = true;
    this.ask(true);
  };

  private readonly expire = (): void => this.drop(this.held);

  private drop(expired: Held | null = null): void {
    this.held = null;
    this.onHeld(null, expired);
  }

  private ask(again = false): void {
    const { wished } = this;
    if (!wished || this.asking) return;
    this.isDeferred = isSame(wished, this.sent);
    if (this.isDeferred) return;
    if (!again && isSame(wished, this.held)) return this.after(this.dueAt - serverNow(), this.renew);
    const wait = this.waitMs();
    if (wait > 0) return this.after(wait);
    this.calls.push(Date.now());
    this.asking = this.request(wished, again).finally(() => {
      this.asking = null;
      if (this.wished && !isSame(this.wished, wished)) this.after(DEBOUNCE_MS);
    });
  }

  private async request(wished: HeldTime, again: boolean): Promise<void> {
    try {
      const { id, expireTime, attendant } = await createHold(
        { ...wished, ...(this.held && { replaces: this.held.id }) },
        { idempotencyKey: newIdempotencyKey(), isOptional: true },
      );
      this.took({ ...wished, id, until: expireTime, attendant });
    } catch (error) {
      if (!(error instanceof ApiProblem)) reportError(error);
      else if (error.reason === 'SLOT_TAKEN' && isSame(wished, this.wished)) {
        this.wished = null;
        if (again) this.forget();
        this.onTaken(wished, alternativesIn(error));
      } else if (!again) {
        if (!this.held) this.dueAt = serverNow() + RETRY_DELAY_MS;
        this.after(this.dueAt - serverNow(), this.renew);
      }
    }
  }

  private took(held: Held): void {
    this.held = held;
    // The hold is not needed any more: the page was left, or the form was sent.
    if (!this.wished) return this.giveBack();
    this.onHeld(held, null);
    this.dueAt = Date.parse(held.until) - RENEWED_BEFORE_MS;
    this.after(this.dueAt - serverNow(), this.renew);
  }

  /** Returns the delay until the next request is allowed, in milliseconds. */
  private waitMs(): number {
    const now = Date.now();
    this.calls = this.calls.filter((at) => now - at < CALLS_WINDOW_MS);
    return this.calls.length < CALLS_MAX ? 0 : (this.calls[0] ?? now) + CALLS_WINDOW_MS - now;
  }
}

function isAt(held: HeldTime | null, { date, time }: DayTime): boolean {
  return held?.date === date && held.time === time;
}

export function isSame(one: HeldTime | null, other: HeldTime | null): boolean {
  return (
    !!one &&
    !!other &&
    one.department === other.department &&
    one.doctorId === other.doctorId &&
    one.date === other.date &&
    one.time === other.time
  );
}

function reportUnlessProblem(error: unknown): void {
  if (!(error instanceof ApiProblem)) reportError(error);
}
