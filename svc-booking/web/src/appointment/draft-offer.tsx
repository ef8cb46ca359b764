import { Button } from '@hospital/ui/button';
import { Notice } from '@hospital/ui/notice';
import { formatDate } from '@hospital/page/format';
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
  const whom = [doctor.trim(), department].filter(Boolean).join(', ');
  return (
    <Notice title="You started another booking in this tab">
      <p>{[whom, date && formatDate(date), date && time].filter(Boolean).join(', ')}</p>
      <Button tone="secondary" onClick={() => onContinue(offer)}>
        Continue with {whom}
      </Button>
    </Notice>
  );
}
