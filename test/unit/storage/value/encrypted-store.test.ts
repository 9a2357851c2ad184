import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { openLmdbEngine } from '../../../../runtime/storage/lmdb/lmdb-engine.ts';
import { openObjectStore } from '../../../../runtime/storage/object-store/object-store.ts';
import { GCMTransformer } from '../../../../runtime/storage/value/encrypt/aes/gcm.ts';
import { identityTransformer } from '../../../../runtime/storage/value/encrypt/identity.ts';
import { TransformationMetrics } from '../../../../runtime/storage/value/metrics.ts';
import { type PrefixTransformer, PrefixTransformers } from '../../../../runtime/storage/value/prefix-transformers.ts';
import { type ResourceTransformers, TransformError } from '../../../../runtime/storage/value/transformer.ts';
import { pod, pods, showEvent } from '../../../contract/storage/describe-object-store.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const aes = (name: string): PrefixTransformer => ({
  prefix: `k8s:enc:aesgcm:v1:${name}:`,
  transformer: new GCMTransformer(Buffer.alloc(32, name)),
});
const identity: PrefixTransformer = { prefix: '', transformer: identityTransformer };

/** Replaceable transformers of pods. */
class Transformers implements ResourceTransformers {
  readonly #listeners = new Set<() => void>();
  #current: PrefixTransformers;

  constructor(...list: readonly PrefixTransformer[]) {
    this.#current = this.#union(list);
  }

  use(...list: readonly PrefixTransformer[]): void {
    this.#current = this.#union(list);
    for (const listener of this.#listeners) listener();
  }

  transformerForResource(group: string, resource: string) {
    return group === '' && resource === 'pods' ? this.#current : identityTransformer;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #union(list: readonly PrefixTransformer[]): PrefixTransformers {
    return new PrefixTransformers(list, { noMatch: 'no matching prefix found', metrics: new TransformationMetrics() });
  }
}

const key = (name: string) => `/registry/pods/ns/${name}`;

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

/** Creates a folder for successive stores. */
async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'encrypted-store-'));
  folders.push(folder);
  return folder;
}

/** Opens a store. Returns it with the engine below it. */
async function open(transformers: Transformers, path: string) {
  const engine = await openLmdbEngine({ path, unsafeNoFsync: true });
  const store = openObjectStore({ engine, transformers, clock: new ManualClock() });
  const raw = async (name: string) => Buffer.from((await engine.get(key(name)))?.value ?? []).toString('latin1');
  return { store, engine, raw };
}

/** Creates a store with one object, and closes it. */
async function makeStore(transformer: PrefixTransformer, name = 'a', path?: string): Promise<string> {
  const folder = path ?? (await makeFolder());
  const { store } = await open(new Transformers(transformer), folder);
  await (await store.collection(pods)).create(pod('ns', name));
  await store.close();
  return folder;
}

describe('a store with transformers', () => {
  test('gives the engine only transformed values, and everybody else the objects', async () => {
    const { store, raw } = await open(new Transformers(aes('k')), await makeFolder());
    const collection = await store.collection(pods);
    const events: string[] = [];
    collection.watch({ after: 1, onEvent: (event) => events.push(showEvent(event)) });
    const created = await collection.create(pod('ns', 'a', { labels: { hidden: 'one' } }));
    expect(created?.decode().metadata.labels).toEqual({ hidden: 'one' });
    expect(await raw('a')).toMatch(/^k8s:enc:aesgcm:v1:k:/);
    expect(await raw('a')).not.toContain('hidden');
    const updated = await collection.update(pod('ns', 'a', { labels: { hidden: 'two' } }), created?.revision ?? 0);
    expect(collection.at(created?.revision ?? 0).get('ns', 'a')?.labels).toEqual({ hidden: 'one' });
    const deleted = await collection.delete('ns', 'a', updated?.revision ?? 0);
    expect(deleted?.decode().metadata.labels).toEqual({ hidden: 'two' });
    expect(events).toEqual(['2 ADDED a', '3 MODIFIED a', '4 DELETED a']);
    await store.close();
  });

  test('reads no value that was written for another key', async () => {
    const folder = await makeFolder();
    const { store, engine } = await open(new Transformers(aes('k')), folder);
    const { transformer, prefix } = aes('k');
    for (const [name, writtenAs] of [
      ['a', 'a'],
      ['b', 'a'],
    ]) {
      const authenticatedData = Buffer.from(key(writtenAs));
      const context = { authenticatedData, resource: 'pods' };
      const plain = Buffer.from(JSON.stringify(pod('ns', name)));
      const value = Buffer.concat([Buffer.from(prefix), transformer.transformToStorage(plain, context)]);
      await engine.write({ type: 'put', key: key(name), value, expect: 0 });
    }
    const collection = await store.collection(pods);
    const [a] = collection.latest().scan();
    expect(a.decode().metadata.name).toBe('a');
    expect(collection.corrupt().map(({ name }) => name)).toEqual(['b']);
    await store.close();
  });

  test('reads values of all its transformers, and continues watches across a restart', async () => {
    const folder = await makeStore(identity, 'plain');
    await makeStore(aes('old'), 'old', folder);
    await makeStore(aes('new'), 'new', folder);
    const { store } = await open(new Transformers(aes('new'), aes('old'), identity), folder);
    const collection = await store.collection(pods);
    expect([...collection.latest().scan()].map(({ name }) => name)).toEqual(['new', 'old', 'plain']);
    const events: string[] = [];
    collection.watch({ after: 1, onEvent: (event) => events.push(showEvent(event)) });
    expect(events).toEqual(['2 ADDED plain', '3 ADDED old', '4 ADDED new']);
    const stale = [...collection.latest().scan()].map(async (stored) => [stored.name, await collection.isStale(stored)]);
    expect(await Promise.all(stale)).toEqual([
      ['new', false],
      ['old', true],
      ['plain', true],
    ]);
    await store.close();
  });

  test('replays the changes of objects of which no cache knows the values', async () => {
    const transformers = new Transformers(aes('k'));
    const folder = await makeFolder();
    const first = (await open(transformers, folder)).store;
    const before = await first.collection(pods);
    const created = await before.create(pod('ns', 'a', { labels: { at: 'first' } }));
    await before.update(pod('ns', 'a', { labels: { at: 'second' } }), created?.revision ?? 0);
    await before.delete('ns', 'a', 3);
    await first.close();
    const { store } = await open(transformers, folder);
    const labels: unknown[] = [];
    const onEvent = ({ type, object }: { type: string; object: { labels: unknown } }) => labels.push([type, object.labels]);
    (await store.collection(pods)).watch({ after: 1, onEvent });
    expect(labels).toEqual([
      ['ADDED', { at: 'first' }],
      ['MODIFIED', { at: 'second' }],
      ['DELETED', { at: 'second' }],
    ]);
    await store.close();
  });

  test('lists what it cannot transform as corrupt, with the reason, and can delete it', async () => {
    const folder = await makeStore(aes('lost'));
    const { store } = await open(new Transformers(aes('k'), identity), folder);
    const collection = await store.collection(pods);
    expect(collection.latest().count()).toBe(0);
    const [corrupt] = collection.corrupt();
    expect(corrupt).toMatchObject({ name: 'a', transformError: 'no matching prefix found' });
    expect(await collection.delete('ns', 'a', corrupt.revision)).toBeDefined();
    expect(collection.corrupt()).toEqual([]);
    await store.close();
  });

  test('shows such an object as soon as its key is back', async () => {
    const folder = await makeStore(aes('lost'));
    const transformers = new Transformers(aes('k'));
    const { store, raw } = await open(transformers, folder);
    const collection = await store.collection(pods);
    const added = new Promise<string>((resolve) => {
      collection.watch({ after: store.revision(), onEvent: (event) => resolve(showEvent(event)) });
    });
    transformers.use(aes('k'), aes('lost'));
    expect(await added).toBe('3 ADDED a');
    expect(collection.latest().get('ns', 'a')?.createRevision).toBe(2);
    expect(collection.corrupt()).toEqual([]);
    expect(await raw('a')).toMatch(/^k8s:enc:aesgcm:v1:k:/);
    await store.close();
  });

  test('is not loaded while a value can only be read later', async () => {
    const folder = await makeStore(aes('k'));
    const down: PrefixTransformer = {
      prefix: 'k8s:enc:aesgcm:v1:k:',
      transformer: {
        transformFromStorage: () => Promise.reject(new TransformError('the service is down', { isTemporary: true })),
        transformToStorage: (data) => data,
      },
    };
    const transformers = new Transformers(down);
    const { store } = await open(transformers, folder);
    await expect(store.collection(pods)).rejects.toMatchObject({
      status: { code: 500, message: `unable to transform key "${key('a')}": the service is down` },
    });
    transformers.use(aes('k'));
    expect((await store.collection(pods)).latest().count()).toBe(1);
    await store.close();
  });

  test('writes nothing that cannot be transformed', async () => {
    const broken = {
      transformFromStorage: identityTransformer.transformFromStorage,
      transformToStorage() {
        throw new TransformError('encryptedDEKSource expired');
      },
    };
    const { store, engine } = await open(new Transformers({ prefix: '', transformer: broken }), await makeFolder());
    const collection = await store.collection(pods);
    await expect(collection.create(pod('ns', 'a'))).rejects.toMatchObject({
      status: { code: 500, message: 'encryptedDEKSource expired' },
    });
    expect(engine.revision()).toBe(1);
    await store.close();
  });
});
