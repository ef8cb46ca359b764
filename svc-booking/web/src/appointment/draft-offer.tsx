import { Button } from '@hospital/ui/button';
import { Notice } from '@hospital/ui/notice';
import { formatDate } from '@hospital/page/format';
import { named, t } from '../messages.ts';
import { timeText } from './calendar.ts';
import type { Choice } from './form.ts';

interface DraftOfferProps {
  offer: Choice;
  onContinue: (offer: Choice) => void;
}

/**
 * Offers to resume another booking that was begun in this tab. The form keeps the booking that the visitor came for.
 */
export function DraftOffer({ offer, onContinue }: DraftOfferProps) {
  const { department, doctor, date, time } = offer;
  const whom = [named(doctor.trim()), named(department)].filter(Boolean).join(', ');
  return (
    <Notice title={t('You started another booking in this tab')}>
      <p>{[whom, date && formatDate(date), date && timeText(time)].filter(Boolean).join(', ')}</p>
      <Button tone="secondary" onClick={() => onContinue(offer)}>
        {t('Continue with {name}', { name: whom })}
      </Button>
    </Notice>
  );
}
