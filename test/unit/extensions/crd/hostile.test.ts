import { expect, test } from '@jest/globals';
import type { CustomResourceDefinition } from '../../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import { validateCustomResourceDefinition } from '../../../../runtime/extensions/crd/validation/index.ts';
import { isEventLoopBudgetError, withoutEventLoopBudget } from '../../../../runtime/machinery/event-loop/budget.ts';
import type { KubeObject } from '../../../../runtime/machinery/object.ts';
import type { JsonSchema } from '../../../../runtime/machinery/schema/json-schema.ts';
import type { FieldError } from '../../../../runtime/machinery/validation/field-error.ts';
import { expectLinear, workOn } from '../../../support/growth.ts';

const text: JsonSchema = { type: 'string' };
const many = (count: number, of: (index: number) => JsonSchema): Record<string, JsonSchema> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, of(i)]));

/** Nests objects. Each is made from its inner one. */
function nested(depth: number, of: (inner: JsonSchema) => JsonSchema): JsonSchema {
  let schema = text;
  for (let i = 0; i < depth; i++) schema = of(schema);
  return schema;
}

function definition(spec: JsonSchema, parts: object = {}): KubeObject {
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'foos.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'foos', singular: 'foo', kind: 'Foo', listKind: 'FooList' },
      versions: [{ name: 'v1', served: true, storage: true, schema, ...parts }],
    },
    status: { storedVersions: ['v1'] },
  } as unknown as KubeObject;
}

function errorsOf(crd: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  validateCustomResourceDefinition(crd as CustomResourceDefinition, errors);
  return errors;
}

// first, while the event loop budget applies to this thread
test.each<[string, JsonSchema]>([
  ['a long pattern', { type: 'string', pattern: `^${'(ab|cd)'.repeat(2_000)}$` }],
  ['many patterns', { type: 'object', properties: many(500, (i) => ({ ...text, pattern: `^[a-z]{0,61}${i}$` })) }],
  ['many rules', { ...text, 'x-kubernetes-validations': Array.from({ length: 500 }, (_, i) => ({ rule: `self != "${i}"` })) }],
])('%s are not compiled on the event loop', (_what, spec) => {
  let caught: unknown;
  try {
    errorsOf(definition(spec));
  } catch (error) {
    caught = error;
  }
  expect(isEventLoopBudgetError(caught)).toBe(true);
});

test.each<[string, (size: number) => KubeObject]>([
  ['properties', (size) => definition({ type: 'object', properties: many(size, () => text) })],
  ['properties without a type', (size) => definition({ type: 'object', properties: many(size, () => ({})) })],
  [
    'required properties below rules',
    (size) =>
      definition({
        type: 'object',
        properties: many(size, () => text),
        required: Object.keys(many(size, () => text)),
        'x-kubernetes-validations': [{ rule: 'self.p0 != ""' }],
      }),
  ],
  [
    'defaults above defaults',
    (size) =>
      definition(
        nested(50, (inner) => ({
          type: 'object',
          default: {},
          properties: { a: inner, ...many(size / 50, () => text) },
        })),
      ),
  ],
  [
    'rules above rules',
    (size) =>
      definition(
        nested(40, (inner) => ({
          type: 'object',
          properties: { a: inner, ...many(size / 40, () => text) },
          'x-kubernetes-validations': [{ rule: 'has(self.a)' }],
        })),
      ),
  ],
  [
    'keys of a map list',
    (size) =>
      definition({
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': Object.keys(many(size, () => text)),
        items: { type: 'object', properties: many(size, () => text), required: Object.keys(many(size, () => text)) },
      }),
  ],
  ['members of an enum', (size) => definition({ type: 'string', enum: Array.from({ length: size }, (_, i) => `e${i}`) })],
  ['items of a default', (size) => definition({ type: 'array', items: text, default: Array.from({ length: size }, (_, i) => `d${i}`) })],
  [
    'columns',
    (size) =>
      definition(text, {
        additionalPrinterColumns: Array.from({ length: size }, () => ({ name: '', type: 'x', jsonPath: 'y' })),
      }),
  ],
  [
    'selectable fields',
    (size) =>
      definition(
        { type: 'object', properties: many(size, () => text) },
        { selectableFields: Array.from({ length: size }, (_, i) => ({ jsonPath: `.spec.p${i}` })) },
      ),
  ],
])('thousands of %s take linear time', (_what, make) => {
  withoutEventLoopBudget(() => expectLinear(2_000, workOn(make, errorsOf)));
});

test('a hundred and thirty thousand findings can be reported', () => {
  const crd = definition({ type: 'object', properties: many(130_000, () => ({})) });
  expect(withoutEventLoopBudget(() => errorsOf(crd)).length).toBeGreaterThanOrEqual(130_000);
});
