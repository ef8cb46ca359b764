/**
 * Checks structured data against schema.org's own vocabulary, read from the generated type declarations of schema-dts.
 * Every type must exist, every property must belong to its type, and every value must be of a kind that the property
 * accepts.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

interface Vocabulary {
  /** Name of an interface to the interfaces that it extends. */
  parents: Map<string, string[]>;
  /** Name of an interface to its own properties, each with the kinds of values it accepts. */
  properties: Map<string, Map<string, string[]>>;
  /** Name of a class or data type to its members: leaf, subclasses, literals. */
  unions: Map<string, string[]>;
}

const vocabulary = readVocabulary();

/** Returns a sentence for each problem of an object and of the objects in it. Empty if there are none. */
export function schemaOrgProblems(value: object, path = ''): string[] {
  if (path === '' && (value as Record<string, unknown>)['@context'] !== 'https://schema.org')
    return ['@context is not https://schema.org'];
  return problemsOfObject(value as Record<string, unknown>, path);
}

function problemsOfObject(value: Record<string, unknown>, path: string): string[] {
  const types = [value['@type'] ?? []].flat() as string[];
  const unknown = types.filter((type) => !vocabulary.parents.has(`${type}Leaf`));
  if (types.length === 0 || unknown.length > 0)
    return [`${path || 'the object'}: no such type ${unknown.join(', ') || '(none)'}`];
  const allowed = new Map(types.flatMap((type) => [...propertiesOf(`${type}Leaf`)]));
  return Object.entries(value).flatMap(([name, content]) => {
    if (name.startsWith('@')) return [];
    const range = allowed.get(name);
    const here = `${path}${types.join('+')}.${name}`;
    if (!range) return [`${here}: not a property of this type`];
    return [content].flat().flatMap((entry) => problemsOfValue(entry, range, here));
  });
}

function problemsOfValue(value: unknown, range: string[], here: string): string[] {
  if (typeof value === 'object' && value !== null) {
    const entry = value as Record<string, unknown>;
    if (!('@type' in entry)) return '@id' in entry ? [] : [`${here}: an object without @type`];
    const types = [entry['@type']].flat() as string[];
    const fits = types.some((type) => range.some((kind) => contains(kind, `${type}Leaf`)));
    return [
      ...(fits ? [] : [`${here}: takes ${range.join(' or ')}, not ${types.join('+')}`]),
      ...problemsOfObject(entry, `${here}: `),
    ];
  }
  return range.some((kind) => takes(kind, value))
    ? []
    : [`${here}: takes ${range.join(' or ')}, not ${JSON.stringify(value)}`];
}

const FORMATS: Record<string, RegExp> = {
  // ISO 8601. Month and day may be omitted.
  Date: /^\d{4}(-\d\d(-\d\d)?)?$/,
  DateTime: /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/,
  Time: /^\d\d:\d\d(:\d\d)?$/,
  URL: /^https?:\/\/\S+$/,
};

function takes(kind: string, value: unknown): boolean {
  const format = FORMATS[kind];
  if (format) return typeof value === 'string' && format.test(value);
  if (kind === 'Text') return typeof value === 'string' && value.trim() !== '';
  if (kind === 'Number' || kind === 'Integer' || kind === 'Float')
    return typeof value === 'number' && Number.isFinite(value);
  if (kind === 'Boolean') return typeof value === 'boolean';
  // A thing may be referenced by its URL. Any other text must be a member of an enumeration.
  if (kind === 'IdReference') return typeof value === 'string' && /^https?:\/\/\S+$/.test(value);
  return typeof value === 'string' && contains(kind, JSON.stringify(value));
}

function contains(kind: string, wanted: string, seen = new Set<string>()): boolean {
  if (kind === wanted) return true;
  if (seen.has(kind)) return false;
  seen.add(kind);
  return (vocabulary.unions.get(kind) ?? []).some((part) => contains(part, wanted, seen));
}

function propertiesOf(name: string): Map<string, string[]> {
  const inherited = (vocabulary.parents.get(name) ?? []).flatMap((parent) => [...propertiesOf(parent)]);
  return new Map([...inherited, ...(vocabulary.properties.get(name) ?? [])]);
}

function readVocabulary(): Vocabulary {
  const entry = createRequire(import.meta.url).resolve('schema-dts');
  const text = readFileSync(join(dirname(entry), 'schema.d.ts'), 'utf8');
  const parents: Vocabulary['parents'] = new Map();
  const properties: Vocabulary['properties'] = new Map();
  for (const [, name = '', extended = '', body = ''] of text.matchAll(
    /^(?:export )?interface (\w+)(?: extends ([^{]+))? \{\n(.*?)^\}/gms,
  )) {
    parents.set(
      name,
      extended
        .split(/,\s*/)
        .map((parent) => parent.trim())
        .filter(Boolean),
    );
    const own = [...body.matchAll(/^\s*"(\w+)"\??: SchemaValue<(.*?), "\w+">;/gm)];
    properties.set(name, new Map(own.map(([, property = '', range = '']) => [property, partsOf(range)])));
  }
  const unions = [...text.matchAll(/^export type (\w+)(?:<[^>]*>)? = ([^;{]+);/gm)];
  return { parents, properties, unions: new Map(unions.map(([, name = '', union = '']) => [name, partsOf(union)])) };
}

function partsOf(union: string): string[] {
  return union.split('|').map((part) => part.trim());
}
