/** Texts of all forms, and of the rules of what people type. */
import { texts } from '@hospital/page/language';
import hi from '../messages/hi.json';
import kn from '../messages/kn.json';

export const { t } = texts('form', { kn, hi });
