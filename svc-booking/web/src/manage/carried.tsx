/** What a form of this page carries unseen, so that a post without script can stand for itself. */
import { Fragment } from 'react';
import type { Task } from './forms.ts';

interface CarriedProps {
  task: Task;
  values: Readonly<Record<string, string>>;
}

/** Only ever in a document that answers a post, which nobody stores, or made by the script. */
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
