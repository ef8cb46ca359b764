import { t } from '@hospital/page/messages';
import { SEARCH_CHARACTERS_MAX } from './address.ts';
import { Button } from './button.tsx';
import control from './control.module.css';
import styles from './search-box.module.css';

interface SearchBoxProps {
  /** Element id of the input. */
  id: string;
  /** Label above the input. */
  label: string;
  /** Accessible name of the search landmark: what is searched. */
  landmark: string;
  /** Path that receives the search words as `q`. */
  action: string;
  defaultValue?: string;
}

/** Renders a native search form. The server handles it, so it works before and without script. */
export function SearchBox({ id, label, landmark, action, defaultValue }: SearchBoxProps) {
  return (
    <form role="search" method="get" action={action} aria-label={landmark}>
      <label className={control.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.row}>
        <input
          className={control.control}
          id={id}
          type="search"
          name="q"
          defaultValue={defaultValue}
          maxLength={SEARCH_CHARACTERS_MAX}
          enterKeyHint="search"
          autoComplete="off"
        />
        <Button type="submit">{t('Search')}</Button>
      </div>
    </form>
  );
}
