import { t } from '@hospital/page/messages';
import { VisuallyHidden } from './visually-hidden.tsx';

/** Renders the warning in a link with `target="_blank"` that it opens a new tab (WCAG G201). */
export function NewTab() {
  return <VisuallyHidden>{` ${t('(opens in a new tab)')}`}</VisuallyHidden>;
}
