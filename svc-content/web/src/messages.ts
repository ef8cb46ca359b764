import { texts } from '@hospital/page/language';
import hi from '../messages/hi.json';
import kn from '../messages/kn.json';

export const { t, plural, template } = texts('content', { kn, hi });

/** Translates a name that the booking service sends. */
export const named = t as (name: string) => string;
