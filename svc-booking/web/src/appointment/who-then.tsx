import { type Attendant, feeAndPlace } from './attendants.ts';

/** The attendant at the chosen time. */
export function WhoThen({ attendant, time }: { attendant: Attendant | undefined; time: string }) {
  if (!attendant) return null;
  return (
    <p aria-live="polite">
      At {time} you see <strong>{attendant.name}</strong>. {feeAndPlace(attendant)}.
    </p>
  );
}
