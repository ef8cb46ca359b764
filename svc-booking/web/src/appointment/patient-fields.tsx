import { TextInput } from '@hospital/ui/text-input';
import type { FieldName, FormValues } from './values.ts';
import styles from './booking-form.module.css';

interface PatientFieldsProps {
  initial: FormValues;
  errorOf: (field: FieldName) => string | undefined;
}

/** Who comes, and how to reach them. */
export function PatientFields({ initial, errorOf }: PatientFieldsProps) {
  const field = (name: FieldName) => ({ id: name, name, defaultValue: initial[name], error: errorOf(name) });
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>About the patient</legend>
      <div className={styles.pair}>
        <TextInput
          {...field('firstName')}
          label="First name"
          required
          type="text"
          autoComplete="given-name"
          maxLength={60}
        />
        <TextInput
          {...field('lastName')}
          label="Last name"
          required
          type="text"
          autoComplete="family-name"
          maxLength={59}
        />
      </div>
      <div className={styles.pair}>
        <TextInput
          {...field('email')}
          label="Email"
          required
          type="email"
          autoComplete="email"
          inputMode="email"
          maxLength={254}
          pattern=".+@.+\..+"
          title="An address such as name@example.com"
          autoCapitalize="none"
          spellCheck={false}
        />
        <TextInput
          {...field('phone')}
          label="Phone"
          required
          type="tel"
          autoComplete="tel"
          inputMode="tel"
          maxLength={32}
          pattern=" *\+?(?:[ .\(\)\-]*[0-9]){7,15}[ .\(\)\-]*"
          title="7 to 15 digits; spaces, hyphens, dots, brackets and a + in front are fine"
        />
      </div>
    </fieldset>
  );
}
