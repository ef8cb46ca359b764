import { Filled } from '@hospital/page/text';
import { template } from '../messages.ts';
import { Name } from '../name.tsx';
import { type Attendant, feeAndPlace } from './attendants.ts';
import { timeText } from './calendar.ts';

/** The attendant at the chosen time. */
export function WhoThen({ attendant, time }: { attendant: Attendant | undefined; time: string }) {
  if (!attendant) return null;
  return (
    <p aria-live="polite">
      <Filled
        text={template('At {time} you see {name}. {fee}.')}
        with={{
          time: timeText(time),
          name: (
            <strong>
              <Name>{attendant.name}</Name>
            </strong>
          ),
          fee: feeAndPlace(attendant),
        }}
      />
    </p>
  );
}
