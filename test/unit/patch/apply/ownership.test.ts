import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { list, number, type StructMerge, text, textMapping } from '../../../../runtime/machinery/merge-schema.ts';
import type { KubeObject } from '../../../../runtime/machinery/object.ts';
import { isStatusError } from '../../../../runtime/machinery/status.ts';
import { fromFieldsV1 } from '../../../../runtime/patch/field-set/fields-v1.ts';
import { createFieldManager } from '../../../../runtime/patch/managed-fields/field-manager.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const item: StructMerge = { kind: 'struct', mapType: 'granular', fields: { port: number, name: text, host: text } };
const spec: StructMerge = {
  kind: 'struct',
  mapType: 'granular',
  fields: {
    a: text,
    b: text,
    seed: text,
    labels: textMapping,
    set: list(text, { listType: 'set' }),
    ports: list(() => item, { listType: 'map', mapKeys: ['port'] }),
  },
};
const merge: StructMerge = {
  kind: 'struct',
  mapType: 'granular',
  fields: { apiVersion: text, kind: text, spec: () => spec },
};

/** What the operations write: everything that may be in a spec, flat, as FieldsV1 names it. */
type Leaves = Map<string, unknown>;
interface Content {
  a?: string;
  b?: string;
  labels?: Record<string, string>;
  set?: string[];
  ports?: { port: number; name?: string; host?: string }[];
}

function flatten({ a, b, labels = {}, set = [], ports = [] }: Content): Leaves {
  const leaves: Leaves = new Map();
  if (a !== undefined) leaves.set('f:spec/f:a', a);
  if (b !== undefined) leaves.set('f:spec/f:b', b);
  for (const name of Object.keys(labels)) leaves.set(`f:spec/f:labels/f:${name}`, labels[name]);
  for (const member of set) leaves.set(`f:spec/f:set/v:"${member}"`, true);
  for (const port of ports) {
    const path = `f:spec/f:ports/k:{"port":${port.port}}`;
    leaves.set(path, true);
    for (const [name, value] of Object.entries(port)) leaves.set(`${path}/f:${name}`, value);
  }
  return leaves;
}

/** The slow and obvious model: a flat object, and a flat set of paths for every manager. */
class Model {
  leaves: Leaves;
  readonly owners = new Map<string, Set<string>>();

  constructor(base: Content) {
    this.leaves = flatten(base);
  }

  update(next: Leaves, manager: string): void {
    const own = new Set(this.owners.get(`${manager} Update`));
    const changed = [...next].filter(([path, value]) => this.leaves.get(path) !== value).map(([path]) => path);
    this.#take(next, changed, undefined);
    const left = [...own].filter((path) => next.has(path));
    this.#own(`${manager} Update`, new Set([...left, ...changed]));
    this.leaves = next;
  }

  /** The paths in conflict; nothing happens then. */
  apply(config: Leaves, manager: string, force: boolean): string[] {
    const name = `${manager} Apply`;
    const others = [...this.owners].filter(([other]) => other !== name);
    const owned = new Set([...config.keys(), ...others.flatMap(([, paths]) => [...paths])]);
    const next: Leaves = new Map([...this.leaves, ...config]);
    for (const path of this.owners.get(name) ?? []) {
      if (owned.has(path)) continue;
      // an item takes what is below it along
      for (const other of [...next.keys()]) if (other === path || other.startsWith(`${path}/`)) next.delete(other);
    }
    const changed = [...next].filter(([path, value]) => this.leaves.get(path) !== value).map(([path]) => path);
    const conflicts = others.flatMap(([, paths]) => changed.filter((path) => paths.has(path)));
    if (conflicts.length > 0 && !force) return conflicts;
    this.#take(next, changed, name);
    this.#own(name, new Set([...config.keys()]));
    this.leaves = next;
    return [];
  }

  #take(next: Leaves, changed: readonly string[], except: string | undefined): void {
    for (const [other, paths] of this.owners) {
      if (other === except) continue;
      const left = [...paths].filter((path) => !changed.includes(path));
      this.#own(other, new Set(left.filter((path) => next.has(path) || !this.leaves.has(path))));
    }
  }

  #own(manager: string, paths: Set<string>): void {
    if (paths.size === 0) this.owners.delete(manager);
    else this.owners.set(manager, paths);
  }
}

const base: Content = { labels: { base: '0' }, set: ['base'], ports: [{ port: 1, name: 'base' }] };
const value = fc.constantFrom('1', '2');
const optional = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });
const ports = fc.uniqueArray(
  fc.record({ port: fc.constantFrom(2, 3), name: value, host: value }, { requiredKeys: ['port'] }),
  { selector: ({ port }) => port, minLength: 1 },
);
const content = fc
  .record({
    a: optional(value),
    b: optional(value),
    labels: optional(fc.dictionary(fc.constantFrom('x', 'y'), value, { minKeys: 1, noNullPrototype: true })),
    set: optional(fc.uniqueArray(value, { minLength: 1 })),
    ports: optional(ports),
  })
  .map((record) => JSON.parse(JSON.stringify(record)) as Content)
  .filter((record) => Object.keys(record).length > 0);
const operation = fc.record({
  verb: fc.constantFrom<'apply' | 'update'>('apply', 'update'),
  manager: fc.constantFrom('one', 'two', 'three'),
  force: fc.boolean(),
  content,
});

const gvk = { group: 'example.com', version: 'v1', kind: 'Thing' };
const object = (content: object): KubeObject =>
  ({ apiVersion: 'example.com/v1', kind: 'Thing', metadata: {}, spec: content }) as unknown as KubeObject;

const withBase = ({ labels, set = [], ports = [], ...rest }: Content): Content => ({
  ...rest,
  labels: { base: '0', ...labels },
  set: ['base', ...set],
  ports: [{ port: 1, name: 'base' }, ...ports],
});

function seeded(): KubeObject {
  const start = object({ ...base, seed: 's' });
  const entry = { manager: 'seed', operation: 'Update', apiVersion: 'example.com/v1', fieldsType: 'FieldsV1' };
  // somebody owns what no operation touches: what nobody owns goes with the last owned part of its container
  const port = { '.': {}, 'f:name': {}, 'f:port': {} };
  const fields = {
    'f:labels': { 'f:base': {} },
    'f:ports': { 'k:{"port":1}': port },
    'f:seed': {},
    'f:set': { 'v:"base"': {} },
  };
  start.metadata.managedFields = [{ ...entry, fieldsV1: { 'f:spec': fields } }];
  return start;
}

function ownersOf({ metadata }: KubeObject): Record<string, string[]> {
  const owners: Record<string, string[]> = {};
  for (const { manager, operation: how, fieldsV1 } of metadata.managedFields ?? []) {
    if (manager === 'seed') continue;
    owners[`${manager} ${how}`] = fromFieldsV1(fieldsV1)
      .paths()
      .map((path) => path.join('/'))
      .sort();
  }
  return owners;
}

describe('after any sequence of applies and updates', () => {
  const fields = { ...merge.fields, metadata: () => ({ kind: 'untyped' }) as const };
  const manager = createFieldManager({ merge: { ...merge, fields }, gvk, clock: new ManualClock() });

  test('everybody owns what a plain model says, and the object is what it says', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 8 }), (operations) => {
        const model = new Model(base);
        let live = seeded();
        for (const { verb, manager: who, force, content: written } of operations) {
          if (verb === 'update') {
            const next = object({ ...withBase(written), seed: 's' });
            live = manager.update(live, next, who);
            model.update(flatten(withBase(written)), who);
          } else {
            const conflicts = model.apply(flatten(written), who, force);
            const before = structuredClone(live);
            try {
              live = manager.apply(live, object(written), who, force);
              expect(conflicts).toEqual([]);
              // a second time changes nothing, not even who owns what
              expect(manager.apply(live, object(written), who, false)).toEqual(live);
            } catch (error) {
              if (!isStatusError(error)) throw error;
              expect(error.status.details?.causes).toHaveLength(conflicts.length);
              expect(live).toEqual(before);
            }
          }
          expect(ownersOf(live)).toEqual(
            Object.fromEntries([...model.owners].map(([name, paths]) => [name, [...paths].sort()])),
          );
          expect(sortedLeaves(flatten(live.spec))).toEqual(sortedLeaves(model.leaves));
        }
      }),
      { numRuns: 150 },
    );
  });
});

const sortedLeaves = (leaves: Leaves): unknown[] => [...leaves].sort(([a], [b]) => (a < b ? -1 : 1));
