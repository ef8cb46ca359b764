/**
 * Reloads a page of the staff area that the browser restores from its back/forward cache, if the session has ended
 * meanwhile. Chromium restores such pages despite `no-store`; a sign-out in the same browser clears them, but a session
 * also ends by time or at the issuer. The page stays if the session is valid, because it may hold half-typed text.
 */
export function reloadEnded(): void {
  addEventListener('pageshow', ({ persisted }) => {
    // Only a signed-in person has this form.
    if (!persisted || !document.querySelector('[action="/staff/sign-out"]')) return;
    fetch('/staff', { method: 'HEAD', redirect: 'manual' }).then(
      // Without a session, every page leads to the sign-in.
      ({ type }) => type === 'opaqueredirect' && location.reload(),
      () => undefined,
    );
  });
}
