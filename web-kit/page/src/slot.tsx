/**
 * Renders a placeholder for another fragment, which has its own root, data and fallback. The page's declaration names
 * the fragment, and the gateway inserts it. Without a fragment, the placeholder stays empty and takes no space.
 *
 * Only modules that never hydrate may have slots: React would report the fragment as a hydration mismatch.
 */
export function Slot({ name }: { name: string }) {
  return <div data-slot={name} />;
}
