/** The form without script: which API call a native post stands for. */
import type { ActionRequest } from '@hospital/page';
import { addDays, istDay } from '@hospital/page/format';
import { isDay } from './calendar.ts';
import { bookingPayload } from './payload.ts';
import { valuesFrom } from './values.ts';

/** A read without effect, for posts that only want the form again with what was typed. */
const SHOW_FORM: ActionRequest = { method: 'GET', path: '/departments', body: null };

/** The department that is called, not booked. */
export const CALL_ONLY = 'Emergency';

/**
 * `intent=prefill` (from the home page) and an emergency show the form again, `intent=times` asks
 * for the free times of the chosen day, everything else books. Nothing personal gets into a path.
 */
export function action(form: Record<string, string>, now: string): ActionRequest {
  const values = valuesFrom(form);
  if (form.intent === 'prefill') return SHOW_FORM;
  if (form.intent === 'times') {
    if (!values.department || values.department === CALL_ONLY) return SHOW_FORM;
    const day = isDay(values.date) ? values.date : istDay(now);
    // A week, so that the page can name the next free day when the chosen one is full.
    const span = `from=${day}&to=${addDays(day, 6)}`;
    return {
      method: 'GET',
      path: `/availability?department=${encodeURIComponent(values.department)}&${span}`,
      body: null,
    };
  }
  if (values.department === CALL_ONLY) return SHOW_FORM;
  // A picked suggestion is told from a typed name only by the script: natively the name travels in the notes.
  return { method: 'POST', path: '/appointments', body: bookingPayload(values, '') };
}
