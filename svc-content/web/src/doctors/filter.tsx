import { Button } from '@hospital/ui/button';
import { SEARCH_CHARACTERS_MAX } from '@hospital/ui/address';
import { language } from '@hospital/page/language';
import { t } from '../messages.ts';
import control from '@hospital/ui/control.module.css';
import styles from './doctors.module.css';

/** A filter option with the key that its cards have. */
export interface SpecialtyOption {
  label: string;
  key: string;
}

interface FilterProps {
  words: string;
  /** Selected label; empty for all. */
  chosen: string;
  /** Key of a specialty in the URL that is not among the options. It applies until another option is selected. */
  asked: string | undefined;
  options: SpecialtyOption[];
}

/** Filter form, submitted to the server; filter.script.ts filters the page's cards immediately. */
export function Filter({ words, chosen, asked, options }: FilterProps) {
  return (
    <form
      className={styles.filter}
      method="get"
      action="/doctors"
      role="search"
      aria-label={t('Doctors')}
      data-filter=""
      data-asked={asked}
      data-of={translatedCount()}
    >
      <label className={styles.field}>
        <span className={control.label}>{t('Name or specialty')}</span>
        <input
          className={control.control}
          type="search"
          name="q"
          defaultValue={words}
          maxLength={SEARCH_CHARACTERS_MAX}
          placeholder={t('Search doctors by name or specialty...')}
          autoComplete="off"
        />
      </label>
      <label className={styles.field}>
        <span className={control.label}>{t('Specialty')}</span>
        <select
          className={control.control}
          name="specialty"
          defaultValue={language() === 'en' ? chosen : keyOf(options, chosen)}
        >
          <option value="">{t('All Specialties')}</option>
          {options.map(({ label, key }) => (
            <option key={label} data-key={key} value={language() === 'en' ? undefined : key}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <Button type="submit">{t('Search')}</Button>
    </form>
  );
}

/** Addresses are the same in all languages but English, whose labels are in them. */
function keyOf(options: SpecialtyOption[], label: string): string {
  return options.find((option) => option.label === label)?.key ?? '';
}

/** Returns the text of the number of doctors for the script, with `#` for the number; undefined in English. */
export function translatedCount(): string | undefined {
  return language() === 'en' ? undefined : t('# doctors');
}
