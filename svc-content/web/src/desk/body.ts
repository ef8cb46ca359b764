/** Conversions between the body of a record and the fields of its form. */
import type { FormFields } from '@hospital/page';
import { type Column, type Field, type Form, type Group, partsOf, rowPath } from './declaration.ts';

export type Body = { [key: string]: unknown };

/** What the form shows, by path in the body: `faqs[0].answer`. */
export type Values = Readonly<Record<string, string>>;

/** Prefix of the names of fields: the API names a refused field the same. */
export const BODY = 'body.';
/** Rows that a form can show. */
const ROWS_MAX = 60;

export interface Violation {
  /** Path in the body. */
  path: string;
  message: string;
}

const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

/** Returns the value at a dotted path. */
function at(body: Body, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), body);
}

/** Returns whether the form can show the value without loss. */
function fits(field: Field, value: unknown): boolean {
  switch (field.widget) {
    case 'whole':
    case 'decimal':
      return typeof value === 'number';
    case 'yesNo':
      return typeof value === 'boolean';
    case 'choice':
      return field.choices?.some(([known]) => known === String(value)) ?? false;
    case 'lines':
      return isTexts(value) && value.every((line) => !line.includes('\n'));
    case 'instant':
      return isText(value) && INSTANT.test(value);
    case 'table':
      return Array.isArray(value) && value.every((row) => isObject(row) && rowText(field.columns ?? [], row) !== null);
    case 'line':
    case 'text':
    case 'day':
      return isText(value);
  }
}

/** A time of India, with or without seconds. */
const INSTANT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d)?\+05:30$/;

/** Returns a row of a table as one line; null if it can't be one. */
function rowText(columns: readonly Column[], row: Body): string | null {
  const cells = columns.map(({ path, isList }) => {
    const value = row[path];
    if (isList) return isTexts(value) && value.every((one) => !/[;|\n]/.test(one)) ? value.join('; ') : null;
    return isText(value) && !/[|\n]/.test(value) ? value : null;
  });
  return cells.includes(null) ? null : cells.join(' | ');
}

function shown(field: Field, value: unknown): string {
  if (!fits(field, value)) return field.widget === 'yesNo' ? yesOrNo(field.absent ?? false) : '';
  switch (field.widget) {
    case 'yesNo':
      return yesOrNo(value as boolean);
    case 'lines':
      return (value as string[]).join('\n');
    case 'instant': {
      const [, minute = '', seconds = ''] = INSTANT.exec(value as string) ?? [];
      return minute + (seconds === ':00' ? '' : seconds);
    }
    case 'table':
      return (value as Body[]).map((row) => rowText(field.columns ?? [], row)).join('\n');
    case 'line':
    case 'text':
    case 'day':
    case 'choice':
    case 'whole':
    case 'decimal':
      return String(value);
  }
}

const yesOrNo = (value: boolean) => (value ? 'yes' : 'no');

/** Returns what the form shows of a body. */
export function valuesOf(form: Form, body: Body): Values {
  const values: Record<string, string> = {};
  for (const part of partsOf(form)) {
    if (part.kind === 'field') values[part.path] = shown(part, at(body, part.path));
    else {
      rowsIn(part, body).forEach((row, index) => {
        for (const field of part.fields) values[nameIn(part, index, field)] = shown(field, row[field.path]);
      });
    }
  }
  return values;
}

function rowsIn(group: Group, body: Body): Body[] {
  const rows = at(body, group.path);
  return Array.isArray(rows) && rows.every(isObject) ? rows : [];
}

export function nameIn(group: Group, index: number, field: Field): string {
  return `${group.path}[${index}].${field.path}`;
}

/** Returns what was typed. */
export function valuesFrom(form: Form, posted: FormFields): Values {
  const values: Record<string, string> = {};
  const read = (path: string, field: Field) => {
    const typed = posted[BODY + path]?.at(-1);
    if (typed !== undefined) values[path] = cleaned(field, typed);
  };
  for (const part of partsOf(form)) {
    if (part.kind === 'field') read(part.path, part);
    else {
      for (let index = 0; index < ROWS_MAX; index++)
        for (const field of part.fields) read(nameIn(part, index, field), field);
    }
  }
  return values;
}

function cleaned({ widget }: Field, typed: string): string {
  if (widget === 'text') return typed.replace(/\r\n?/g, '\n');
  if (widget !== 'lines' && widget !== 'table') return typed.replace(/\s*[\r\n]+\s*/g, ' ').trim();
  return linesOf(typed).join('\n');
}

function linesOf(text: string): string[] {
  return text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter(Boolean);
}

/** Returns the number of rows of a group with something in them, or before such a row. */
export function rowCount(group: Group, values: Values): number {
  const isShown = (index: number) => group.fields.some((field) => values[nameIn(group, index, field)] !== undefined);
  let count = 0;
  for (let index = 0; index < ROWS_MAX && isShown(index); index++) {
    if (!isEmptyRow(group, index, values)) count = index + 1;
  }
  return count;
}

function isEmptyRow(group: Group, index: number, values: Values): boolean {
  return group.fields.every((field) => !values[nameIn(group, index, field)]);
}

/** Returns the indices of the rows that the body gets, in order. Rows left empty are removed. */
export function keptRows(group: Group, values: Values): number[] {
  const indices = Array.from({ length: rowCount(group, values) }, (_, index) => index);
  return group.fixed ? indices : indices.filter((index) => !isEmptyRow(group, index, values));
}

/** Returns what the form does not show: fields of a newer service, and the keys of fixed rows. */
export function restOf(form: Form, body: Body): Body {
  const parts = partsOf(form);
  const walk = (object: Body, prefix: string): Body => {
    const rest: Body = {};
    for (const [key, value] of Object.entries(object)) {
      const path = prefix + key;
      const part = parts.find((one) => one.path === path);
      if (part?.kind === 'field' && fits(part, value)) {
        const rows = part.widget === 'table' ? tableRest(part.columns ?? [], value as Body[]) : null;
        if (rows) rest[key] = rows;
        // An empty list is not the same as none.
        else if (part.isOptional && Array.isArray(value) && value.length === 0) rest[key] = [];
      } else if (part?.kind === 'group' && rowsIn(part, { [part.path]: value, ...body }).length > 0) {
        const rows = (value as Body[]).map((row) => rowRest(part.fields, row));
        if (rows.some((row) => Object.keys(row).length > 0)) rest[key] = rows;
      } else if (isObject(value) && parts.some((one) => one.path.startsWith(`${path}.`))) {
        const inner = walk(value, `${path}.`);
        if (Object.keys(inner).length > 0) rest[key] = inner;
      } else rest[key] = value;
    }
    return rest;
  };
  return walk(body, '');
}

function rowRest(fields: readonly Field[], row: Body): Body {
  const isShown = (key: string) => fields.some((field) => field.path === key && fits(field, row[key]));
  return Object.fromEntries(Object.entries(row).filter(([key]) => !isShown(key)));
}

/** Returns what a table does not show, by the row's line; null if it shows all. Rows may be moved. */
function tableRest(columns: readonly Column[], rows: readonly Body[]): Body | null {
  const rest: Body = {};
  for (const row of rows) {
    const unknown = Object.entries(row).filter(([key]) => !columns.some(({ path }) => path === key));
    if (unknown.length > 0) rest[String(row[columns[0]?.path ?? ''])] = Object.fromEntries(unknown);
  }
  return Object.keys(rest).length > 0 ? rest : null;
}

/** Returns the body of a form. `violations` are fields whose text is no value of their type. */
export function bodyOf(form: Form, values: Values, rest: Body): { body: Body; violations: Violation[] } {
  const body = copied(rest) as Body;
  const violations: Violation[] = [];
  for (const part of partsOf(form)) {
    if (part.kind === 'field') {
      const kept = at(rest, part.path);
      if (kept !== undefined && !isEmptyList(kept) && !(part.widget === 'table' && isObject(kept))) continue;
      const value = valueOf(part, part.path, values[part.path], violations, isObject(kept) ? kept : {});
      if (value !== undefined) set(body, part.path, value);
      continue;
    }
    const kept = at(rest, part.path);
    if (kept !== undefined && !(Array.isArray(kept) && kept.every(isObject))) continue;
    const rows = keptRows(part, values).map((index) => {
      const row: Body = { ...((kept as Body[] | undefined)?.[index] ?? {}) };
      for (const field of part.fields) {
        if (row[field.path] !== undefined) continue;
        const path = nameIn(part, index, field);
        const value = valueOf(field, path, values[path], violations, {}, ` (${part.row} ${index + 1})`);
        if (value !== undefined) row[field.path] = value;
      }
      return row;
    });
    if (rows.length > 0 || kept !== undefined || !part.isOptional) set(body, part.path, rows);
  }
  return { body, violations };
}

function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copied(inner)]));
}

function set(body: Body, path: string, value: unknown): void {
  const keys = path.split('.');
  const last = keys.pop() as string;
  let object = body;
  for (const key of keys) {
    if (!isObject(object[key])) object[key] = {};
    object = object[key] as Body;
  }
  object[last] = value;
}

const WHOLE = /^-?\d{1,9}$/;
const DECIMAL = /^-?\d{1,9}(\.\d{1,12})?$/;
const MINUTE = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/;

function valueOf(field: Field, path: string, typed = '', violations: Violation[], rest: Body, where = ''): unknown {
  const { widget, label, isOptional } = field;
  const refuse = (message: string) => void violations.push({ path, message: `${label}${where}: ${message}` });
  switch (widget) {
    case 'whole':
    case 'decimal': {
      if (!typed) return undefined;
      if ((widget === 'whole' ? WHOLE : DECIMAL).test(typed)) return Number(typed);
      return refuse(widget === 'whole' ? 'enter digits only, such as 800' : 'enter a number, such as 12.9249');
    }
    case 'yesNo':
      return isOptional && (typed || yesOrNo(field.absent ?? false)) === yesOrNo(field.absent ?? false)
        ? undefined
        : typed === 'yes';
    case 'choice':
      if (!typed && isOptional) return undefined;
      return typed && field.choices?.every(([value]) => WHOLE.test(value)) ? Number(typed) : typed;
    case 'lines':
      return typed || !isOptional ? linesOf(typed) : undefined;
    case 'instant':
      if (MINUTE.test(typed)) return `${typed}${typed.length === 16 ? ':00' : ''}+05:30`;
      if (typed) return refuse('enter a date and a time, such as 2026-12-05T09:00');
      return isOptional ? undefined : '';
    case 'table':
      return linesOf(typed).map((line, index) => tableRow(field, line, index, rest, refuse));
    case 'line':
    case 'text':
    case 'day':
      return typed || !isOptional ? typed : undefined;
  }
}

function tableRow(field: Field, line: string, index: number, rest: Body, refuse: (message: string) => void): Body {
  const columns = field.columns ?? [];
  const cells = line.split('|').map((cell) => cell.trim());
  if (cells.length !== columns.length) {
    const parts = columns.map(({ label }) => label).join(' | ');
    refuse(`line ${index + 1} needs ${columns.length} parts (${parts}), but has ${cells.length}`);
  }
  const kept = rest[cells[0] ?? ''];
  const row: Body = isObject(kept) ? { ...kept } : {};
  columns.forEach(({ path, isList }, at) => {
    const cell = cells[at] ?? '';
    row[path] = isList ? linesOf(cell.replaceAll(';', '\n')) : cell;
  });
  return row;
}

/** Returns JSON with sorted keys: equal for equal bodies. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`;
}

/** Returns a short digest of a body, to notice whether a form has changed (FNV-1a and the length). */
export function digestOf(body: Body): string {
  const json = canonical(body);
  let hash = 0x811c9dc5;
  for (let index = 0; index < json.length; index++) hash = Math.imul(hash ^ json.charCodeAt(index), 0x01000193);
  return `${json.length}-${(hash >>> 0).toString(36)}`;
}

/** Returns the path of the body for a path of the form. An empty row comes after the others. */
export function bodyPath(form: Form, values: Values, path: string): string {
  const place = rowPath(path);
  const group = partsOf(form).find((part) => part.path === place?.group);
  if (!place || group?.kind !== 'group') return path;
  const kept = keptRows(group, values);
  const at = kept.indexOf(place.index);
  return `${place.group}[${at < 0 ? kept.length : at}].${place.column}`;
}

/** Returns the path of the form for a path of the body: rows that were left empty are not in the body. */
export function formPath(form: Form, values: Values, path: string): string {
  for (const part of partsOf(form)) {
    const [, index, rest] =
      /^(?:\[(\d+)\])(.*)$/.exec(path.startsWith(part.path) ? path.slice(part.path.length) : '') ?? [];
    if (index === undefined) continue;
    if (part.kind === 'field') return part.path;
    const column = part.fields.find((field) => rest === `.${field.path}` || rest?.startsWith(`.${field.path}[`));
    const row = keptRows(part, values)[Number(index)] ?? Number(index);
    return nameIn(part, row, column ?? (part.fields[0] as Field));
  }
  return path;
}
