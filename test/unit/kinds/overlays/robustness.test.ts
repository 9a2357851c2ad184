import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { catalog } from '../../../../generated/v1.35/catalog.ts';
import { isDecodeError } from '../../../../runtime/machinery/errors/decode-error.ts';
import { PruneContext } from '../../../../runtime/machinery/prune/context.ts';
import type { ResourceDefinition } from '../../../../runtime/machinery/resource.ts';
import { Field } from '../../../../runtime/machinery/validation/field.ts';
import { FieldPath } from '../../../../runtime/machinery/validation/field-path.ts';
import { goPackage, type TypeBook, TypeBook as Types } from '../../../support/go-types.ts';
import { describeShared } from '../../../support/shared.ts';
import type { TestObject, TestValue } from '../../../support/test-object.ts';

/** mulberry32: the same numbers for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const scalars: Readonly<Record<string, readonly TestValue[]>> = {
  bool: [true, false],
  int32: [0, 1, -1, 70000],
  int64: [0, 1, -1, 70000],
  Time: ['2026-01-01T00:00:00Z'],
  MicroTime: ['2026-01-01T00:00:00.000000Z'],
  Quantity: ['1', '500m', '1Gi', '-1'],
  IntOrString: [0, 1, '50%', 'http', ''],
  RawExtension: [{}, { a: 1 }],
  Duration: ['1s'],
  FieldsV1: [{}],
  byte: [''],
};
const texts = [
  '',
  'a',
  'A_B',
  'In',
  'Exists',
  'RollingUpdate',
  'Always',
  'Never',
  'ClusterIP',
  '10.0.0.1',
  '10.0.0.0/8',
  'x.io/y',
];

/** A value of a Go type with about half of its fields. */
function randomValue(types: TypeBook, inPackage: string, type: string, random: () => number, depth: number): TestValue {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  if (type.startsWith('[]')) {
    if (type === '[]byte') return '';
    return Array.from({ length: Math.floor(random() * 3) }, () =>
      randomValue(types, inPackage, type.slice(2), random, depth),
    );
  }
  if (type.startsWith('map['))
    return { [pick(texts)]: randomValue(types, inPackage, type.replace(/^map\[[^\]]*\]/, ''), random, depth) };
  const name = type.replace(/^.*\./, '');
  if (scalars[name]) return pick(scalars[name]);
  const fields = types.fields(inPackage, type);
  if (!fields) return name === 'ResourceList' ? { cpu: pick(['1', '2']), disk: '1' } : pick(texts);
  const object: TestValue = {};
  for (const [field, of] of fields) {
    if (field === 'metadata' || depth <= 0 || random() < 0.5) continue;
    object[field] = random() < 0.1 ? null : randomValue(types, of.inPackage, of.type, random, depth - 1);
  }
  return object;
}

function use(definition: ResourceDefinition, object: TestObject, old: TestObject): void {
  const { type, columns, selectableFields, conversion } = definition;
  type.setDefaults(object);
  type.validate(object, Field.at(FieldPath.root, []));
  type.validateUpdate?.(object, old, Field.at(FieldPath.root, []));
  for (const column of columns) column.cell(object, 0);
  for (const select of Object.values(selectableFields)) select(object);
  conversion.fromStorage(conversion.toStorage(structuredClone(object)));
}

describeShared('any value that can be decoded can be processed', (shared) => {
  const types = new Types(join(shared, 'schemas', 'v1.35'));
  const folders = catalog.groupVersions.map(({ group, version }) => `${group || 'core'}/${version}`);

  test.each(folders)('%s', async (folder) => {
    const groupVersion = catalog.groupVersions[folders.indexOf(folder)];
    for (const definition of (await groupVersion?.load()) ?? []) {
      const { apiVersion, kind } = { apiVersion: folder.replace(/^core\//, ''), kind: definition.kind };
      const decode = (body: TestValue): TestObject =>
        definition.type.prune(
          { apiVersion, kind, metadata: { name: 'a', namespace: 'b' }, ...body },
          new PruneContext(),
        );
      use(definition, decode({}), decode({}));
      let old = decode({});
      for (let seed = 1; seed <= rounds; seed++) {
        const body = randomValue(types, goPackage(folder), kind, randomOf(seed), 9);
        try {
          const object = decode(body);
          use(definition, object, old);
          old = object;
        } catch (error) {
          if (!isDecodeError(error))
            throw new Error(`${kind}, seed ${seed}: ${JSON.stringify(body)}`, { cause: error });
        }
      }
    }
  });
});

const rounds = Number(process.env.ROUNDS ?? 20);

test('the generator of values is deterministic', () => {
  expect(randomOf(1)()).toBe(randomOf(1)());
});
