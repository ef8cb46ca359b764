import { marked } from '@hospital/page/language';
import { t } from '../messages.ts';

/** Says above a long text that it is in English, on a page in another language. */
export function InEnglish({ text }: { text: string | undefined }) {
  return text && marked(text) ? <p>{t('This text is in English.')}</p> : null;
}
