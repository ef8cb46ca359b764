/** Failed changes of the desk's lists. */

/**
 * `unsaved`: no reply, and nothing was changed. `unknown`: no reply, and the present state is not known. `refused`: the
 * role lacks the scope. `gone`: deleted.
 */
export type Failure = 'unsaved' | 'unknown' | 'signedOut' | 'refused' | 'gone' | 'limit';

/** Returns why a change failed. `isUnchanged`: the page has the present state, which is that before the change. */
export function failureOf(status: number, isUnchanged: boolean): Failure {
  switch (status) {
    case 401:
      return 'signedOut';
    case 403:
      return 'refused';
    case 404:
      return 'gone';
    case 429:
      return 'limit';
    default:
      return isUnchanged || (status >= 400 && status < 500) ? 'unsaved' : 'unknown';
  }
}

/** Returns the text of a failed change. `thing`: what was to be changed, such as `appointment`. */
export function failureText(failure: Failure, thing: string, things = `${thing}s`): string {
  switch (failure) {
    case 'unsaved':
      return `We couldn’t save it, and the ${thing} is unchanged. Please try again.`;
    case 'unknown':
      return `We got no reply, so we don’t know if it was saved. Look at the ${thing} before you try again.`;
    case 'signedOut':
      return 'Your sign-in has ended. Sign in again, then repeat it.';
    case 'refused':
      return `Your role doesn’t include changes of ${things}. Ask the person who manages staff accounts at the hospital.`;
    case 'gone':
      return `This ${thing} no longer exists: it was deleted.`;
    case 'limit':
      return 'You’ve made many changes in a short time. Wait a minute, then try again.';
  }
}

/** Returns the HTTP status of a page after a failed change. A form that could not be read made no call. */
export function statusOfFailure(status: number): number {
  return status < 400 ? 400 : status;
}
