/** Keeps the opening status on a page current. The page may come from a cache or stay open for hours. */
/** Maximum age of a displayed status, in milliseconds. */
const AGE_MS_MAX = 30_000;

/** Calls `tell` now, twice a minute, and when the page becomes visible again. Returns a cleanup function. */
export function onEachHalfMinute(tell: () => void): () => void {
  tell();
  const timer = setInterval(tell, AGE_MS_MAX);
  document.addEventListener('visibilitychange', tell);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', tell);
  };
}
