/** The forms of the roster: sessions, leave. */
import type { ReactNode } from 'react';
import { type AnyForm, valuesFrom } from '@hospital/form/declaration';
import { type FieldProps, fieldProps } from '@hospital/form/field';
import { Button } from '@hospital/ui/button';
import { CheckBoxes } from '@hospital/ui/check-boxes';
import { Select } from '@hospital/ui/select';
import { TextInput } from '@hospital/ui/text-input';
import { ACT, type Act, actIn, editedOf } from './edit.ts';
import { leaveForm } from './leave-form.ts';
import { askForm } from './leave-request.ts';
import { RESULT, type RosterProps, departmentsIn } from './roster.ts';
import { BY_NAME, type SessionValues, newSessionForm } from './session-form.ts';
import { WEEKDAYS } from './week.ts';
import styles from './roster.module.css';

/** Returns the post of a form that was not saved, which its fields then keep. */
function keptIn(props: RosterProps, act: Act) {
  const { action } = props;
  return action && actIn(action.form) === act && editedOf(props)?.tone === 'failure' ? action.form : null;
}

/** Returns whether a form was posted and not saved. */
export function isRefused(props: RosterProps, act: Act): boolean {
  return keptIn(props, act) !== null;
}

/** Returns the values of a form that was not saved; else `fresh`. */
export function shownValues<Values>(props: RosterProps, act: Act, form: AnyForm, fresh: Values): Values {
  const kept = keptIn(props, act);
  return kept ? (valuesFrom(form, kept) as Values) : fresh;
}

interface EditFormProps {
  props: RosterProps;
  act: Act;
  /** Address of the page, without fragment. */
  here: string;
  label: string;
  /** Text of the button. Without it, the children have one. */
  save?: string;
  children: ReactNode;
}

/** Renders the frame of a form. */
export function EditForm({ props, act, here, label, save, children }: EditFormProps) {
  // The gateway derives the idempotency key from all fields. A retry keeps the time of the first try and so its key; a
  // form that is filled in alike later has another one.
  const at = keptIn(props, act)?.at?.at(-1) ?? props.now;
  return (
    <form className={styles.form} method="post" action={`${here}#${RESULT}`} noValidate aria-label={label}>
      <input type="hidden" name="part" value={props.part} />
      <input type="hidden" name={ACT} value={act} />
      <input type="hidden" name="at" value={at} />
      {children}
      {save && (
        <p className={styles.save}>
          <Button type="submit">{save}</Button>
        </p>
      )}
    </form>
  );
}

/** Returns the props of a control with its value and its error. */
export function shown<Values extends object>(
  props: RosterProps,
  act: Act,
  form: AnyForm,
  values: Values,
): (name: keyof Values & string) => FieldProps {
  const errors = editedOf(props)?.act === act ? (editedOf(props)?.errors ?? []) : [];
  return (name) => ({
    ...fieldProps(form, name),
    defaultValue: values[name] as string | string[],
    error: errors.find(({ id }) => id === name)?.message,
  });
}

interface SessionFieldsProps {
  props: RosterProps;
  act: 'session' | 'change';
  /** Values of a form that was not posted. */
  fresh: SessionValues;
  /** Doctors to choose from, by id. Without them, the doctor or clinic is fixed. */
  doctors?: readonly (readonly [id: string, name: string])[];
  /** Whether the doctor's name, fee and place are asked for: booking may not have them yet. */
  isNamed?: boolean;
}

const OF_DOCTOR = 'Needed only if the hospital’s configuration doesn’t have this doctor. Patients see it.';

export function SessionFields({ props, act, fresh, doctors, isNamed = false }: SessionFieldsProps) {
  const values = shownValues(props, act, newSessionForm, fresh);
  const field = shown(props, act, newSessionForm, values);
  const departments = departmentsIn(props);
  const isKnown = departments.some(({ id }) => id === values.department);
  const isClinic = doctors !== undefined || !values.doctorId;
  return (
    <>
      {doctors ? (
        <Select {...field('doctorId')} label="Who works">
          <option value="">A clinic, without a doctor’s name</option>
          {doctors.map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      ) : (
        <input type="hidden" name="doctorId" value={values.doctorId} />
      )}
      <Select {...field('department')}>
        <option value="">Choose a department</option>
        {values.department && !isKnown && <option value={values.department}>{values.department}</option>}
        {departments.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      {isClinic && <TextInput {...field('name')} />}
      {isNamed && <TextInput {...field('name')} label="Name of the doctor" hint={OF_DOCTOR} />}
      {!isClinic && !isNamed && <input type="hidden" name="name" value={values.name} />}
      <CheckBoxes {...field('weekdays')} className={styles.boxes} options={WEEKDAYS} />
      <TextInput {...field('from')} />
      <TextInput {...field('until')} />
      <TextInput {...field('seats')} />
      <TextInput {...field('validFrom')} />
      <TextInput {...field('validUntil')} />
      <CheckBoxes {...field('byNameOnly')} options={[BY_NAME]} />
      {isClinic && <TextInput {...field('feeRupees')} />}
      {isClinic && <TextInput {...field('place')} />}
      {isNamed && <TextInput {...field('feeRupees')} label="Fee of the doctor, in rupees" hint={OF_DOCTOR} />}
      {isNamed && <TextInput {...field('place')} label="Place of the doctor" hint={OF_DOCTOR} />}
    </>
  );
}

const NO_LEAVE = { leaveFrom: '', leaveUntil: '', reason: '' };

export function LeaveFields({ props, resource }: { props: RosterProps; resource: string }) {
  const values = shownValues(props, 'leave', leaveForm, NO_LEAVE);
  const field = shown(props, 'leave', leaveForm, values);
  return (
    <>
      <input type="hidden" name="resource" value={resource} />
      <TextInput {...field('leaveFrom')} />
      <TextInput {...field('leaveUntil')} />
      <TextInput {...field('reason')} />
    </>
  );
}

/** Renders the fields of a doctor's request. The API takes the doctor from the sign-in, so no field names one. */
export function AskFields({ props }: { props: RosterProps }) {
  const values = shownValues(props, 'ask', askForm, NO_LEAVE);
  const field = shown(props, 'ask', askForm, values);
  return (
    <>
      <TextInput {...field('leaveFrom')} />
      <TextInput {...field('leaveUntil')} />
      <TextInput {...field('reason')} />
    </>
  );
}
