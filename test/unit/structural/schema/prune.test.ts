import { describe, expect, test } from '@jest/globals';
import { PruneContext } from '../../../../runtime/machinery/prune/context.ts';
import type { JsonSchema } from '../../../../runtime/machinery/schema/json-schema.ts';
import { compileSchema } from '../../../../runtime/structural/schema/compile.ts';
import type { TestObject } from '../../../support/test-object.ts';

function pruned(spec: JsonSchema, value: unknown): { spec: unknown; unknown: string[] } {
  const context = new PruneContext({ collectUnknown: true });
  const object: TestObject = compileSchema({ type: 'object', properties: { spec } }).prune({ metadata: {}, spec: value }, context);
  return { spec: object.spec, unknown: context.strictErrors.map((text) => text.slice('unknown field '.length)) };
}

const object: JsonSchema = { type: 'object', properties: { a: { type: 'string' } } };

describe('unknown fields are pruned', () => {
  test.each<[string, JsonSchema, unknown, unknown, string[]]>([
    ['members', object, { a: 'x', b: 1, c: { d: 1 } }, { a: 'x' }, ['"spec.b"', '"spec.c"']],
    ['in lists', { type: 'array', items: object }, [{ a: 'x' }, { b: 1 }], [{ a: 'x' }, {}], ['"spec[1].b"']],
    ['in maps', { type: 'object', additionalProperties: object }, { k: { b: 1 } }, { k: {} }, ['"spec.k.b"']],
    [
      'below additionalProperties: true',
      { type: 'object', additionalProperties: true },
      { k: { b: 1 }, n: 1 },
      { k: {}, n: 1 },
      ['"spec.k.b"'],
    ],
    ['scalars of any type stay', { type: 'object' }, 'text', 'text', []],
    ['preserved', { 'x-kubernetes-preserve-unknown-fields': true, type: 'object' }, { b: { c: 1 } }, { b: { c: 1 } }, []],
    [
      'known members below preserved fields are pruned',
      { 'x-kubernetes-preserve-unknown-fields': true, type: 'object', properties: { known: object } },
      { b: { c: 1 }, known: { a: '', z: 1 } },
      { b: { c: 1 }, known: { a: '' } },
      ['"spec.known.z"'],
    ],
    ['a list that preserves', { type: 'array', 'x-kubernetes-preserve-unknown-fields': true, items: object }, [{ z: 1 }], [{ z: 1 }], []],
    ['nulls', object, { a: null }, {}, []],
    ['nulls of nullable fields', { type: 'object', properties: { a: { type: 'string', nullable: true } } }, { a: null }, { a: null }, []],
    ['nulls with a default', { type: 'object', properties: { a: { type: 'string', default: 'd' } } }, { a: null }, { a: null }, []],
    ['nulls in lists stay', { type: 'array', items: { type: 'string' } }, [null], [null], []],
    [
      'an inherited name',
      object,
      JSON.parse('{"__proto__":{"x":1},"constructor":1,"a":""}'),
      { a: '' },
      ['"spec.__proto__"', '"spec.constructor"'],
    ],
  ])('%s', (_name, schema, value, want, unknown) => {
    const before = JSON.stringify(value);
    expect(pruned(schema, value)).toEqual({ spec: want, unknown });
    expect(JSON.stringify(value)).toBe(before);
  });
});

test('objects without unknown fields are shared, so that large objects are not copied', () => {
  const spec: JsonSchema = { type: 'object', properties: { kept: object, cut: object, list: { items: object } } };
  const value = { kept: { a: 'x' }, cut: { a: 'x', b: 1 }, list: [{ a: 'x' }, { b: 1 }] };
  const result = pruned(spec, value).spec as typeof value;
  expect(result).toEqual({ kept: { a: 'x' }, cut: { a: 'x' }, list: [{ a: 'x' }, {}] });
  expect(result.kept).toBe(value.kept);
  expect(result.list[0]).toBe(value.list[0]);
  expect(pruned(object, value.kept).spec).toBe(value.kept);
});

describe('metadata', () => {
  const compiled = compileSchema({ type: 'object', properties: { spec: object } });

  test('is ObjectMeta, even if the schema differs', () => {
    const context = new PruneContext({ collectUnknown: true });
    const body = {
      spec: { z: 1 },
      metadata: { labels: { b: '1', a: '2' }, name: 'x', creationTimestamp: null, other: 1 },
      kind: 'K',
      apiVersion: 'g/v1',
      extra: 1,
    };
    const result: TestObject = compiled.prune(body, context);
    expect(JSON.stringify(result)).toBe('{"kind":"K","apiVersion":"g/v1","metadata":{"name":"x","labels":{"a":"2","b":"1"}},"spec":{}}');
    expect(context.strictErrors).toEqual(['unknown field "metadata.other"', 'unknown field "extra"', 'unknown field "spec.z"']);
  });

  test('of the wrong type is rejected in a body', () => {
    expect(() => compiled.prune({ metadata: { labels: { a: 1 } } }, new PruneContext())).toThrow(
      'json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
    );
  });

  test('of the wrong type is dropped from stored objects', () => {
    const stored = { metadata: { name: 'x', labels: { a: 1 }, finalizers: 'y' }, spec: { a: '' } };
    expect(compiled.pruneStored(stored)).toEqual({ metadata: { name: 'x' }, spec: { a: '' } });
  });
});

describe('embedded resources', () => {
  const embedded: JsonSchema = {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    properties: { spec: object },
  };

  test('keep the fields of every resource; their metadata is ObjectMeta, too', () => {
    const value = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', zz: 1 }, spec: { z: 1 }, other: 1 };
    expect(pruned(embedded, value)).toEqual({
      spec: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' }, spec: {} },
      unknown: ['"spec.other"', '"spec.spec.z"', '"spec.metadata.zz"'],
    });
  });

  test('with metadata of the wrong type are rejected', () => {
    expect(() => pruned(embedded, { metadata: { labels: 1 } })).toThrow(
      'spec.metadata: Invalid value: {"labels":1}: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type map[string]string',
    );
    expect(() => pruned(embedded, { kind: 1 })).toThrow('spec.kind: Invalid value: 1: must be a string');
  });
});

describe('defaults', () => {
  test.each<[string, JsonSchema, unknown, unknown]>([
    ['for absent fields', { type: 'object', properties: { a: { type: 'string', default: 'd' } } }, {}, { a: 'd' }],
    ['not for present fields', { type: 'object', properties: { a: { type: 'string', default: 'd' } } }, { a: '' }, { a: '' }],
    [
      'for a null of a field that is not nullable',
      { type: 'object', properties: { a: { type: 'string', default: 'd' } } },
      { a: null },
      { a: 'd' },
    ],
    [
      'not for a null of a nullable field',
      { type: 'object', properties: { a: { type: 'string', nullable: true, default: 'd' } } },
      { a: null },
      { a: null },
    ],
    [
      'inside defaults',
      {
        type: 'object',
        properties: { o: { type: 'object', default: {}, properties: { a: { type: 'integer', default: 1 } } } },
      },
      {},
      { o: { a: 1 } },
    ],
    [
      'in items',
      { type: 'array', items: { type: 'object', properties: { a: { type: 'integer', default: 1 } } } },
      [{}, { a: 2 }],
      [{ a: 1 }, { a: 2 }],
    ],
    ['for null items', { type: 'array', items: { type: 'string', default: 'd' } }, [null], ['d']],
    ['for null members of maps', { type: 'object', additionalProperties: { type: 'string', default: 'd' } }, { k: null }, { k: 'd' }],
    [
      'in members of maps',
      { type: 'object', additionalProperties: { type: 'object', properties: { a: { type: 'integer', default: 1 } } } },
      { k: {} },
      { k: { a: 1 } },
    ],
  ])('%s', (_name, spec, value, want) => {
    const compiled = compileSchema({ type: 'object', properties: { spec } });
    const result: TestObject = compiled.prune({ spec: value }, new PruneContext());
    compiled.setDefaults(result);
    expect(result.spec).toEqual(want);
    expect(compiled.usesDefaults).toBe(true);
  });

  test('are copies', () => {
    const compiled = compileSchema({
      type: 'object',
      properties: { spec: { type: 'object', default: { a: {} }, 'x-kubernetes-preserve-unknown-fields': true } },
    });
    const one: TestObject = compiled.prune({}, new PruneContext());
    const two: TestObject = compiled.prune({}, new PruneContext());
    compiled.setDefaults(one);
    one.spec.a.b = 1;
    compiled.setDefaults(two);
    expect(two.spec).toEqual({ a: {} });
  });
});
