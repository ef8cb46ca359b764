/**
 * A place in a module's HTML in which another fragment stands, with its own root, data and fallback. The page's declaration
 * says which fragment; the gateway lays it in. Without one the place stays empty and takes no space.
 *
 * Only modules that never hydrate may have slots: React would take the fragment for a mistake.
 */
export function Slot({ name }: { name: string }) {
  return <div data-slot={name} />;
}
