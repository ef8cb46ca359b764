import { Button } from '@hospital/ui/button';
import type { Doctor } from '@hospital/api/list-doctors';
import styles from './doctors.module.css';

interface FilterProps {
  query: Record<string, string>;
  /** Labels of all listed doctors. */
  specialties: string[];
  doctors: Doctor[];
}

/** The API's limit for a search. */
const SEARCH_CHARACTERS_MAX = 100;

/** A form that asks the server; doctors.inline.js answers it at once from the cards of the page. */
export function Filter({ query, specialties, doctors }: FilterProps) {
  const wanted = query.specialty ?? '';
  const known = specialties.find((specialty) => specialty.toLowerCase() === wanted.toLowerCase());
  // A label that only other pages use (Paediatrics, an older link) stays visible in the form it filters by.
  const options = wanted && !known ? [...specialties, wanted] : specialties;
  const keys = new Map(doctors.map(({ specialty, specialtyKey }) => [specialty, specialtyKey]));
  return (
    <form className={styles.filter} method="get" action="/doctors" role="search" aria-label="Doctors" data-filter="">
      <label className={styles.field}>
        <span className={styles.label}>Name or specialty</span>
        <input
          className={styles.control}
          type="search"
          name="q"
          defaultValue={query.q ?? ''}
          maxLength={SEARCH_CHARACTERS_MAX}
          placeholder="Search doctors by name or specialty..."
          autoComplete="off"
        />
      </label>
      <label className={styles.field}>
        <span className={styles.label}>Specialty</span>
        <select className={styles.control} name="specialty" defaultValue={known ?? wanted}>
          <option value="">All Specialties</option>
          {options.map((specialty) => (
            <option key={specialty} data-key={keys.get(specialty)}>
              {specialty}
            </option>
          ))}
        </select>
      </label>
      <Button type="submit">Search</Button>
    </form>
  );
}
