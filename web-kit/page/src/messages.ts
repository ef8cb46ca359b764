/** Texts of the kit: dates here, components in `@hospital/ui`, forms in `@hospital/form`, problems in `@hospital/api`. */
import hi from '../messages/hi.json';
import kn from '../messages/kn.json';
import { texts } from './language.ts';

export const { t, plural, template } = texts('kit', { kn, hi });
