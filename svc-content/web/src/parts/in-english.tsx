import { marked } from '@hospital/page/language';
import { t } from '../messages.ts';

/** Note above an English text on a page in another language. */
export function InEnglish({ text }: { text: string | undefined }) {
  return text && marked(text) ? <p>{t('This text is in English.')}</p> : null;
}
