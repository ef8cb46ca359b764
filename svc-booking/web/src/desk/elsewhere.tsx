/** Leads from an outcome to the appointment's present state. */
import { Button } from '@hospital/ui/button';
import { type Choice, choiceText, seenText } from './choice.ts';
import { RESULT } from './row.tsx';
import { FIND_PATH, LOOK } from './search.ts';

interface ElsewhereProps {
  choice: Choice;
  /** Text of the search that found the appointment. */
  search?: string;
}

/** A post, because an address must not name a patient's appointment. It carries what the person saw, to compare. */
export function Elsewhere({ choice, search }: ElsewhereProps) {
  const { reference } = choice.seen;
  return (
    <form method="post" action={`${FIND_PATH}#${RESULT}`}>
      <input type="hidden" name="query" value={reference} />
      <input type="hidden" name={LOOK} value={choiceText(choice.to, seenText(choice.seen))} />
      {search && search !== reference && <input type="hidden" name="search" value={search} />}
      <Button type="submit" tone="secondary">{`Show ${reference} as it is now`}</Button>
    </form>
  );
}
