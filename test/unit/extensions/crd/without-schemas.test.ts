import { describe, expect, test } from '@jest/globals';
import { decodeWithoutSchemas, editWithoutSchemas, haveSameSchemas } from '../../../../runtime/extensions/crd/without-schemas.ts';
import type { StoredObject } from '../../../../runtime/storage/object-store/contract.ts';

const stored = (object: unknown): StoredObject =>
  ({ json: Buffer.from(JSON.stringify(object)), decode: () => object }) as unknown as StoredObject;

const version = (name: string, more: object = {}): object => ({ name, served: true, storage: name === 'v1', ...more });

const schema = {
  type: 'object',
  description: 'Quotes " and \\ and braces {[ ]} and "openAPIV3Schema":{ in words, then a backslash \\',
  properties: {
    openAPIV3Schema: { type: 'object', properties: { '"openAPIV3Schema":': { type: 'string' } } },
    managedFields: { type: 'array', items: { type: 'string', default: ']}\\"' } },
  },
};

const definition = {
  kind: 'CustomResourceDefinition',
  metadata: {
    name: 'foos.example.com',
    annotations: {
      openAPIV3Schema: 'a word',
      managedFields: '[',
      last: JSON.stringify({ spec: { schema: { openAPIV3Schema: schema } }, managedFields: [{}] }),
    },
    managedFields: [{ manager: 'me', fieldsV1: { 'f:spec': { 'f:versions': { 'k:{"name":"v1"}': {} } } } }],
  },
  spec: {
    group: 'example.com',
    versions: [version('v1', { schema: { openAPIV3Schema: schema } }), version('v2'), version('v3', { schema: {} })],
  },
  status: { storedVersions: ['v1'] },
};

describe('definitions without schemas', () => {
  test('have everything but schemas and managed fields', () => {
    expect(decodeWithoutSchemas(stored(definition))).toEqual({
      ...definition,
      metadata: { ...definition.metadata, managedFields: null },
      spec: {
        ...definition.spec,
        versions: [version('v1', { schema: { openAPIV3Schema: null } }), version('v2'), version('v3', { schema: {} })],
      },
    });
  });

  test('of bytes that are not JSON throw the error of the object', () => {
    const broken = { json: Buffer.from('{"a":'), decode: () => ({ it: 'says' }) } as unknown as StoredObject;
    expect(decodeWithoutSchemas(broken)).toEqual({ it: 'says' });
  });

  test('are stored with their changes, and the rest unchanged', () => {
    const { crd, encode } = editWithoutSchemas(stored(definition));
    crd.status = { storedVersions: ['v1', 'v2'] };
    crd.metadata.finalizers = ['é "quoted"'];
    const want = structuredClone(definition);
    want.status.storedVersions.push('v2');
    Object.assign(want.metadata, { finalizers: ['é "quoted"'] });
    expect(JSON.parse(Buffer.from(encode()).toString('utf8'))).toEqual(want);
  });

  test.each<[what: string, change: (copy: typeof definition) => unknown, same: boolean]>([
    ['nothing', (copy) => copy, true],
    ['labels and status', (copy) => ({ ...copy, metadata: { ...copy.metadata, labels: {} }, status: {} }), true],
    ['names', (copy) => ({ ...copy, spec: { ...copy.spec, names: { plural: 'foos' } } }), true],
    ['a schema', (copy) => Object.assign(copy.spec.versions[0], { schema: { openAPIV3Schema: {} } }) && copy, false],
    ['the stored version', (copy) => Object.assign(copy.spec.versions[1], { storage: true }) && copy, false],
    ['preserveUnknownFields', (copy) => ({ ...copy, spec: { ...copy.spec, preserveUnknownFields: true } }), false],
    ['selectable fields', (copy) => Object.assign(copy.spec.versions[0], { selectableFields: [{ jsonPath: '.a' }] }) && copy, false],
  ])('a change of %s is recognized as one of the schemas or not', (_what, change, same) => {
    expect(haveSameSchemas(stored(definition), stored(change(structuredClone(definition))))).toBe(same);
  });
});
