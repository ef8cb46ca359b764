/** Readable differences between two bodies of a record. */
import { type Body, type Values, canonical, keptRows, nameIn, restOf, valuesOf } from './body.ts';
import { type Field, type Form, type Group, partsOf } from './declaration.ts';

export interface Difference {
  label: string;
  /** Empty: there was nothing. */
  before: string;
  after: string;
}

/** A value of the form in words. */
export interface Piece {
  label: string;
  text: string;
  /** Each line is an entry of a list. */
  isList: boolean;
}

/** Characters around a change in a long text. */
const AROUND = 40;
const LINE_CHARACTERS_MAX = 160;

/** Returns what a body has, in the order of the form. Values that the form can't show are left out. */
export function piecesOf(form: Form, body: Body): Piece[] {
  const values = valuesOf(form, body);
  return partsOf(form).flatMap((part): Piece[] => {
    if (part.kind === 'field') return [pieceOf(part, part.label, values[part.path] ?? '')];
    const rows = keptRows(part, values).map((index) => rowText(part, index, values));
    if (!part.fixed) return [{ label: part.label, text: rows.join('\n'), isList: true }];
    const given = (part.path in body ? body[part.path] : []) as Body[];
    return rows.map((text, index) => ({ label: rowLabel(part, given[index], index), text, isList: false }));
  });
}

function pieceOf(field: Field, label: string, value: string): Piece {
  const isList = field.widget === 'lines' || field.widget === 'table';
  return { label, text: textOf(field, value), isList };
}

export function textOf({ widget, choices }: Field, value: string): string {
  if (widget === 'yesNo') return value === 'yes' ? 'Yes' : 'No';
  if (widget === 'choice') return choices?.find(([known]) => known === value)?.[1] ?? value;
  return widget === 'instant' ? value.replace('T', ' ') : value;
}

function rowText(group: Group, index: number, values: Values): string {
  const texts = group.fields.map((field) => textOf(field, values[nameIn(group, index, field)] ?? ''));
  return texts.filter(Boolean).join(' · ').replaceAll('\n', ', ');
}

/** Returns the name of a row: that of its key if the rows are fixed, else its number. */
export function rowLabel(group: Group, row: Body | undefined, index: number): string {
  if (!group.fixed) return `${group.row} ${index + 1}`;
  const key = String(row?.[group.fixed.key] ?? index + 1);
  return `${group.label}: ${group.fixed.labels[key] ?? key}`;
}

/** Returns how `after` differs from `before`, in the order of the form. */
export function differencesOf(form: Form, before: Body, after: Body): Difference[] {
  const [old, present] = [piecesOf(form, before), piecesOf(form, after)];
  const labels = [...new Set([...old, ...present].map(({ label }) => label))];
  const found = labels.flatMap((label): Difference[] => {
    const one = old.find((piece) => piece.label === label);
    const other = present.find((piece) => piece.label === label);
    if ((one?.text ?? '') === (other?.text ?? '')) return [];
    const isList = (one ?? other)?.isList ?? false;
    const compare = isList ? changedLines : changedText;
    return [{ label, ...compare(one?.text ?? '', other?.text ?? '') }];
  });
  const isOther = canonical(restOf(form, before)) !== canonical(restOf(form, after));
  return isOther ? [...found, { label: 'Other fields', before: '', after: 'Changed' }] : found;
}

/** Returns the changed part of a text, with a little of what surrounds it. */
function changedText(before: string, after: string): Omit<Difference, 'label'> {
  if (before.length + after.length <= LINE_CHARACTERS_MAX * 2) return { before, after };
  const [old, present] = [[...before], [...after]];
  const shorter = Math.min(old.length, present.length);
  let start = 0;
  while (start < shorter && old[start] === present[start]) start++;
  let end = 0;
  while (end < shorter - start && old[old.length - 1 - end] === present[present.length - 1 - end]) end++;
  const from = start > AROUND ? start - AROUND : 0;
  const excerpt = (text: string[]) => {
    const to = Math.min(text.length, text.length - end + AROUND);
    const part = text.slice(from, Math.min(to, from + LINE_CHARACTERS_MAX * 4)).join('');
    return `${from > 0 ? '…' : ''}${part}${to < text.length || to > from + LINE_CHARACTERS_MAX * 4 ? '…' : ''}`;
  };
  return { before: excerpt(old), after: excerpt(present) };
}

/** Returns the lines that went and those that came. */
function changedLines(before: string, after: string): Omit<Difference, 'label'> {
  const [old, present] = [before.split('\n').filter(Boolean), after.split('\n').filter(Boolean)];
  const gone = old.filter((line) => !present.includes(line));
  const come = present.filter((line) => !old.includes(line));
  if (gone.length === 0 && come.length === 0) return { before: '', after: 'In another order' };
  if (gone.length === 1 && come.length === 1) return changedText(gone[0] as string, come[0] as string);
  const cut = (line: string) => (line.length > LINE_CHARACTERS_MAX ? `${line.slice(0, LINE_CHARACTERS_MAX)}…` : line);
  return { before: gone.map(cut).join('\n'), after: come.map(cut).join('\n') };
}
