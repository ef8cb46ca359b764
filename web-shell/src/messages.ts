import { type PlainKey, texts } from '@hospital/page/language';
import hi from '../messages/hi.json';
import kn from '../messages/kn.json';

export const { t, plural, template } = texts('shell', { kn, hi });

/** Texts without parameters. */
export type Label = PlainKey<typeof kn>;
