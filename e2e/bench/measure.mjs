/** Times of acts under load. */

export async function timed(act) {
  const begun = performance.now();
  await act();
  return performance.now() - begun;
}

/** Returns the value below which a share of the numbers lies. */
export function quantile(numbers, share) {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

export function spread(times) {
  return `median ${quantile(times, 0.5).toFixed(0)} ms, 99 % within ${quantile(times, 0.99).toFixed(0)} ms`;
}
