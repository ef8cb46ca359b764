import { Button } from '@hospital/ui/button';
import { SEARCH_CHARACTERS_MAX } from '@hospital/ui/address';
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
      aria-label="Doctors"
      data-filter=""
      data-asked={asked}
    >
      <label className={styles.field}>
        <span className={control.label}>Name or specialty</span>
        <input
          className={control.control}
          type="search"
          name="q"
          defaultValue={words}
          maxLength={SEARCH_CHARACTERS_MAX}
          placeholder="Search doctors by name or specialty..."
          autoComplete="off"
        />
      </label>
      <label className={styles.field}>
        <span className={control.label}>Specialty</span>
        <select className={control.control} name="specialty" defaultValue={chosen}>
          <option value="">All Specialties</option>
          {options.map(({ label, key }) => (
            <option key={label} data-key={key}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <Button type="submit">Search</Button>
    </form>
  );
}
