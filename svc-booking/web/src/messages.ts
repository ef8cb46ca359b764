import { texts } from '@hospital/page/language';
import hi from '../messages/hi.json';
import kn from '../messages/kn.json';

export const { t, plural, template } = texts('booking', { kn, hi });

/**
 * Translates a name of the hospital's data that pages also send, such as a department's or a doctor's. Returns an
 * unknown name unchanged. The catalogues have the names of `svc-booking/config/resources.toml`.
 */
export const named = t as (name: string) => string;
