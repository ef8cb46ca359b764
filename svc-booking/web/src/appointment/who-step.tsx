/** The doctor or clinic: cards, and a name to type. */
import type { ChangeEvent } from 'react';
import { TextInput } from '@hospital/ui/text-input';
import { named, t } from '../messages.ts';
import { Name } from '../name.tsx';
import { type AttendantCard, cardsOf, nextOf, nextText } from './attendant-card.ts';
import { type AppointmentProps, type NextFree, listOf } from './data.ts';
import { attendantsOf, pickedValue } from './picked.ts';
import { Face } from './face.tsx';
import type { BookingState } from './form.ts';
import { advance } from './use-steps.ts';
import type { Visit } from './use-visit.ts';
import choices from './choices.module.css';

interface WhoStepProps {
  form: BookingState;
  props: AppointmentProps;
  visit: Visit;
}

export function WhoStep({ form, props, visit }: WhoStepProps) {
  const { chosen, choose, chooseAttendant, suggestions, departments, department, doctor, firstFree } = visit;
  const cards = cardsOf(props, departments, department);
  const next = listOf(props.data.next, 'next');
  const card = cards.find(
    ({ value, attendant: { resource } }) => value === pickedValue(doctor) || resource === chosen.clinic,
  );
  const typed = chosen.doctor.trim() && !card;
  // As served, a card and another name may both be chosen: the form then asks which one is meant.
  const picked = form.live ? (card?.value ?? (typed ? null : '')) : form.initial.picked;
  return (
    <>
      <div className={choices.list} role="radiogroup" aria-label={t('Who sees you')}>
        <label className={choices.choice}>
          <input
            className={choices.radio}
            type="radio"
            name="picked"
            value=""
            checked={picked === ''}
            onChange={(event) => {
              chooseAttendant(undefined);
              advance(event.nativeEvent, 3);
            }}
            aria-label={t('First free')}
            aria-describedby="first-free"
          />
          <span className={choices.card}>
            <strong>{t('First free')}</strong>
            <span id="first-free">
              {firstFreeText(attendantsOf(department).map(({ name }) => named(name)))}
              <span className={choices.next}>{nextText(firstFree(), props.now)}</span>
            </span>
          </span>
        </label>
        {cards.map((one) => (
          <WhoCard
            key={one.value}
            card={one}
            isChosen={picked === one.value}
            next={nextFree(one, next, visit, props.now)}
            onChoose={(event) => {
              chooseAttendant(one.attendant);
              advance(event.nativeEvent, 3);
            }}
          />
        ))}
      </div>
      <TextInput
        {...form.field('doctor')}
        list="doctor-names"
        onChange={(event) => choose({ doctor: event.currentTarget.value, clinic: '' })}
      />
      <datalist id="doctor-names">
        {suggestions.map(({ doctorId, name }) => (
          <option key={doctorId} value={name} label={named(name) === name ? undefined : named(name)} />
        ))}
      </datalist>
    </>
  );
}

function firstFreeText(names: readonly string[]): string {
  if (names.length === 0) return t('The earliest free time of any doctor.');
  if (names.length === 1) return `${names.join('')}.`;
  return t('The earliest free time with one of: {names}', { names: names.join(' · ') });
}

/** The department's loaded times are newer than the page's, and they include clinics. */
function nextFree({ attendant }: AttendantCard, next: readonly NextFree[], visit: Visit, now: string): string {
  return nextText((!attendant.byNameOnly && visit.firstFree(attendant)) || nextOf(next, attendant), now);
}

interface WhoCardProps {
  card: AttendantCard;
  isChosen: boolean;
  next: string;
  onChoose: (event: ChangeEvent) => void;
}

function WhoCard({ card, isChosen, next, onChoose }: WhoCardProps) {
  const { attendant, value, about, facts } = card;
  return (
    <label className={choices.choice}>
      <input
        className={choices.radio}
        type="radio"
        name="picked"
        value={value}
        checked={isChosen}
        onChange={onChoose}
        aria-label={named(attendant.name)}
        aria-describedby={attendant.resource}
      />
      <span className={choices.card}>
        <Face card={card} />
        <strong>
          <Name>{attendant.name}</Name>
        </strong>
        <span id={attendant.resource}>
          {about} <span className={choices.facts}>{facts}</span> <span className={choices.next}>{next}</span>
        </span>
      </span>
    </label>
  );
}
