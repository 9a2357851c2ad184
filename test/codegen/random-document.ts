import fc from 'fast-check';

export type Schema = Readonly<Record<string, unknown>>;

/** A schema, with accepted values that are returned unchanged. */
interface Sample {
  readonly schema: Schema;
  readonly value: unknown;
}

/** A document with the schemas of kinds, and an object of each kind. */
export interface RandomDocument {
  readonly group: string;
  readonly document: object;
  readonly objects: readonly { readonly kind: string; readonly plural: string; readonly spec: unknown }[];
}

/** Names with another meaning in languages, formats or generated code. */
const nastyNames =
  'class constructor toString Record Object Promise Array String Function Json JsonObject my-thing a_b a.b metav1 types kind List Items default any string prune validate ObjectMeta Status Time 3d x1 __proto__x'.split(
    ' ',
  );
const nastyFields = [
  ...nastyNames,
  '__proto__',
  '$ref',
  'a-b',
  'aB',
  '',
  '0',
  "it's",
  'with space',
  'properties',
  'items',
  'additionalProperties',
  'metadata',
  'apiVersion',
  'hasOwnProperty',
  '/~1',
  '日本',
  String.raw`\${x}`,
  '*/',
  '\\',
  '"',
];
const nastyKinds =
  'Class Constructor Record Object Promise String Function Json Rest Resource GroupVersion Status List Types Metav1 Pod Thing-Two'.split(
    ' ',
  );
const nastyGroups =
  '3scale.net class.example.com constructor.example.com close.example.com core.example.com meta.example.com a-b.example.com x.y'.split(' ');

/** @param components the names of schemas for references */
function samples(components: readonly string[], depth: number): fc.Arbitrary<Sample> {
  const scalars: fc.Arbitrary<Sample>[] = [
    fc.record({ schema: fc.constant({ type: 'string' }), value: fc.string({ maxLength: 8 }) }),
    fc.record({ schema: fc.constant({ type: 'integer', format: 'int32' }), value: fc.integer() }),
    fc.record({ schema: fc.constant({ type: 'integer' }), value: fc.maxSafeInteger() }),
    fc.record({ schema: fc.constant({ type: 'boolean' }), value: fc.boolean() }),
    fc.record({
      schema: fc.constant({ type: 'string', enum: ['a', '*/', "'"] }),
      value: fc.constantFrom('a', '*/', "'"),
    }),
    fc.record({ schema: fc.constant({ type: 'integer', enum: [1, -1] }), value: fc.constantFrom(1, -1) }),
    fc.record({ schema: fc.constant({ 'x-kubernetes-int-or-string': true }), value: fc.constantFrom<unknown>(1, 'a') }),
    fc.record({ schema: fc.constant({ type: 'string', nullable: true }), value: fc.constantFrom(null, 'a') }),
    fc.record({
      schema: fc.constant({ type: 'object', additionalProperties: true }),
      value: objects(fc.jsonValue({ maxDepth: 1 })),
    }),
    fc.constant({ schema: { anyOf: [{ type: 'string' }, { type: 'boolean' }] }, value: true }),
  ];
  const leaf = fc.oneof(...scalars);
  if (depth === 0) return leaf;
  const inner = samples(components, depth - 1);
  const lists = inner.map(({ schema, value }) => ({ schema: { type: 'array', items: schema }, value: [value] }));
  const maps = fc.record({ one: inner, name: fc.constantFrom(...nastyFields) }).map(({ one: { schema, value }, name }) => ({
    schema: { type: 'object', additionalProperties: schema },
    value: Object.fromEntries([[name, value]]),
  }));
  return fc.oneof(leaf, lists, maps, structs(inner));
}

const objects = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.array(fc.tuple(fc.constantFrom(...nastyFields), value), { maxLength: 2 }).map((entries) => Object.fromEntries(entries));

const structs = (inner: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> =>
  fc
    .uniqueArray(fc.tuple(fc.constantFrom(...nastyFields), inner, fc.boolean()), {
      maxLength: 4,
      selector: ([name]) => name,
    })
    .map((members) => ({
      schema: {
        type: 'object',
        properties: Object.fromEntries(members.map(([name, { schema }]) => [name, schema])),
        ...(members.some(([, , required]) => required)
          ? { required: members.flatMap(([name, , required]) => (required ? [name] : [])) }
          : {}),
      },
      value: Object.fromEntries(members.map(([name, { value }]) => [name, value])),
    }));

const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** Generates documents. Each has its own group, named by its number. */
export const randomDocument = (number: number): fc.Arbitrary<RandomDocument> =>
  fc
    .record({
      group: fc.constantFrom(...nastyGroups),
      kinds: fc.uniqueArray(fc.constantFrom(...nastyKinds), { minLength: 1, maxLength: 3 }),
      components: fc.uniqueArray(fc.tuple(fc.constantFrom(...nastyNames), structs(samples([], 2))), {
        minLength: 1,
        maxLength: 4,
        selector: ([name]) => name.toLowerCase(),
      }),
      specs: fc.array(samples([], 3), { minLength: 3, maxLength: 3 }),
    })
    .map(({ group: name, kinds, components, specs }) => {
      const group = name.replace('.', `${number}.`);
      const shared = components.filter(([component]) => !kinds.includes(component));
      const gvk = (kind: string): object[] => [{ group, version: 'v1', kind }];
      const members = Object.fromEntries(shared.map(([component, { value }]) => [`shared-${component}`, value]));
      const properties = Object.fromEntries(shared.map(([component]) => [`shared-${component}`, reference(component)]));
      const schemas = Object.fromEntries([
        ...shared.map(([component, { schema }]) => [component, schema] as const),
        ...kinds.map((kind, index) => {
          const spec = { type: 'object', properties: { ...properties, own: specs[index].schema } };
          return [
            kind,
            {
              type: 'object',
              properties: { spec },
              'x-kubernetes-group-version-kind': gvk(kind),
              'x-kubeloom-resource': { plural: `${kind.toLowerCase()}s` },
            },
          ] as const;
        }),
      ]);
      return {
        group,
        document: { openapi: '3.0.3', info: { title: 'Random', version: 'v1' }, components: { schemas } },
        objects: kinds.map((kind, index) => ({
          kind,
          plural: `${kind.toLowerCase()}s`,
          spec: { ...members, own: specs[index].value },
        })),
      };
    });
