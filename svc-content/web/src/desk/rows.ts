/** Rows of a record's form that are removed or moved by a button, with what was typed. */
import { type Body, type Values, nameIn, rowCount } from './body.ts';
import { type Form, type Group, partsOf } from './declaration.ts';

export type Step = 'up' | 'down' | 'remove';

const STEPS: readonly string[] = ['up', 'down', 'remove'] satisfies Step[];

/** Returns the value of a button: the intent `row`, and what it does to which row. */
export function rowIntent(group: Group, index: number, step: Step): string {
  return `row:${group.path}:${index}:${step}`;
}

interface Rows {
  values: Values;
  rest: Body;
  /** Path of the row after the step; empty if it is gone. */
  row: string;
}

/** Returns the form after a step, given as `faqs:1:up`. A step of a row that is not there changes nothing. */
export function stepped(form: Form, values: Values, rest: Body, wanted: string): Rows {
  const [path = '', at = '', step = ''] = wanted.split(':');
  const group = partsOf(form).find((part) => part.path === path);
  const index = /^\d{1,2}$/.test(at) ? Number(at) : -1;
  if (group?.kind !== 'group' || group.fixed || !STEPS.includes(step)) return { values, rest, row: '' };
  const count = rowCount(group, values);
  const order = Array.from({ length: count }, (_, one) => one);
  const target = step === 'up' ? index - 1 : index + 1;
  if (index < 0 || index >= count) return { values, rest, row: '' };
  if (step === 'remove') order.splice(index, 1);
  else if (target >= 0 && target < count) {
    order[index] = target;
    order[target] = index;
  }
  const row = step === 'remove' ? '' : `${path}[${order.indexOf(index)}]`;
  return { values: reordered(group, values, order), rest: keptIn(rest, path.split('.'), order), row };
}

function reordered(group: Group, values: Values, order: readonly number[]): Values {
  const others = Object.entries(values).filter(([path]) => !path.startsWith(`${group.path}[`));
  const rows = order.flatMap((from, to) =>
    group.fields.map((field) => [nameIn(group, to, field), values[nameIn(group, from, field)] ?? ''] as const),
  );
  return Object.fromEntries([...others, ...rows]);
}

/** Moves what the form does not show of each row along with it. */
function keptIn(rest: Body, [key = '', ...deeper]: readonly string[], order: readonly number[]): Body {
  const value = rest[key];
  if (deeper.length > 0) {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? { ...rest, [key]: keptIn(value as Body, deeper, order) } : rest;
  }
  if (!Array.isArray(value) || value.length === 0) return rest;
  return { ...rest, [key]: order.map((from) => (value as Body[])[from] ?? {}) };
}
