/** What was typed, kept for this tab alone until the booking is made, so that a reload loses nothing. */
import { type FormValues, NO_VALUES } from './values.ts';

const KEY = 'booking.appointment.draft';

export interface Draft {
  values: FormValues;
  /** Repeating an unanswered booking after a reload must not make a second one. */
  requestId: string;
  /** The body last sent under `requestId`, or empty. */
  sent: string;
}

/** Storage can be full or forbidden (private windows, policies): then there is no draft, and the form works on. */
function withStorage<Result>(use: (storage: Storage) => Result): Result | null {
  try {
    return use(sessionStorage);
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

export function saveDraft(draft: Draft): void {
  withStorage((storage) => storage.setItem(KEY, JSON.stringify(draft)));
}

export function clearDraft(): void {
  withStorage((storage) => storage.removeItem(KEY));
}

export function loadDraft(): Draft | null {
  const text = withStorage((storage) => storage.getItem(KEY));
  if (!text) return null;
  try {
    const { values, requestId, sent } = JSON.parse(text) as Partial<Draft>;
    return { values: { ...NO_VALUES, ...values }, requestId: String(requestId ?? ''), sent: String(sent ?? '') };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    clearDraft();
    return null;
  }
}
