import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createMemoryEngine } from '../../../../runtime/storage/memory/memory-engine.ts';
import type { Collection, ObjectStore, StoredObject, StoreStates } from '../../../../runtime/storage/object-store/contract.ts';
import { openObjectStore } from '../../../../runtime/storage/object-store/object-store.ts';
import { node, nodes, pod, pods, showEvent } from '../../../contract/storage/describe-object-store.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { Random } from '../../../support/random.ts';

/** A new seed each time; `SEED=` repeats one. */
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

let clock: ManualClock;
let store: ObjectStore;
let collection: Collection;
let states: StoreStates;
let uids = 0;
const opened: ObjectStore[] = [];

beforeEach(async () => {
  clock = new ManualClock();
  store = openObjectStore({ engine: createMemoryEngine(clock), clock });
  opened.push(store);
  states = store.states as StoreStates;
  collection = await store.collection(pods);
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

const fork = (state = states.state(), of = states): ObjectStore => {
  const made = of.fork(state);
  opened.push(made);
  return made;
};
/** Returns an object with a new uid, as servers assign it: a recreated object is a different one. */
const newPod = (name: string, on = '') => {
  const made = pod('ns', name, { node: on });
  uids += 1;
  made.metadata.uid = `uid-${uids}`;
  return made;
};
const create = async (name: string, into = collection) => (await into.create(newPod(name))) as StoredObject;
const assign = async (name: string, on: string, of = collection) => {
  const stored = of.latest().get('ns', name) as StoredObject;
  const changed = newPod(name, on);
  changed.metadata.uid = stored.uid;
  return of.update(changed, stored.revision);
};
const remove = async (name: string, of = collection) => of.delete('ns', name, (of.latest().get('ns', name) as StoredObject).revision);
/** Returns all objects, without their revisions. */
const shown = (of: Collection) => [...of.latest().scan()].map((one) => `${one.name} ${one.uid} ${one.fields['spec.nodeName']}`);

describe('a restored state', () => {
  test('is told as deletions and additions with new revisions', async () => {
    await create('same');
    await create('changed');
    await create('gone');
    const replaced = await create('replaced');
    const state = states.state();
    await assign('changed', 'n1');
    await remove('gone');
    await remove('replaced');
    await create('replaced');
    await create('new');
    const after = store.revision();
    const events: string[] = [];
    collection.watch({ after, onEvent: (event) => events.push(showEvent(event)) });
    await states.restore(state, 'Continue');
    expect(events).toEqual([
      `${after + 1} DELETED new`,
      `${after + 2} DELETED replaced`,
      `${after + 3} MODIFIED changed`,
      `${after + 4} ADDED gone`,
      `${after + 5} ADDED replaced`,
    ]);
    expect(store.revision()).toBe(after + 5);
    expect(collection.latest().get('ns', 'replaced')?.uid).toBe(replaced.uid);
  });

  test('costs no revision if nothing is different', async () => {
    await create('a');
    const state = states.state();
    await assign('a', 'n1');
    await states.restore(state, 'Continue');
    const revision = store.revision();
    await states.restore(state, 'Continue');
    expect(store.revision()).toBe(revision);
  });

  test('contains what is being written, which the writers hear', async () => {
    await create('a');
    const state = states.state();
    const writing = create('b');
    await states.restore(state, 'Continue');
    expect((await writing).name).toBe('b');
    expect(shown(collection)).toHaveLength(1);
  });

  test('with Expire, clients have to list again, and informers hear of each change', async () => {
    await create('a');
    const state = states.state();
    await create('b');
    const after = store.revision();
    const told: string[] = [];
    collection.watch({
      after,
      onEvent: (event) => told.push(`client ${showEvent(event)}`),
      onLost: () => told.push('client has to list'),
    });
    collection.watch({ after, onEvent: (event) => told.push(`informer ${showEvent(event)}`) });
    await states.restore(state, 'Expire');
    expect(told).toEqual(['client has to list', `informer ${after + 1} DELETED b`]);
    expect(() => collection.requireHistory(after)).toThrow('compacted');
    collection.requireHistory(store.revision());
  });

  test('expires when it would have', async () => {
    const events = await store.collection({ ...nodes, resourcePrefix: 'events', ttlSeconds: 60 });
    const stored = (await events.create(node('e'))) as StoredObject;
    const state = states.state();
    await events.delete('', 'e', stored.revision);
    await states.restore(state, 'Continue');
    const restored = events.latest().get('', 'e') as StoredObject;
    expect(restored.revision).toBeGreaterThan(stored.revision);
    const gone = new Promise<string>((resolve) => {
      events.watch({ after: restored.revision, onEvent: ({ type, object }) => resolve(`${type} ${object.name}`) });
    });
    clock.advance(61_000);
    expect(await gone).toBe('DELETED e');
  });

  test(`equals the state after any writes, and watches fold to it (seed ${seed})`, async () => {
    const random = new Random(seed);
    const write = async (): Promise<void> => {
      const name = `p${random.between(0, 300)}`;
      if (collection.latest().get('ns', name) === undefined) await create(name);
      else if (random.chance(0.5)) await remove(name);
      else await assign(name, `n${random.between(0, 5)}`);
    };
    const folded = new Map<string, string>();
    let newest = 0;
    collection.watch({
      after: store.revision(),
      onEvent: ({ type, object, revision }) => {
        expect(revision).toBeGreaterThan(newest);
        newest = revision;
        if (type === 'ADDED') expect(folded.has(object.name)).toBe(false);
        else expect(folded.get(object.name)).toContain(object.uid);
        if (type === 'DELETED') folded.delete(object.name);
        else folded.set(object.name, `${object.name} ${object.uid} ${object.fields['spec.nodeName']}`);
      },
    });
    const kept: { readonly state: ReturnType<StoreStates['state']>; readonly shown: readonly string[] }[] = [];
    for (let round = 0; round < 30; round += 1) {
      for (let count = random.between(0, 60); count > 0; count -= 1) await write();
      if (kept.length < 4) kept.push({ state: states.state(), shown: shown(collection) });
      const { state, shown: wanted } = random.pick(kept);
      await states.restore(state, 'Continue');
      expect(shown(collection)).toEqual(wanted);
      expect([...folded.values()].sort()).toEqual([...wanted].sort());
      expect(shown(await fork(state).collection(pods))).toEqual(wanted);
    }
  });
});

describe('a fork', () => {
  test('and its origin do not see what the other one writes', async () => {
    for (let at = 0; at < 200; at += 1) await create(`p${at}`);
    const other = await fork().collection(pods);
    await remove('p7');
    await assign('p8', 'origin');
    await assign('p8', 'fork', other);
    await create('new', other);
    expect(shown(other)).toHaveLength(201);
    expect(other.latest().get('ns', 'p8')?.fields['spec.nodeName']).toBe('fork');
    expect(collection.latest().get('ns', 'p8')?.fields['spec.nodeName']).toBe('origin');
    expect(other.latest().get('ns', 'p7')).toBeDefined();
    expect(collection.latest().get('ns', 'new')).toBeUndefined();
  });

  test('begins at the revision of its state, and with its history', async () => {
    const { revision } = await create('a');
    const state = states.state();
    await create('b');
    const forked = fork(state);
    const other = await forked.collection(pods);
    expect(forked.revision()).toBe(revision);
    other.requireHistory(revision);
    expect(() => other.requireHistory(revision - 1)).toThrow('compacted');
    expect((await create('c', other)).revision).toBe(revision + 1);
  });

  test('shares what is encoded, also of an origin that was closed', async () => {
    const stored = await create('a');
    const encoded = stored.cacheEncode('x', () => Buffer.from('once'));
    const other = await fork().collection(pods);
    await store.close();
    const same = other.latest().get('ns', 'a');
    expect(same?.cacheEncode('x', () => Buffer.from('again'))).toBe(encoded);
    expect((await create('b', other)).name).toBe('b');
  });

  test('opens collections after writes to them, and others that its origin had not loaded', async () => {
    await create('a');
    const forked = fork();
    const again = fork(forked.states?.state(), forked.states);
    const other = await again.collection(pods);
    await create('b', other);
    const third = await fork(again.states?.state(), again.states).collection(nodes);
    await third.create(node('n'));
    expect(shown(other).map((line) => line.split(' ')[0])).toEqual(['a', 'b']);
    expect([...third.latest().scan()].map(({ name }) => name)).toEqual(['n']);
  });

  test('can be made while writes are under way, and has those that were acknowledged', async () => {
    const writing = Array.from({ length: 50 }, (_, at) => create(`p${at}`));
    const early = fork();
    await Promise.all(writing);
    const late = fork();
    expect(shown(await early.collection(pods)).length).toBeLessThanOrEqual(50);
    expect(shown(await late.collection(pods))).toHaveLength(50);
  });

  test('restores a state that its origin kept', async () => {
    await create('a');
    const state = states.state();
    await create('b');
    const forked = fork();
    const other = await forked.collection(pods);
    await forked.states?.restore(state, 'Continue');
    expect(shown(other)).toHaveLength(1);
    expect(shown(collection)).toHaveLength(2);
  });
});

test('a store with a codec or transformers keeps no states', () => {
  const transformers = { of: () => undefined, onChange: () => () => undefined };
  const other = openObjectStore({ engine: createMemoryEngine(clock), clock, transformers: transformers as never });
  opened.push(other);
  expect(other.states).toBeUndefined();
});
