/** Declarations of the forms of records: one per kind. Page, API body and differences are derived from them. */

/**
 * `line`: one line. `text`: text with paragraphs. `lines`: a list, one entry per line. `whole`, `decimal`: numbers.
 * `yesNo`: a boolean. `choice`: one of `choices`. `day`: a date. `instant`: a date and time in India. `table`: rows with
 * `columns`, one per line.
 */
export type Widget = 'line' | 'text' | 'lines' | 'whole' | 'decimal' | 'yesNo' | 'choice' | 'day' | 'instant' | 'table';

export interface Field {
  kind: 'field';
  /** Path in the body, such as `cost.insurance`. Within a group: the name of the column. */
  path: string;
  label: string;
  widget: Widget;
  /** Limit of the service in code points; for `lines`, of each line. */
  charactersMax?: number;
  hint?: string;
  /** Left out of the body if empty. */
  isOptional?: boolean;
  /** Value of an absent boolean. */
  absent?: boolean;
  choices?: readonly (readonly [value: string, label: string])[];
  columns?: readonly Column[];
  rows?: number;
  /** A text of Markdown or HTML, which the form shows as visitors see it. */
  isRendered?: boolean;
  /** A line with the address of a picture. */
  isPicture?: boolean;
}

/** Column of a table. The entries of a list are separated by `; `. */
export interface Column {
  path: string;
  label: string;
  isList?: boolean;
}

export interface Group {
  kind: 'group';
  path: string;
  label: string;
  /** One row: `Question`. */
  row: string;
  hint?: string;
  fields: readonly Field[];
  /** Left out of the body if there are no rows. */
  isOptional?: boolean;
  /** Key whose values name the rows, of which there are no more and no fewer. */
  fixed?: { key: string; labels: Readonly<Record<string, string>> };
}

export type Part = Field | Group;

export interface Form {
  kind: string;
  /** Field that is the record's id. It can't be changed. Null for single records. */
  key: string | null;
  /** Field that the id is made of if none is given. */
  title: string;
  sections: readonly { title: string; parts: readonly Part[] }[];
}

export function defineForm(form: Form): Form {
  return form;
}

type Options = Partial<Omit<Field, 'kind' | 'path' | 'label' | 'widget'>>;

const field =
  (widget: Widget) =>
  (path: string, label: string, charactersMax?: number, options: Options = {}): Field => ({
    kind: 'field',
    path,
    label,
    widget,
    ...(charactersMax !== undefined && { charactersMax }),
    ...options,
  });

export const line = field('line');
export const text = field('text');
export const lines = field('lines');

const plain =
  (widget: Widget) =>
  (path: string, label: string, options: Options = {}): Field =>
    field(widget)(path, label, undefined, options);

export const whole = plain('whole');
export const decimal = plain('decimal');
export const yesNo = plain('yesNo');
export const day = plain('day');
export const instant = plain('instant');

export function choice(path: string, label: string, choices: Field['choices'], options: Options = {}): Field {
  return { kind: 'field', path, label, widget: 'choice', choices, ...options };
}

export function table(path: string, label: string, columns: readonly Column[], options: Options = {}): Field {
  return { kind: 'field', path, label, widget: 'table', columns, ...options };
}

export const picture = (path: string, label: string, options: Options = {}): Field =>
  line(path, label, undefined, {
    hint: 'Address of a picture on this site. Choose one below, or keep a drawing such as /images/doctors/name.svg.',
    isPicture: true,
    ...options,
  });

/** Returns the parts of a path in the body such as `sections[0].image`; null if it is not in a row. */
export function rowPath(path: string): { group: string; index: number; column: string } | null {
  const [, group, index, column] = /^(\w+)\[(\d{1,2})\]\.(\w+)$/.exec(path) ?? [];
  return group && column ? { group, index: Number(index), column } : null;
}

/** Returns the field of a form with the address of a picture, by its path in the body; undefined if there is none. */
export function pictureField(form: Form, path: string): Field | undefined {
  const place = rowPath(path);
  if (!place) {
    return partsOf(form).find((part): part is Field => part.kind === 'field' && !!part.isPicture && part.path === path);
  }
  const group = partsOf(form).find((part): part is Group => part.kind === 'group' && part.path === place.group);
  const field = group?.fields.find((one) => one.isPicture && one.path === place.column);
  return group && field && { ...field, path, label: `${group.row} ${place.index + 1}: ${field.label}` };
}

export function rowsOf(
  path: string,
  label: string,
  row: string,
  fields: readonly Field[],
  options: Pick<Group, 'hint' | 'isOptional'> = {},
): Group {
  return { kind: 'group', path, label, row, fields, ...options };
}

export function fixedRows(
  path: string,
  label: string,
  fixed: NonNullable<Group['fixed']>,
  fields: readonly Field[],
): Group {
  return { kind: 'group', path, label, row: '', fields, fixed };
}

/** Id and address of a new record. */
export const idField = (path: string, example: string, hint = ''): Field =>
  line(path, path === 'id' ? 'Id' : 'Address', undefined, {
    hint: `Lower-case letters and digits, joined by hyphens, such as ${example}. Can’t be changed later.${hint}`,
  });

export function partsOf(form: Form): readonly Part[] {
  return form.sections.flatMap(({ parts }) => parts);
}

/** Returns the form of an existing record, whose id can't be changed. */
export function withoutKey(form: Form): Form {
  const sections = form.sections.map(({ title, parts }) => ({
    title,
    parts: parts.filter(({ path }) => path !== form.key),
  }));
  return { ...form, sections };
}
