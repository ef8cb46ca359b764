import { type FocusEvent, useEffect, useRef } from 'react';
import { getFormToken } from '@hospital/api/get-form-token';
import type { FormCheckInput } from '@hospital/api/types';
import type { AnyForm } from '@hospital/form/declaration';
import type { FormState } from '@hospital/form/use-form';

/**
 * Minimum age of a token, in milliseconds; a younger one counts against the sender. A visitor who filled in the form
 * before the script loaded, or by autofill, is better off without a token.
 */
const AGE_MS_MIN = 4000;
/** Maximum age of a token, in milliseconds; an older one is not sent. The API accepts a day. */
const AGE_MS_MAX = 20 * 3_600_000;

interface FormCheckState {
  /** Handler for the form: fetches the token at the first focus. */
  onFocus: (event: FocusEvent) => void;
  /** Function for the form's context. */
  check: () => FormCheckInput;
}

/** Collects the script's evidence about the sender of `form`, which has the field `website`. */
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
      // A message is valid without a token.
      () => undefined,
    );
  }

  useEffect(() => {
    // A field was focused before the script loaded.
    if (live && ref.current?.contains(document.activeElement)) begin();
    // Runs once, after hydration.
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
