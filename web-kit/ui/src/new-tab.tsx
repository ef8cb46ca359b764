import { VisuallyHidden } from './visually-hidden.tsx';

/** Inside a link with `target="_blank"`: says beforehand what it does (WCAG G201). */
export function NewTab() {
  return <VisuallyHidden> (opens in a new tab)</VisuallyHidden>;
}
