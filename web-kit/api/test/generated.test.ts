import { expect, it } from 'vitest';
import { generate, staleFiles } from '../generate.mjs';

it('has the operations of openapi.json', () => {
  expect(staleFiles(), 'run `npm run generate:api`').toEqual([]);
});

const DESCRIPTION = {
  paths: {
    '/things/{id}': {
      put: {
        operationId: 'ThingService_UpdateThing',
        description: 'Changes a thing.',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'notify', in: 'query', schema: { type: 'boolean' } },
        ],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/x.v1.Thing' } } } },
        responses: {
          '200': { content: { 'application/json': { schema: { $ref: '#/components/schemas/x.v1.Thing' } } } },
        },
      },
    },
  },
  components: {
    schemas: {
      'x.v1.Thing': {
        type: 'object',
        required: ['name'],
        properties: {
          id: { type: 'string', readOnly: true },
          name: { type: 'string', description: 'Ends */ no comment.' },
          size: { type: 'integer' },
          kinds: { type: 'array', items: { enum: ['A', 'B'] } },
          note: { type: 'string', description: 'Absent: none.' },
        },
      },
    },
  },
};

it('separates request types from response types', () => {
  const files = generate(DESCRIPTION);
  expect([...files.keys()]).toEqual(['update-thing.ts', 'types.ts']);
  const types = files.get('types.ts');
  expect(types).toContain(
    "export interface Thing {\n  id: string;\n  /** Ends * / no comment. */\n  name: string;\n  size: number;\n  kinds: ('A' | 'B')[];\n  /** Absent: none. */\n  note?: string;\n}",
  );
  expect(types).toContain(
    'export interface ThingInput {\n  /** Ends * / no comment. */\n  name: string;\n  size?: number;',
  );
  const text = files.get('update-thing.ts');
  expect(text).toContain("import type { Thing, ThingInput } from './types.ts';");
  expect(text).toContain(
    'export function updateThing(id: string, query: UpdateThingQuery, body: ThingInput, options: CallOptions = {}): Promise<Thing>',
  );
  expect(text).toContain("template: '/things/{id}', params: { id }, query, body, ...options");
});

it('omits operations without a JSON response', () => {
  const get = { operationId: 'PrintThing', responses: { '200': { content: { '*/*': {} } } } };
  expect([...generate({ paths: { '/things/{id}/print': { get } } }).keys()]).toEqual(['types.ts']);
});

it('marks calls that are not counted', () => {
  const remove = { operationId: 'DeleteThing', responses: { '204': {} } };
  const text = (operation: object) => generate({ paths: { '/thing': { delete: operation } } }).get('delete-thing.ts');
  expect(text({ ...remove, 'x-rate-exempt': true })).toContain("template: '/thing', isRateExempt: true, ...options");
  expect(text(remove)).not.toContain('isRateExempt');
});

it('refuses two operations of the same name', () => {
  const { put } = DESCRIPTION.paths['/things/{id}'];
  expect(() => generate({ ...DESCRIPTION, paths: { '/a': { put }, '/b': { put } } })).toThrow('two operations');
});

it('refuses two types of one name', () => {
  const schema = DESCRIPTION.components.schemas['x.v1.Thing'];
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/y.v1.Thing' } } };
  const get = { operationId: 'GetThing', responses: { '200': { content } } };
  const paths = { ...DESCRIPTION.paths, '/y': { get } };
  const schemas = { ...DESCRIPTION.components.schemas, 'y.v1.Thing': schema };
  expect(() => generate({ paths, components: { schemas } })).toThrow('two types are called Thing');
});
