/** The answers of this tab, and what has become of them: a reload, and the way from the home page, lose nothing. */
import type { Answered } from '../questions.ts';

/** The fragment of the home page names it in `data-resume`: a tab that has begun gets its script at once. */
export const DRAFT_KEY = 'assessment.draft';
/** Of another shape of draft, which is dropped. */
const VERSION = 1;

/** What has become of the answers. Its key and body stay the same through every repetition, so that one is kept at most. */
export interface Saving {
  /** Idempotency key; empty until they are first sent. */
  requestId: string;
  /** The body that goes with the key, as JSON. */
  sent: string;
  /** Empty until they are kept. Known to nobody else: it removes them. */
  savedId: string;
  /** The visitor has had them removed. */
  removed: boolean;
}

export interface Draft {
  step: number;
  values: Partial<Answered>;
  saving: Saving;
}

export const NOT_SAVED: Saving = { requestId: '', sent: '', savedId: '', removed: false };

/** Storage can be full or forbidden (private windows, policies): then there is no draft, and the wizard works on. */
function withStorage<Result>(act: (storage: Storage) => Result): Result | null {
  try {
    return act(sessionStorage);
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

export function saveDraft(draft: Draft): void {
  withStorage((storage) => storage.setItem(DRAFT_KEY, JSON.stringify({ version: VERSION, ...draft })));
}

export function clearDraft(): void {
  withStorage((storage) => storage.removeItem(DRAFT_KEY));
}

export function loadDraft(): Draft | null {
  const text = withStorage((storage) => storage.getItem(DRAFT_KEY));
  if (!text) return null;
  try {
    const kept = JSON.parse(text) as Partial<Draft & { version: number }>;
    if (kept?.version === VERSION && kept.step && kept.step >= 1 && kept.step <= 5)
      return { step: kept.step, values: { ...kept.values }, saving: { ...NOT_SAVED, ...kept.saving } };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  clearDraft();
  return null;
}
