import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WriteFixture, warningsOf } from '../../support/write-fixture.ts';

type Schema = Record<string, unknown>;
const int = { type: 'integer' };
const ports = {
  type: 'array',
  items: { type: 'object', properties: { containerPort: int, protocol: { type: 'string' } } },
};

const definition = (plural: string, openAPIV3Schema: Schema) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.example.com` },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural, singular: plural.slice(0, -1), kind: kindOf(plural) },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
  },
});
const kindOf = (plural: string): string => plural[0].toUpperCase() + plural.slice(1, -1);
const collection = (plural: string): string => `/apis/example.com/v1/namespaces/default/${plural}`;
const custom = <T extends object>(plural: string, name: string, rest: T) => ({
  apiVersion: 'example.com/v1',
  kind: kindOf(plural),
  metadata: { name },
  ...rest,
});

/** A schema that preserves everything. */
const open: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const closed: Schema = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { cronSpec: { type: 'string' }, ports } } },
};
const halfOpen: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { cronSpec: { type: 'string' }, ports },
    },
  },
};
const embedding: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        template: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        },
      },
    },
  },
};

/** Upstream's conformance tests of field validation with custom resources, with their titles. */
describe('FieldValidation', () => {
  let fixture: WriteFixture;

  beforeAll(async () => {
    fixture = await WriteFixture.open();
    for (const [plural, schema] of Object.entries({
      opens: open,
      closeds: closed,
      halves: halfOpen,
      embeds: embedding,
    })) {
      const made = await fixture.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition(plural, schema));
      expect([made.status, made.json.message]).toEqual([201, undefined]);
      await fixture.served(collection(plural));
    }
  });
  afterAll(() => fixture.close());

  const strict = 'fieldValidation=Strict';

  test('should create/apply a CR with unknown fields for CRD with no validation schema', async () => {
    const body = custom('opens', 'free', { spec: { any: { thing: 1 } }, more: true });
    const made = await fixture.create(`${collection('opens')}?${strict}`, body);
    expect([made.status, made.json.spec, warningsOf(made)]).toEqual([201, body.spec, []]);
    const applied = await fixture.patch('apply', `${collection('opens')}/applied?fieldManager=f&${strict}`, {
      ...body,
      metadata: { name: 'applied' },
    });
    expect([applied.status, applied.json.spec]).toEqual([201, body.spec]);
  });

  test('should create/apply a valid CR for CRD with validation schema', async () => {
    const spec = { cronSpec: '* * * * *', ports: [{ containerPort: 80 }] };
    const made = await fixture.create(`${collection('closeds')}?${strict}`, custom('closeds', 'valid', { spec }));
    expect([made.status, made.json.spec]).toEqual([201, spec]);
    const path = `${collection('closeds')}/valid-applied?fieldManager=f&${strict}`;
    const applied = await fixture.patch('apply', path, custom('closeds', 'valid-applied', { spec }));
    expect([applied.status, applied.json.spec]).toEqual([201, spec]);
  });

  test('should create/apply an invalid CR with extra properties for CRD with validation schema', async () => {
    const body = custom('closeds', 'extra', {
      spec: { cronSpec: '*', ports: [{ containerPort: 80, nope: 1 }], unknown: 'x' },
    });
    const rejected = await fixture.create(`${collection('closeds')}?${strict}`, body);
    expect([rejected.status, rejected.json.message]).toEqual([
      400,
      'Closed in version "v1" cannot be handled as a Closed: strict decoding error: unknown field "spec.ports[0].nope", unknown field "spec.unknown"',
    ]);
    const applied = await fixture.patch('apply', `${collection('closeds')}/extra?fieldManager=f&${strict}`, body);
    expect([applied.status, applied.json.message]).toEqual([500, expect.stringContaining('field not declared in schema')]);
    const warned = await fixture.create(collection('closeds'), body);
    expect([warned.status, warned.json.spec, warningsOf(warned)]).toEqual([
      201,
      { cronSpec: '*', ports: [{ containerPort: 80 }] },
      ['unknown field "spec.ports[0].nope"', 'unknown field "spec.unknown"'],
    ]);
  });

  test('should detect duplicates in a CR when preserving unknown fields', async () => {
    const body = (name: string) =>
      `{"apiVersion":"example.com/v1","kind":"Halve","metadata":{"name":"${name}"},"spec":{"unknown":"a","unknown":"b","cronSpec":"1","cronSpec":"2","ports":[{"containerPort":1,"containerPort":2,"unknownNested":3}]}}`;
    const repeated = ['duplicate field "spec.unknown"', 'duplicate field "spec.cronSpec"', 'duplicate field "spec.ports[0].containerPort"'];
    const unknown = 'unknown field "spec.ports[0].unknownNested"';
    const rejected = await fixture.create(`${collection('halves')}?${strict}`, body('twice'));
    expect([rejected.status, rejected.json.message]).toEqual([
      400,
      `Halve in version "v1" cannot be handled as a Halve: strict decoding error: ${[...repeated, unknown].join(', ')}`,
    ]);
    const warned = await fixture.create(collection('halves'), body('twice'));
    expect([warned.status, warningsOf(warned)]).toEqual([201, [...repeated, unknown]]);
    expect(warned.json.spec).toEqual({ unknown: 'b', cronSpec: '2', ports: [{ containerPort: 2 }] });
    const yaml = 'apiVersion: example.com/v1\nkind: Halve\nmetadata:\n  name: applied\nspec:\n  a: 1\n  a: 2\n';
    const applied = await fixture.patch('apply', `${collection('halves')}/applied?fieldManager=f&${strict}`, yaml);
    expect([applied.status, applied.json.message]).toEqual([400, expect.stringContaining('line 7: key "a" already set in map')]);
  });

  test('should detect unknown metadata fields in both the root and embedded object of a CR', async () => {
    const template = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'inner', unknownSubMeta: 1 },
      spec: { free: 1 },
    };
    const body = {
      ...custom('embeds', 'meta', { spec: { template } }),
      metadata: { name: 'meta', unknownMeta: 1 },
    };
    const problems = ['unknown field "metadata.unknownMeta"', 'unknown field "spec.template.metadata.unknownSubMeta"'];
    const rejected = await fixture.create(`${collection('embeds')}?${strict}`, body);
    expect([rejected.status, rejected.json.message]).toEqual([
      400,
      `Embed in version "v1" cannot be handled as a Embed: strict decoding error: ${problems.join(', ')}`,
    ]);
    const warned = await fixture.create(collection('embeds'), body);
    expect([warned.status, warningsOf(warned)]).toEqual([201, problems]);
    expect(warned.json.spec.template).toEqual({ ...template, metadata: { name: 'inner' } });
  });
});
