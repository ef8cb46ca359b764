import { VisuallyHidden } from './visually-hidden.tsx';

/** Renders the warning in a link with `target="_blank"` that it opens a new tab (WCAG G201). */
export function NewTab() {
  return <VisuallyHidden> (opens in a new tab)</VisuallyHidden>;
}
