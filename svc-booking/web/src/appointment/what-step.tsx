/** The department: chosen by its name or by a problem in the patient's words. */
import { type ChangeEvent, useState } from 'react';
import { classNames } from '@hospital/ui/class-names';
import { Text } from '@hospital/page/text';
import { FieldError } from '@hospital/ui/field';
import { named, plural, t } from '../messages.ts';
import { Name } from '../name.tsx';
import { type AppointmentProps, type Contact, type Department, listOf } from './data.ts';
import { EmergencyCall, EmergencyExit } from './emergency-exit.tsx';
import type { BookingState } from './form.ts';
import { useFound } from './use-found.ts';
import { type Words, knownShare } from './words.ts';
import choices from './choices.module.css';
import styles from './booking-form.module.css';

/** Problems shown on a card; the search knows all. */
const SHOWN_MAX = 4;

interface WhatStepProps {
  form: BookingState;
  data: AppointmentProps['data'];
  departments: readonly Department[];
  contact: Contact;
  onDepartment: (name: string, event: ChangeEvent) => void;
}

export function WhatStep({ form, data, departments, contact, onDepartment }: WhatStepProps) {
  const [text, setText] = useState('');
  const { error } = form.field('department');
  const profiles = listOf(data.profiles, 'departmentProfiles');
  const wordsOf = ({ id, name }: Department): Words => {
    const { problems = [], treats = [] } = profiles.find((one) => one.id === id) ?? {};
    return { name: named(name), problems, treats };
  };
  const emergency = departments.find(({ bookable }) => !bookable);
  const emergencyWords = emergency && wordsOf(emergency);
  const bookable = departments.filter((department) => department.bookable);
  const shares = bookable.map((department) => knownShare(wordsOf(department), text));
  const best = Math.max(...shares);
  const ids = useFound(text.trim(), best > 0);
  const found = bookable.filter(({ id }, index) => (best > 0 ? shares[index] === best : ids.includes(id)));
  const isUnknown = found.length === 0;

  function find(input: HTMLInputElement) {
    setText(input.value);
    // The departments found are below the field, where a phone has its keyboard.
    if (!text && matchMedia('(width < 48rem)').matches) input.parentElement?.scrollIntoView({ block: 'start' });
  }

  return (
    <>
      <EmergencyExit contact={contact} problems={emergencyWords?.problems ?? []} />
      {profiles.length > 0 && (
        <div className={styles.search}>
          <label htmlFor="words">{t('What’s the matter?')}</label>
          <input
            id="words"
            type="search"
            form="none"
            autoComplete="off"
            maxLength={80}
            placeholder={t('Knee, fever, can’t sleep')}
            aria-describedby="words-status"
            onInput={(event) => find(event.currentTarget)}
          />
          <p id="words-status" aria-live="polite">
            {text.trim() && statusText(found, emergencyWords, text, departments)}
          </p>
        </div>
      )}
      <div className={choices.list} role="radiogroup" aria-label={t('Department')} aria-required>
        {departments.map((department, index) => (
          <DepartmentChoice
            key={department.id}
            id={index === 0 ? 'department' : undefined}
            department={department}
            problems={department.bookable ? wordsOf(department).problems.slice(0, SHOWN_MAX) : []}
            isChosen={form.initial.department === department.name}
            isHidden={!isUnknown && department.bookable && !found.includes(department)}
            required={!form.live}
            describedBy={error ? 'department-error' : undefined}
            onDepartment={onDepartment}
          />
        ))}
      </div>
      {error && <FieldError id="department-error">{error}</FieldError>}
      <EmergencyCall contact={contact} />
    </>
  );
}

function statusText(
  found: readonly Department[],
  emergency: Words | undefined,
  text: string,
  departments: readonly Department[],
): string {
  if (emergency?.problems.some((problem) => knownShare({ name: '', problems: [problem], treats: [] }, text) === 1)) {
    return t('If this is happening now, don’t book. Call the number above.');
  }
  if (found.length === 0) {
    const first = departments.find(({ bookable }) => bookable)?.name ?? '';
    if (!first) return t('We don’t know these words.');
    return t('We don’t know these words. If you’re not sure, choose {department}.', { department: named(first) });
  }
  return plural('{count} department for these words|{count} departments for these words', found.length);
}

interface DepartmentChoiceProps {
  /** Element id of the radio button that an error leads to. */
  id: string | undefined;
  department: Department;
  problems: readonly string[];
  isChosen: boolean;
  isHidden: boolean;
  required: boolean;
  describedBy: string | undefined;
  onDepartment: WhatStepProps['onDepartment'];
}

function DepartmentChoice(props: DepartmentChoiceProps) {
  const { id, department, problems, isChosen, isHidden, required, describedBy, onDepartment } = props;
  const { name } = department;
  const words = `${department.id}-words`;
  return (
    <label className={classNames(choices.choice, isHidden && choices.hidden)}>
      <input
        className={choices.radio}
        id={id}
        type="radio"
        name="department"
        value={name}
        defaultChecked={isChosen}
        required={required}
        aria-label={named(name)}
        aria-describedby={classNames(problems.length > 0 && words, describedBy) || undefined}
        data-call={department.bookable ? undefined : ''}
        onChange={(event) => onDepartment(name, event)}
      />
      <span className={choices.card}>
        <strong>
          <Name>{name}</Name>
        </strong>
        {problems.length > 0 && (
          <span className={choices.words} id={words}>
            <Text>{problems.map((problem) => `“${problem}”`).join(' ')}</Text>
          </span>
        )}
      </span>
    </label>
  );
}
