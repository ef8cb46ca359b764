import { texts } from '@hospital/page/language';
import hi from '../messages/hi.json';
import kn from '../messages/kn.json';

export const { t, plural, template } = texts('assessment', { kn, hi });
