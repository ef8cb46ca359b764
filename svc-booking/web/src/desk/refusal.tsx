/** Message of a form that was not accepted: what happened, and links to the fields to correct. */
import { Notice } from '@hospital/ui/notice';
import type { Difference } from './choice.ts';
import { Differences } from './differences.tsx';
import { RESULT } from './row.tsx';

interface RefusalProps {
  title: string;
  /** Advice, or empty. */
  text?: string;
  /** Fields to correct. `field` is the element id of the control. */
  violations?: readonly { field: string; message: string }[];
  /** What another person changed meanwhile. */
  differences?: readonly Difference[];
}

export function Refusal({ title, text, violations = [], differences = [] }: RefusalProps) {
  return (
    <Notice tone="failure" role="alert" title={title} id={RESULT} tabIndex={-1}>
      {text && <p>{text}</p>}
      {violations.length > 0 && (
        <ul>
          {violations.map(({ field, message }) => (
            <li key={field}>
              <a href={`#${field}`}>{message}</a>
            </li>
          ))}
        </ul>
      )}
      <Differences differences={differences} />
    </Notice>
  );
}
