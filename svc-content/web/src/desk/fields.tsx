/** The fields of a record's form, as its declaration has them. */
import { classNames } from '@hospital/ui/class-names';
import { NewTab } from '@hospital/ui/new-tab';
import { Select } from '@hospital/ui/select';
import { TextArea } from '@hospital/ui/text-area';
import { TextInput } from '@hospital/ui/text-input';
import { BODY, type Body, type Values, type Violation, nameIn, rowCount } from './body.ts';
import { type Field, type Form, type Group, partsOf } from './declaration.ts';
import { rowLabel } from './difference.ts';
import type { EditView } from './edit.ts';
import { MEDIA_PATH } from './media.ts';
import { INTENT } from './records.ts';
import type { Rendered } from './rendered.ts';
import { type Step, rowIntent } from './rows.ts';
import { TextEditor } from './text-editor.tsx';
import { pictureAt } from '../parts/drawings.ts';
import { isUpload } from '../parts/photograph.tsx';
import rows from '@hospital/ui/desk-row.module.css';
import own from './content.module.css';
import media from './media.module.css';

/** The gateway reads 100 fields of a form; some are hidden, or buttons. */
const FIELDS_MAX = 88;

interface Shown {
  values: Values;
  violations: readonly Violation[];
  /** Empty for a new record. */
  etag: string;
}

/** `action`: path of the page. */
export function Fields({ form, view, action }: { form: Form; view: EditView; action: string }) {
  const counts = countsOf(form, view);
  return form.sections.map(({ title, parts }) => (
    <section key={title} className={own.section}>
      <h2>{title}</h2>
      <div className={own.fields}>
        {parts.map((part) =>
          part.kind === 'field' ? (
            <Control
              key={part.path}
              field={part}
              path={part.path}
              shown={view}
              form={{ kind: form.kind, action, rendered: view.rendered }}
            />
          ) : (
            <Rows
              key={part.path}
              group={part}
              view={view}
              count={counts[part.path] ?? 0}
              isFull={counts[''] === 0}
              action={`${action}#${BODY}${part.path}`}
            />
          ),
        )}
      </div>
    </section>
  ));
}

/** Returns the number of rows to show of each group. Under the key '': the number of groups that can grow. */
function countsOf(form: Form, { values, rest, group }: EditView): Record<string, number> {
  const parts = partsOf(form);
  const counts: Record<string, number> = {};
  let fields = parts.filter(({ kind }) => kind === 'field').length;
  for (const part of parts) {
    if (part.kind === 'field') continue;
    const count = Math.max(rowCount(part, values), part.fixed ? restRows(part, rest).length : 0);
    counts[part.path] = count;
    fields += count * part.fields.length;
  }
  counts[''] = 0;
  for (const part of parts) {
    if (part.kind === 'field' || part.fixed) continue;
    const more = part.path === group ? 2 : 1;
    for (let added = 0; added < more && fields + part.fields.length <= FIELDS_MAX; added++) {
      counts[part.path] = (counts[part.path] ?? 0) + 1;
      counts[''] += 1;
      fields += part.fields.length;
    }
  }
  return counts;
}

function restRows({ path }: Group, rest: Body): Body[] {
  const kept = rest[path];
  return Array.isArray(kept) ? (kept as Body[]) : [];
}

interface RowsProps {
  group: Group;
  view: EditView;
  count: number;
  isFull: boolean;
  /** Address that the buttons of rows lead to. */
  action: string;
}

function Rows({ group, view, count, isFull, action }: RowsProps) {
  const kept = restRows(group, view.rest);
  const filled = rowCount(group, view.values);
  const { hint = '' } = group;
  return (
    <div className={own.wide} id={BODY + group.path} tabIndex={-1}>
      {!group.fixed && (
        <>
          <h3 className={own.heading}>{group.label}</h3>
          {hint && <p className={own.hint}>{hint}</p>}
        </>
      )}
      <ErrorOf path={group.path} shown={view} />
      {Array.from({ length: count }, (_, index) => (
        <Row
          key={index}
          group={group}
          index={index}
          shown={view}
          label={index < filled || group.fixed ? rowLabel(group, kept[index], index) : `New ${group.row.toLowerCase()}`}
          isNew={index >= filled && !group.fixed}
          isMoved={view.row === `${group.path}[${index}]`}
          count={filled}
          action={action}
        />
      ))}
      {!group.fixed && (
        <p>
          {isFull ? (
            `This form is full: no ${group.row.toLowerCase()} can be added.`
          ) : (
            <button
              className={classNames(rows.change, own.button)}
              name={INTENT}
              value={`add:${group.path}`}
              formAction={action}
            >
              {`Add a ${group.row.toLowerCase()}`}
            </button>
          )}
        </p>
      )}
    </div>
  );
}

interface RowProps {
  group: Group;
  index: number;
  shown: Shown;
  label: string;
  isNew: boolean;
  /** Whether a button has just moved it. */
  isMoved: boolean;
  /** Number of rows with something in them. */
  count: number;
  action: string;
}

/** A row of a list is closed until it is opened, refused, moved or new: pages have many. */
function Row({ group, index, shown, label, isNew, isMoved, count, action }: RowProps) {
  const paths = group.fields.map((field) => nameIn(group, index, field));
  const [first = ''] = paths;
  const fields = (
    <div className={own.fields}>
      {group.fields.map((field, at) => (
        <Control key={field.path} field={field} path={paths[at] ?? ''} shown={shown} prefix={label} />
      ))}
    </div>
  );
  if (group.fixed) {
    return (
      <fieldset className={own.row}>
        <legend>{label}</legend>
        {fields}
      </fieldset>
    );
  }
  const isRefused = shown.violations.some(({ path }) => paths.includes(path));
  const begin = (shown.values[first] ?? '').slice(0, 80);
  return (
    <details className={own.row} open={isNew || isRefused || isMoved}>
      <summary>
        <b>{label}</b> {begin}
      </summary>
      {fields}
      {!isNew && (
        <p className={own.steps}>
          {STEPS.filter(([step]) => (step === 'up' ? index > 0 : step !== 'down' || index < count - 1)).map(
            ([step, text]) => (
              <button
                key={step}
                className={classNames(rows.change, own.button)}
                name={INTENT}
                value={rowIntent(group, index, step)}
                formAction={action}
                aria-label={`${text}: ${label}`}
              >
                {text}
              </button>
            ),
          )}
        </p>
      )}
    </details>
  );
}

const STEPS: readonly (readonly [Step, string])[] = [
  ['up', 'Move up'],
  ['down', 'Move down'],
  ['remove', 'Remove'],
];

function ErrorOf({ path, shown }: { path: string; shown: Shown }) {
  const violation = shown.violations.find((one) => one.path === path);
  return violation ? <p className={own.error}>{violation.message}</p> : null;
}

interface ControlOf {
  field: Field;
  /** Path in the body. */
  path: string;
  shown: Shown;
  /** Row that the field belongs to, for screen readers. */
  prefix?: string;
  /** Absent in rows. */
  form?: { kind: string; action: string; rendered: Rendered | null };
}

function Control({ field, path, shown, prefix, form }: ControlOf) {
  const value = shown.values[path] ?? (field.widget === 'yesNo' ? (field.absent ? 'yes' : 'no') : '');
  const violation = shown.violations.find((one) => one.path === path || one.path.startsWith(`${path}[`));
  const label = `${field.label}${field.isOptional && field.widget !== 'yesNo' ? ' (optional)' : ''}`;
  const named = {
    id: BODY + path,
    name: BODY + path,
    label,
    hint: hintOf(field),
    error: violation?.message,
    defaultValue: value,
    autoComplete: 'off',
    ...(prefix && { 'aria-label': `${prefix}: ${label}` }),
  };
  switch (field.widget) {
    case 'yesNo':
    case 'choice':
      return (
        <Select {...named}>
          {choicesOf(field, value).map(([known, text]) => (
            <option key={known} value={known}>
              {text}
            </option>
          ))}
        </Select>
      );
    case 'text':
    case 'lines':
    case 'table': {
      const area = { ...named, rows: field.rows ?? ROWS[field.widget], className: own.wide, spellCheck: true };
      if (!field.isRendered || !form) return <TextArea {...area} />;
      const rendered = form.rendered?.path === path ? form.rendered : null;
      return <TextEditor named={area} path={path} kind={form.kind} action={form.action} rendered={rendered} />;
    }
    case 'day':
      return <TextInput {...named} type={!value || DAY.test(value) ? 'date' : 'text'} />;
    case 'instant':
      return <TextInput {...named} type={!value || MINUTE.test(value) ? 'datetime-local' : 'text'} />;
    case 'whole':
      return <TextInput {...named} inputMode="numeric" />;
    case 'decimal':
      return <TextInput {...named} inputMode="decimal" />;
    case 'line':
      if (field.isPicture)
        return <PictureInput named={named} isSaved={shown.etag !== ''} path={path} prefix={prefix} />;
      if (field.rows) return <TextArea {...named} rows={field.rows} className={own.wide} spellCheck />;
      return <TextInput {...named} type="text" />;
  }
}

interface PictureInputProps {
  named: { id: string; name: string; label: string; defaultValue: string; error?: string | undefined };
  /** The record is stored, so another page can change it. */
  isSaved: boolean;
  path: string;
  prefix: string | undefined;
}

const CHOOSE = 'Save, then choose or upload a picture';

/** Renders the address of a picture, the picture, and the way to the other ones. */
function PictureInput({ named, isSaved, path, prefix }: PictureInputProps) {
  const { defaultValue: image } = named;
  // A picture that is refused, for example because it is still being prepared, has no file to show.
  const file = isUpload(image) ? `${image}-320.webp` : pictureAt(image);
  const address = named.error ? null : file;
  return (
    <div className={classNames(own.wide, media.field)}>
      <TextInput {...named} type="text" />
      <div className={media.preview}>
        {address && <img src={address} alt="" width={96} height={72} loading="lazy" />}
        {isSaved ? (
          <button
            className={classNames(rows.change, own.button)}
            name={INTENT}
            value={`choose:${path}`}
            aria-label={prefix && `${CHOOSE}: ${prefix}`}
          >
            {CHOOSE}
          </button>
        ) : (
          <p className={own.hint}>
            <a href={MEDIA_PATH} target="_blank" rel="noopener">
              Pictures
              <NewTab />
            </a>
          </p>
        )}
      </div>
    </div>
  );
}

const ROWS = { text: 12, lines: 4, table: 10 } as const;
/** Browsers show nothing in place of a value that is none of their type. */
const DAY = /^\d{4}-\d\d-\d\d$/;
const MINUTE = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

function choicesOf(field: Field, value: string): readonly (readonly [string, string])[] {
  if (field.widget === 'yesNo') return YES_NO;
  const choices = field.choices ?? [];
  return choices.some(([known]) => known === value) ? choices : [['', 'Choose'], ...choices];
}

const YES_NO = [
  ['yes', 'Yes'],
  ['no', 'No'],
] as const;

/** Returns the hint, with the limit. */
export function hintOf({ widget, hint = '', charactersMax, columns }: Field): string | undefined {
  const most = charactersMax && `at most ${charactersMax.toString().replace(/\B(?=(?:\d{3})+$)/g, ',')} characters`;
  const sentence = (text: string) => text && `${text[0]?.toUpperCase()}${text.slice(1)}.`;
  if (widget === 'table') {
    const parts = (columns ?? []).map(({ label, isList }) => (isList ? `${label}, separated by ;` : label));
    return `One per line: ${parts.join(' | ')}`;
  }
  if (widget === 'lines' && !hint.includes('per line')) {
    return [hint, sentence(['one per line', most && `each ${most}`].filter(Boolean).join(', '))]
      .filter(Boolean)
      .join(' ');
  }
  return [hint, sentence(most || '')].filter(Boolean).join(' ') || undefined;
}
