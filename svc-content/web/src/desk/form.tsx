/** The form of a record, and the summary of its refused fields. */
import type { ReactNode } from 'react';
import { Button } from '@hospital/ui/button';
import { ErrorSummary } from '@hospital/ui/error-summary';
import { BODY, nameIn, rowCount } from './body.ts';
import { type Form, partsOf } from './declaration.ts';
import type { EditView } from './edit.ts';
import { Fields } from './fields.tsx';
import { INTENT, RESULT } from './records.ts';
import styles from '@hospital/ui/desk.module.css';
import own from './content.module.css';

/** Needs a third of the bytes of the usual encoding for Kannada: the gateway reads at most 64 KiB. */
const ENCODING = 'multipart/form-data';
/** Element id of the fields. */
const FIELDS = 'fields';

interface RecordFormProps {
  form: Form;
  view: EditView;
  /** Path of the page. */
  action: string;
  part: string;
  intent: 'save' | 'create';
  /** Fields that the person does not see. */
  hidden?: Readonly<Record<string, string>>;
  /** Outcome and actions, before the fields. */
  children?: ReactNode;
}

export function RecordForm({ form, view, action, part, intent, hidden = {}, children }: RecordFormProps) {
  const rest = JSON.stringify(view.rest);
  const kept = { part, etag: view.etag, digest: view.digest, ...(rest !== '{}' && { rest }), ...hidden };
  const save = (
    <Button type="submit" name={INTENT} value={intent}>
      Save draft
    </Button>
  );
  return (
    <form className={own.form} method="post" action={`${action}#${RESULT}`} encType={ENCODING}>
      {/* The Enter key in a field presses the first button. */}
      <button className={styles.skip} name={INTENT} value={intent} tabIndex={-1} aria-hidden="true">
        Save draft
      </button>
      {Object.entries(kept).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
      <p className={styles.actions} id={FIELDS} tabIndex={-1}>
        {save}
      </p>
      <Fields form={form} view={view} action={action} />
      <p className={styles.actions}>{save}</p>
    </form>
  );
}

/** Renders refused fields and problems, each with a link to its field. */
export function Refusals({ form, view, title }: { form: Form; view: EditView; title: string }) {
  if (view.violations.length === 0) return null;
  const labels = labelsOf(form, view);
  const errors = view.violations.map(({ path, message }) => {
    const label = labels[path] ?? labels[path.replace(/\[\d+\]$/, '')];
    const isNamed = label && message.startsWith(label);
    return { id: idOf(labels, path), message: label && !isNamed ? `${label}: ${message}` : message };
  });
  const summary = <ErrorSummary title={title} errors={errors} takesFocus={false} />;
  return view.outcome?.kind === 'refused' ? (
    <div id={RESULT} tabIndex={-1}>
      {summary}
    </div>
  ) : (
    summary
  );
}

/** Returns the labels of the fields that are shown. */
function labelsOf(form: Form, { values }: EditView): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const part of partsOf(form)) {
    labels[part.path] = part.label;
    if (part.kind === 'field') continue;
    for (let index = 0; index <= rowCount(part, values); index++) {
      for (const field of part.fields) {
        labels[nameIn(part, index, field)] = `${field.label} (${part.row || part.label} ${index + 1})`;
      }
    }
  }
  return labels;
}

const BESIDE = ['publishTime', 'unpublishTime', 'redirect'];

function idOf(labels: Record<string, string>, path: string): string {
  if (BESIDE.includes(path)) return path;
  const shown = [path, path.replace(/\[\d+\]$/, '')].find((one) => labels[one] !== undefined);
  return shown === undefined ? FIELDS : BODY + shown;
}
