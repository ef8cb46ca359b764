#!/usr/bin/env node
/**
 * Generates the typed client from openapi.json: one file per operation with its call, and types.ts with their messages.
 * `node generate.mjs [description]` also replaces openapi.json with the given description, if any.
 * `node generate.mjs --check` writes nothing. It fails and lists the files if any are stale.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = dirname(fileURLToPath(import.meta.url));
const HEADER = '// Generated from openapi.json by generate.mjs; do not edit.';
const DESCRIPTION = join(HERE, 'openapi.json');
const TARGET = join(HERE, 'src/generated');

/**
 * Returns file contents by file name: one file per operation, and the types of them all.
 * Skips operations whose success response is not JSON, because `call` cannot read them.
 */
export function generate(description) {
  const files = new Map();
  const types = new TypeWriter(description);
  for (const [template, methods] of Object.entries(description.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (!operation.operationId || !answersJson(operation)) continue;
      // `BookingService_CreateAppointment` and `CreateAppointment` both become `createAppointment`.
      const pascal = operation.operationId.split(/[._/]/).pop();
      const name = pascal[0].toLowerCase() + pascal.slice(1);
      const file = `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`;
      if (files.has(file)) throw new Error(`two operations are called ${name}`);
      files.set(file, operationFile({ types, template, method: method.toUpperCase(), operation, name }));
    }
  }
  return files.set('types.ts', types.file());
}

function answersJson(operation) {
  const content = successOf(operation)?.content;
  return !content || 'application/json' in content;
}

function successOf({ responses }) {
  return Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
}

function operationFile({ types, template, method, operation, name }) {
  const parameters = operation.parameters ?? [];
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  // `call` adds the language of the page.
  const inQuery = parameters.filter(({ in: place, name: given }) => place === 'query' && given !== 'lang');
  const bodySchema = operation.requestBody?.content?.['application/json']?.schema;
  const answer = types.of(successOf(operation)?.content?.['application/json']?.schema, 'read');
  const body = bodySchema && types.of(bodySchema, 'write');
  const queryType = `${name[0].toUpperCase()}${name.slice(1)}Query`;
  // Operations that accept an idempotency key require one here, even where the contract makes it optional.
  const isKeyed = parameters.some(({ in: place, name: header }) => place === 'header' && header === 'Idempotency-Key');
  const optionsType = isKeyed ? 'KeyedCallOptions' : 'CallOptions';
  const given = [
    ...inPath.map((parameter) => `${parameter.name}: string`),
    ...(inQuery.length ? [`query: ${queryType}`] : []),
    ...(body ? [`body: ${body}`] : []),
    isKeyed ? `options: ${optionsType}` : `options: ${optionsType} = {}`,
  ];
  const passed = [
    `method: '${method}'`,
    `template: '${template}'`,
    ...(inPath.length ? [`params: { ${inPath.map((parameter) => parameter.name).join(', ')} }`] : []),
    ...(inQuery.length ? ['query'] : []),
    ...(body ? ['body'] : []),
    ...(operation['x-rate-exempt'] ? ['isRateExempt: true'] : []),
    '...options',
  ];
  const imported = types.namesIn(`${answer} ${body}`);
  return [
    HEADER,
    `import { call, type ${optionsType} } from '../call.ts';`,
    ...(imported.length ? [`import type { ${imported.join(', ')} } from './types.ts';`] : []),
    '',
    ...(inQuery.length ? [queryInterface(queryType, inQuery, types), ''] : []),
    ...comment(operation.description ?? operation.summary, ''),
    `export function ${name}(${given.join(', ')}): Promise<${answer}> {`,
    `  return call({ ${passed.join(', ')} });`,
    '}',
    '',
  ].join('\n');
}

function queryInterface(name, parameters, types) {
  const lines = parameters.flatMap((parameter) => [
    ...comment(parameter.description, '  '),
    `  ${property(parameter.name)}${parameter.required ? '' : '?'}: ${types.of(parameter.schema, 'write')};`,
  ]);
  return [`export interface ${name} {`, ...lines, '}'].join('\n');
}

/**
 * Collects the types that operations name. Request fields are optional unless the contract requires them. Response
 * fields are always present, except optional ones whose description in the contract contains `Absent`.
 */
class TypeWriter {
  /** `{ origin, text }` by name: the schema with its use, and the declaration. */
  #types = new Map();

  constructor(description) {
    this.schemas = description.components?.schemas ?? {};
  }

  of(schema, use) {
    if (!schema) return 'void';
    if (schema.$ref) return this.#named(schema.$ref.split('/').pop(), use);
    if (schema.const !== undefined) return typeof schema.const;
    // An enum with an empty value is a form's choice: any text until the service validates it.
    // The values of other enums are part of the contract.
    if (schema.enum?.includes('')) return 'string';
    if (schema.enum) return schema.enum.map((value) => `'${value}'`).join(' | ');
    // In a request `null` means "absent". A number may also be a string, as forms send it; the client sends numbers.
    const parts = schema.allOf ?? schema.anyOf ?? schema.oneOf;
    const single = use === 'write' ? parts?.filter((part) => part.type !== 'null') : parts;
    if (single) return [...new Set(single.map((part) => this.of(part, use)))].join(schema.allOf ? ' & ' : ' | ');
    const isNumeric = schema.type?.includes('number') || schema.type?.includes('integer');
    const absent = isNumeric ? ['null', 'string'] : ['null'];
    const types = Array.isArray(schema.type)
      ? schema.type.filter((type) => use === 'read' || !absent.includes(type))
      : undefined;
    if (types) return types.map((type) => this.of({ ...schema, type }, use)).join(' | ');
    if (schema.type === 'array') return arrayOf(this.of(schema.items, use));
    if (schema.type === 'object') return schema.properties ? this.#inline(schema, use) : 'Record<string, unknown>';
    return (
      { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' }[schema.type] ??
      'unknown'
    );
  }

  /** Returns the declared names that occur in the text of a type. */
  namesIn(type) {
    return [...new Set(type.match(/\w+/g))].filter((word) => this.#types.has(word)).sort();
  }

  file() {
    const names = [...this.#types.keys()].sort();
    return [HEADER, ...names.map((name) => `\n${this.#types.get(name).text}`), ''].join('\n');
  }

  #named(schemaName, use) {
    const schema = this.schemas[schemaName];
    if (!schema) throw new Error(`no schema ${schemaName}`);
    if (schema.type !== 'object') return this.of(schema, use);
    const plain = schemaName.split('.').pop();
    // Request types get a separate name: only the fields that the contract requires are required.
    const name = use === 'write' && !plain.endsWith('Input') ? `${plain}Input` : plain;
    const origin = `${schemaName} (${use})`;
    const known = this.#types.get(name);
    if (known?.origin === origin) return name;
    if (known) throw new Error(`two types are called ${name}: ${known.origin}, ${origin}`);
    const type = { origin, text: `export type ${name} = Record<string, never>;` };
    this.#types.set(name, type);
    if (Object.values(schema.properties ?? {}).some((value) => use === 'read' || !value.readOnly)) {
      const lines = [...comment(schema.description, ''), `export interface ${name} ${this.#inline(schema, use)}`];
      type.text = lines.join('\n');
    }
    return name;
  }

  #inline(schema, use) {
    const lines = Object.entries(schema.properties ?? {})
      .filter(([, value]) => !(use === 'write' && value.readOnly))
      .flatMap(([name, value]) => {
        const mayLack = use === 'write' || /\bAbsent\b/.test(value.description ?? '');
        const optional = mayLack && !schema.required?.includes(name);
        return [
          ...comment(value.description, '  '),
          `  ${property(name)}${optional ? '?' : ''}: ${this.of(value, use)};`,
        ];
      });
    return `{\n${lines.join('\n')}\n}`;
  }
}

function arrayOf(type) {
  return /[|&{ ]/.test(type) ? `(${type})[]` : `${type}[]`;
}

function property(name) {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function comment(text, indent) {
  if (!text) return [];
  const lines = text
    .trim()
    .replaceAll('*/', '* /')
    .split('\n')
    .map((line) => line.trim());
  if (lines.length === 1) return [`${indent}/** ${lines[0]} */`];
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`];
}

/** Returns names of files that are missing, outdated or no longer generated from openapi.json. */
export function staleFiles() {
  const wanted = generate(JSON.parse(readFileSync(DESCRIPTION, 'utf8')));
  const present = readdirSync(TARGET);
  const names = new Set([...wanted.keys(), ...present]);
  return [...names].filter(
    (name) => !present.includes(name) || readFileSync(join(TARGET, name), 'utf8') !== wanted.get(name),
  );
}

function main() {
  if (process.argv.includes('--check')) {
    const stale = staleFiles();
    if (stale.length) throw new Error(`stale, run \`npm run generate:api\`: ${stale.join(', ')}`);
    return;
  }
  const [given] = process.argv.slice(2);
  const description = JSON.parse(readFileSync(given ?? DESCRIPTION, 'utf8'));
  const files = generate(description);
  if (given) writeFileSync(DESCRIPTION, `${JSON.stringify(description, null, 2)}\n`);
  rmSync(TARGET, { recursive: true, force: true });
  mkdirSync(TARGET, { recursive: true });
  for (const [name, content] of files) writeFileSync(join(TARGET, name), content);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
