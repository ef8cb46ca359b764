import type { ChangeEvent, ComponentProps } from 'react';
import { Select } from '@hospital/ui/select';
import { t } from '../messages.ts';
import { TimeOptions } from './time-options.tsx';

export interface TimeListProps extends Omit<ComponentProps<typeof Select>, 'children' | 'onChange'> {
  onTime: (time: string, event: ChangeEvent) => void;
}

/** Native list of all times of a day: the free ones are known only once the script has loaded them. */
export function TimeList({ onTime, ...select }: TimeListProps) {
  return (
    <Select {...select} onChange={(event) => onTime(event.currentTarget.value, event)}>
      <option value="">{t('Choose a time')}</option>
      <TimeOptions />
    </Select>
  );
}
