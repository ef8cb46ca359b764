/** Hidden fields of a form on this page, which make a post without script self-contained. */
import { Fragment } from 'react';
import type { Task } from './forms.ts';

interface CarriedProps {
  task: Task;
  values: Readonly<Record<string, string>>;
}

/**
 * Only in responses to a post, which are never cached, or in markup created by script: the values include the secret.
 */
export function Carried({ task, values }: CarriedProps) {
  return (
    <Fragment>
      <input type="hidden" name="task" value={task} />
      {Object.entries(values).map(([name, value]) => (
        <input type="hidden" key={name} name={name} value={value} />
      ))}
    </Fragment>
  );
}
