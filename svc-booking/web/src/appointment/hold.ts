/** Keeps the chosen time while the form is filled in, so that nobody else takes it meanwhile. */
import { createHold } from '@hospital/api/create-hold';
import { deleteHold } from '@hospital/api/delete-hold';
import { newIdempotencyKey } from '@hospital/api/call';
import { ApiProblem } from '@hospital/api/problem';
import { serverNow } from '@hospital/api/server-time';
import { type DayTime, alternativesIn } from './alternatives.ts';

/** A visitor who looks at one time after another asks for the last one alone, in milliseconds. */
const DEBOUNCE_MS = 400;
/** A hold is renewed, once, so long before it ends, in milliseconds. It lasts 5 minutes. */
const RENEWED_BEFORE_MS = 30_000;
/** Holds asked for within a minute. The rest of the visitor's ten calls is for the booking itself and for free times. */
const CALLS_MAX = 5;
const CALLS_WINDOW_MS = 60_000;

/** What a hold keeps. */
export interface HeldTime extends DayTime {
  /** Department id. */
  department: string;
  /** Doctor id, or empty for any of the department. */
  doctorId: string;
}

export interface Held extends HeldTime {
  id: string;
  /** RFC 3339: when it ends. */
  until: string;
}

/**
 * The one hold of a page, and what is wished for. Calls follow one another, so that each names the hold that it replaces.
 * A hold that cannot be had for another reason than a taken time is no matter for the visitor: the booking itself decides.
 */
export class TimeHold {
  private readonly onTaken: (time: HeldTime, alternatives: DayTime[]) => void;
  private readonly onHeld: (held: Held | null, over?: Held) => void;
  private wished: HeldTime | null = null;
  private held: Held | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private asking = false;
  private renewed = false;
  private calls: number[] = [];
  /** When the hold is to be renewed, in milliseconds since 1970 by the server's clock. */
  private dueAt = 0;

  /** `onTaken`: the time that was wished for is taken. `onHeld`: another time is held now, or none; `over` has run out. */
  constructor(
    onTaken: (time: HeldTime, alternatives: DayTime[]) => void,
    onHeld: (held: Held | null, over?: Held) => void,
  ) {
    this.onTaken = onTaken;
    this.onHeld = onHeld;
  }

  /** Holds this time from now on. The hold before stays until the new one replaces it. */
  keep(time: HeldTime): void {
    if (isSame(this.wished, time)) return;
    this.wished = time;
    this.renewed = false;
    this.after(DEBOUNCE_MS);
  }

  /** Gives the hold back, also when the page goes away; not the one that was `used`, which is no hold any more. */
  giveBack(used: HeldTime | null = null): void {
    const { held } = this;
    this.forget();
    if (held && !isSame(held, used)) void deleteHold(held.id, { keepalive: true }).catch(reportUnlessProblem);
  }

  /** The service has refused this time: its hold is worth nothing, one that is on its way too. Another time's stays. */
  lose(time: DayTime): void {
    if (isAt(this.wished, time)) this.forget();
    else if (isAt(this.held, time)) this.drop();
  }

  private forget(): void {
    clearTimeout(this.timer);
    this.wished = null;
    this.dueAt = 0;
    if (this.held) this.drop();
  }

  /** The visitor is back: a renewal that was due while nobody looked is made now. */
  resume(): void {
    if (this.dueAt && serverNow() >= this.dueAt) this.renew();
  }

  private after(ms: number, act: () => void = () => void this.ask()): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(act, ms);
  }

  private readonly renew = (): void => {
    this.after(this.dueAt + RENEWED_BEFORE_MS - serverNow(), this.expire);
    if (this.renewed || !this.wished || document.visibilityState === 'hidden') return;
    this.renewed = true;
    void this.ask(true);
  };

  private readonly expire = (): void => this.drop(this.held ?? undefined);

  private drop(over?: Held): void {
    this.held = null;
    this.onHeld(null, over);
  }

  private async ask(again = false): Promise<void> {
    const { wished } = this;
    if (!wished || this.asking) return;
    if (!again && isSame(wished, this.held)) return this.after(this.dueAt - serverNow(), this.renew);
    const wait = this.waitMs();
    if (wait > 0) return this.after(wait);
    this.calls.push(Date.now());
    this.asking = true;
    try {
      const { id, expireTime } = await createHold(
        { ...wished, ...(this.held && { replaces: this.held.id }) },
        { idempotencyKey: newIdempotencyKey(), isOptional: true },
      );
      this.took({ ...wished, id, until: expireTime });
    } catch (error) {
      if (!(error instanceof ApiProblem)) reportError(error);
      else if (error.reason === 'SLOT_TAKEN' && isSame(wished, this.wished)) {
        this.wished = null;
        if (again) this.forget();
        this.onTaken(wished, alternativesIn(error));
      }
    } finally {
      this.asking = false;
    }
    if (this.wished && !isSame(this.wished, wished)) this.after(DEBOUNCE_MS);
  }

  private took(held: Held): void {
    this.held = held;
    // Nobody wishes for it any more: the page was left, or the form is sent.
    if (!this.wished) return this.giveBack();
    this.onHeld(held);
    this.dueAt = Date.parse(held.until) - RENEWED_BEFORE_MS;
    this.after(this.dueAt - serverNow(), this.renew);
  }

  /** Until the next call may be made. */
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
