import { VisuallyHidden } from './visually-hidden.tsx';

/** Renders the advance warning inside a link with `target="_blank"` (WCAG G201). */
export function NewTab() {
  return <VisuallyHidden> (opens in a new tab)</VisuallyHidden>;
}
