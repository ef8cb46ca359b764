import { type FocusEvent, useEffect, useRef } from 'react';
import type { FormCheckInput } from '@hospital/api/create-message';
import { getFormToken } from '@hospital/api/get-form-token';
import type { AnyForm } from '@hospital/form/declaration';
import type { FormState } from '@hospital/form/use-form';

/**
 * A younger token counts against the sender, in milliseconds. Whoever filled in the form before the script came, or has it filled in
 * by the browser, is better off without one.
 */
const AGE_MS_MIN = 4000;
/** An older one is worth nothing, in milliseconds; the API keeps a day. */
const AGE_MS_MAX = 20 * 3_600_000;

interface FormCheckState {
  /** For the form: the token is fetched when somebody begins. */
  onFocus: (event: FocusEvent) => void;
  /** For the form's context. */
  check: () => FormCheckInput;
}

/** What the script knows of whoever fills in `form`, which has the field `website`. */
export function useFormCheck<Form extends AnyForm>(form: FormState<Form>): FormCheckState {
  const kept = useRef({ token: '', at: 0, asked: false });
  const { live, ref } = form;

  function begin() {
    const { current } = kept;
    if (current.asked && Date.now() - current.at < AGE_MS_MAX) return;
    current.asked = true;
    current.at = Date.now();
    getFormToken().then(
      ({ token }) => Object.assign(current, { token, at: Date.now() }),
      // A message without a token is a message all the same.
      () => undefined,
    );
  }

  useEffect(() => {
    // Somebody was faster than the script.
    if (live && ref.current?.contains(document.activeElement)) begin();
    // Once, when the script has taken over.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [live]);

  return {
    onFocus: begin,
    check() {
      const { token, at } = kept.current;
      const age = Date.now() - at;
      const { website = '' } = form.values() as { website?: string };
      return { website, token: age < AGE_MS_MIN || age > AGE_MS_MAX ? '' : token, canProve: true };
    },
  };
}
