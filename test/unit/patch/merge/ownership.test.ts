import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isStatusError } from '../../../../runtime/machinery/errors/status.ts';
import type { Json, JsonObject } from '../../../../runtime/machinery/object.ts';
import { list, number, type StructMerge, text, textMapping } from '../../../../runtime/machinery/schema/merge-schema.ts';
import { fromFieldsV1 } from '../../../../runtime/patch/fieldpath/fields-v1.ts';
import { applyJsonPatch } from '../../../../runtime/patch/json-patch.ts';
import { createFieldManager } from '../../../../runtime/patch/managed-fields/field-manager.ts';
import { applyMergePatch } from '../../../../runtime/patch/merge-patch.ts';
import { applyStrategicMergePatch } from '../../../../runtime/patch/strategic-merge/apply.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import type { TestObject } from '../../../support/test-object.ts';

const item: StructMerge = { kind: 'struct', mapType: 'granular', fields: { port: number, name: text, host: text } };
const spec: StructMerge = {
  kind: 'struct',
  mapType: 'granular',
  fields: {
    a: text,
    b: text,
    seed: text,
    labels: textMapping,
    set: list(text, { listType: 'set', patchStrategy: 'merge' }),
    ports: list(() => item, { listType: 'map', mapKeys: ['port'], patchStrategy: 'merge', patchMergeKey: 'port' }),
  },
};
const merge: StructMerge = {
  kind: 'struct',
  mapType: 'granular',
  fields: { apiVersion: text, kind: text, spec: () => spec },
};

type Verb = 'apply' | 'update' | PatchKind;
type PatchKind = 'json' | 'merge' | 'strategic';

/** The written fields: all fields of a spec, flat, by their names in FieldsV1. */
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

/** The simple model: a flat object, and a flat set of paths for every manager. */
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

  /** Returns the conflicting paths. With conflicts, nothing changes. */
  apply(config: Leaves, manager: string, force: boolean): string[] {
    const name = `${manager} Apply`;
    const others = [...this.owners].filter(([other]) => other !== name);
    const owned = new Set([...config.keys(), ...others.flatMap(([, paths]) => [...paths])]);
    const next: Leaves = new Map([...this.leaves, ...config]);
    for (const path of this.owners.get(name) ?? []) {
      if (owned.has(path)) continue;
      // removing an item removes everything below it
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
const ports = fc.uniqueArray(fc.record({ port: fc.constantFrom(2, 3), name: value, host: value }, { requiredKeys: ['port'] }), {
  selector: ({ port }) => port,
  minLength: 1,
});
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
const removable = ['a', 'b', 'labels/x', 'labels/y'] as const;
const operation = fc.record({
  verb: fc.constantFrom<Verb>('apply', 'update', 'json', 'merge', 'strategic'),
  /** The paths that a patch removes unless it sets them. */
  gone: fc.uniqueArray(fc.constantFrom(...removable), { maxLength: 2 }),
  manager: fc.constantFrom('one', 'two', 'three'),
  force: fc.boolean(),
  content,
});

/** Returns the paths after a patch of that kind: a merge patch replaces lists, and other patches add to them. */
function patchedLeaves(leaves: Leaves, kind: PatchKind, written: Content, gone: readonly string[]): Leaves {
  const next: Leaves = new Map(leaves);
  if (kind === 'merge') {
    if (written.set) for (const path of [...next.keys()]) if (path.startsWith('f:spec/f:set/')) next.delete(path);
    if (written.ports) for (const path of [...next.keys()]) if (path.startsWith('f:spec/f:ports/')) next.delete(path);
    for (const [path, value] of flatten({ set: written.set && base.set, ports: written.ports && base.ports })) {
      next.set(path, value);
    }
  }
  if (kind === 'json') {
    for (const { port } of written.ports ?? []) {
      const item = `f:spec/f:ports/k:{"port":${port}}`;
      for (const path of [...next.keys()]) if (path.startsWith(item)) next.delete(path);
    }
  }
  for (const path of gone) next.delete(`f:spec/f:${path.replace('/', '/f:')}`);
  for (const [path, value] of flatten(written)) next.set(path, value);
  return next;
}

/** Returns the object after a patch of that kind. The patch sets the written fields and removes the rest of `gone`. */
function patched(live: TestObject, kind: PatchKind, written: Content, gone: readonly string[]): TestObject {
  const current = structuredClone(live) as unknown as JsonObject;
  if (kind === 'json') return applyJsonPatch(current, jsonPatch(live.spec, written, gone)) as unknown as TestObject;
  const spec: JsonObject = JSON.parse(JSON.stringify(written));
  for (const path of gone) {
    const [field, label] = path.split('/');
    if (label === undefined) spec[field] ??= null;
    else spec.labels = { [label]: null, ...(spec.labels as object) };
  }
  if (kind === 'strategic') return applyStrategicMergePatch(current, { spec }, schema) as unknown as TestObject;
  if (written.set) spec.set = [...(base.set ?? []), ...written.set];
  if (written.ports) spec.ports = [...(base.ports ?? []), ...written.ports] as unknown as Json;
  return applyMergePatch(current, { spec }) as unknown as TestObject;
}

function jsonPatch(live: Content, written: Content, gone: readonly string[]): Json {
  const put = (path: string, value: unknown) => ({ op: 'add', path: `/spec/${path}`, value });
  const operations: unknown[] = [];
  for (const path of gone) {
    const [field, label] = path.split('/');
    const there = label === undefined ? live[field as 'a' | 'b'] : live.labels?.[label];
    if (there !== undefined) operations.push({ op: 'remove', path: `/spec/${path}` });
  }
  for (const field of ['a', 'b'] as const) if (written[field]) operations.push(put(field, written[field]));
  for (const [name, value] of Object.entries(written.labels ?? {})) operations.push(put(`labels/${name}`, value));
  for (const member of written.set ?? []) if (!live.set?.includes(member)) operations.push(put('set/-', member));
  for (const port of written.ports ?? []) {
    const place = live.ports?.findIndex((one) => one.port === port.port) ?? -1;
    if (place < 0) operations.push(put('ports/-', port));
    else operations.push({ op: 'replace', path: `/spec/ports/${place}`, value: port });
  }
  return operations as Json;
}

const gvk = { group: 'example.com', version: 'v1', kind: 'Thing' };
const object = (content: object): TestObject =>
  ({ apiVersion: 'example.com/v1', kind: 'Thing', metadata: {}, spec: content }) as unknown as TestObject;

const withBase = ({ labels, set = [], ports = [], ...rest }: Content): Content => ({
  ...rest,
  labels: { base: '0', ...labels },
  set: ['base', ...set],
  ports: [{ port: 1, name: 'base' }, ...ports],
});

function seeded(): TestObject {
  const start = object({ ...base, seed: 's' });
  const entry = { manager: 'seed', operation: 'Update', apiVersion: 'example.com/v1', fieldsType: 'FieldsV1' };
  // untouched fields need an owner: fields without one are removed with the last owned part of their container
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

function ownersOf({ metadata }: TestObject): Record<string, string[]> {
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

const schema: StructMerge = {
  ...merge,
  fields: { ...merge.fields, metadata: () => ({ kind: 'untyped' }) as const },
};

describe('after any sequence of applies, updates and patches', () => {
  const manager = createFieldManager({ merge: schema, gvk, clock: new ManualClock() });

  test('fields are owned as in a simple model, and the object is as in the model', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 8 }), (operations) => {
        const model = new Model(base);
        let live = seeded();
        for (const { verb, manager: who, force, content: written, gone } of operations) {
          if (verb === 'json' || verb === 'merge' || verb === 'strategic') {
            live = manager.update(live, patched(live, verb, written, gone), who);
            model.update(patchedLeaves(model.leaves, verb, written, gone), who);
          } else if (verb === 'update') {
            const next = object({ ...withBase(written), seed: 's' });
            live = manager.update(live, next, who);
            model.update(flatten(withBase(written)), who);
          } else {
            const conflicts = model.apply(flatten(written), who, force);
            const before = structuredClone(live);
            try {
              live = manager.apply(live, object(written), who, force);
              expect(conflicts).toEqual([]);
              // a repetition changes nothing, not even the owners
              expect(manager.apply(live, object(written), who, false)).toEqual(live);
            } catch (error) {
              if (!isStatusError(error)) throw error;
              expect(error.status.details?.causes).toHaveLength(conflicts.length);
              expect(live).toEqual(before);
            }
          }
          expect(ownersOf(live)).toEqual(Object.fromEntries([...model.owners].map(([name, paths]) => [name, [...paths].sort()])));
          expect(sortedLeaves(flatten(live.spec))).toEqual(sortedLeaves(model.leaves));
        }
      }),
      { numRuns: 200 },
    );
  });
});

const sortedLeaves = (leaves: Leaves): unknown[] => [...leaves].sort(([a], [b]) => (a < b ? -1 : 1));
