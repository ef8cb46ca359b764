/** Answers of this tab and the state of saving them. They survive a reload and the way from the home page. */
import type { Answered } from '../questions.ts';

/** Storage key. The home page's fragment names it in `data-resume`, so a tab with a draft loads its script at once. */
export const DRAFT_KEY = 'assessment.draft';
/** Version of the draft's shape; drafts of another version are dropped. */
const VERSION = 1;

/** State of saving. Key and body stay the same through all retries, so at most one assessment is stored. */
export interface Saving {
  /** Idempotency key; empty until the answers are first sent. */
  requestId: string;
  /** Request body that belongs to the key, as JSON. */
  sent: string;
  /** Id of the stored answers, which removes them; empty until they are stored. No one else knows it. */
  savedId: string;
  /** The visitor removed the stored answers. */
  removed: boolean;
}

export interface Draft {
  step: number;
  values: Partial<Answered>;
  saving: Saving;
}

export const NOT_SAVED: Saving = { requestId: '', sent: '', savedId: '', removed: false };

/**
 * Runs `act` on the storage. Returns null if storage is full or blocked (private windows, policies): the wizard then
 * works without a draft.
 */
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
