import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { EtcdClient } from '../../../../runtime/storage/etcd/etcd-client.ts';
import type { Change, Engine } from '../../../../runtime/storage/kv/engine.ts';
import { CutProxy } from '../../../support/cut-proxy.ts';
import { EtcdCluster, missingEtcd } from '../../../support/etcd.ts';
import { openEngine, openEngineOf } from '../../../support/etcd-engines.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { describeUnless } from '../../../support/skipping.ts';

const show = ({ type, key, revision }: Change) => `${revision} ${type} ${key}`;

const put = (engine: Engine, key: string, value = '', ttlSeconds?: number) =>
  engine.write({ type: 'put', key, value: Buffer.from(value), expect: 'any', ttlSeconds });

/** Resolves when the listeners of an engine have every acknowledged write. */
async function upToDate(engine: Engine): Promise<void> {
  const current = await engine.currentRevision();
  if (engine.revision() >= current) return;
  await new Promise<void>((resolve) => {
    const onCommit = () => {
      if (engine.revision() < current) return;
      stop();
      resolve();
    };
    const stop = engine.listen({ onCommit, onLost: onCommit });
  });
}

/** Returns the later notifications of an engine's listeners. */
function listenTo(engine: Engine): string[] {
  const heard: string[] = [];
  engine.listen({
    onCommit: (changes) => heard.push(...changes.map(show)),
    onLost: () => heard.push('lost'),
  });
  return heard;
}

describeUnless(missingEtcd)('an engine on etcd', () => {
  let cluster: EtcdCluster;
  const closers: (() => void | Promise<void>)[] = [];

  beforeAll(async () => {
    cluster = await EtcdCluster.start();
  });
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });
  afterAll(() => cluster.stop());

  async function open(options: Parameters<typeof openEngine>[1] = {}, endpoints = cluster.endpoints): Promise<Engine> {
    const engine = await openEngine({ endpoints }, options);
    closers.push(() => engine.close());
    return engine;
  }

  async function proxied(): Promise<{ proxy: CutProxy; endpoints: readonly string[] }> {
    const proxy = await CutProxy.for(cluster.endpoints[0]);
    closers.push(() => proxy.close());
    return { proxy, endpoints: [proxy.url.replace('https:', 'http:')] };
  }

  test('hears of its prefix only, and gets up to date when other keys were written', async () => {
    const engine = await open({ prefix: '/one/' });
    const other = await open({ prefix: '/two/' });
    const heard = listenTo(engine);
    await put(other, '/two/a');
    await put(engine, '/one/a');
    await put(other, '/two/b');
    expect(heard).toEqual([`${other.revision() - 1} put /one/a`]);
    await upToDate(engine);
    expect(engine.revision()).toBe(other.revision());
    expect(heard).toHaveLength(1);
    await expect(put(engine, '/two/a')).rejects.toThrow('does not begin with /one/');
  });

  test('a watch that breaks is continued without loss or repetition', async () => {
    const { proxy, endpoints } = await proxied();
    const engine = await open({ prefix: '/cut/' }, endpoints);
    const other = await open({ prefix: '/cut/' });
    const heard = listenTo(engine);
    const all = listenTo(other);
    for (let round = 0; round < 3; round += 1) {
      await put(engine, '/cut/a', `${round}`);
      proxy.cut();
      await put(other, '/cut/a');
      await other.write({ type: 'delete', key: '/cut/a', expect: 'any' });
      proxy.release();
    }
    await upToDate(engine);
    expect(heard).toEqual(all);
    expect(heard).toHaveLength(9);
  });

  test('a read that was cut off is answered by another attempt, a write says that its outcome is unknown', async () => {
    const { proxy, endpoints } = await proxied();
    const engine = await open({ prefix: '/cut/' }, endpoints);
    const resume = proxy.stall();
    const create = engine.write({ type: 'put', key: '/cut/b', value: Buffer.alloc(0), expect: 0 });
    const [read, write] = [engine.get('/cut/none'), create];
    // both are under way
    await new Promise((resolve) => setImmediate(resolve));
    proxy.cut();
    resume();
    proxy.release();
    await expect(write).rejects.toMatchObject({ code: 'unknown-outcome' });
    expect(await read).toBeUndefined();
  });

  test.each(['before', 'at'])('changes that were compacted %s the newest revision are lost, and later ones heard', async (where) => {
    const { proxy, endpoints } = await proxied();
    const engine = await open({ prefix: '/lost/' }, endpoints);
    const other = await open({ prefix: '/lost/' });
    await put(engine, '/lost/a');
    const heard = listenTo(engine);
    proxy.cut();
    await other.write({ type: 'delete', key: '/lost/a', expect: 'any' });
    // compaction at a deletion's own revision removes the deletion
    if (where === 'before') await put(other, '/lost/b');
    await other.compact(other.revision());
    proxy.release();
    await upToDate(engine);
    expect(heard).toEqual(['lost']);
    expect(engine.revision()).toBe(other.revision());
    await put(other, '/lost/c');
    await upToDate(engine);
    expect(heard).toEqual(['lost', `${other.revision()} put /lost/c`]);
  });

  test('keys of one lease go at one revision, and those that are written again stay', async () => {
    const engine = await open({ prefix: '/ttl/' });
    const client = new EtcdClient({ endpoints: cluster.endpoints });
    closers.push(() => client.close());
    const keys = ['/ttl/a', '/ttl/b', '/ttl/c'];
    const batches: (readonly Change[])[] = [];
    const gone = new Promise<void>((resolve) => {
      const onCommit = (changes: readonly Change[]) => {
        if (changes.some(({ type }) => type === 'delete')) batches.push(changes);
        if (batches.flat().length === 4) resolve();
      };
      engine.listen({ onCommit, onLost: () => undefined });
    });
    const { id: lease } = await client.grantLease(1);
    for (const key of [...keys, '/ttl/kept']) {
      await client.txn({ compare: [], success: [{ put: { key, value: Buffer.from('x'), lease } }], failure: [] });
    }
    await put(engine, '/ttl/kept', 'y');
    await put(engine, '/ttl/own', 'x', 1);
    await gone;
    const ofLease = batches.find(([{ key }]) => key !== '/ttl/own') ?? [];
    expect(ofLease.map(({ type, key }) => `${type} ${key}`)).toEqual(keys.map((key) => `delete ${key}`));
    expect(new Set(ofLease.map(({ revision }) => revision)).size).toBe(1);
    expect(await engine.changes(ofLease[0].revision - 1, 1)).toHaveLength(3);
    expect((await engine.range('/ttl/', '/ttl0')).items.map(({ key }) => key)).toEqual(['/ttl/kept']);
  });

  test('one of the servers compacts after each interval, and the others know', async () => {
    const clock = new ManualClock();
    const engines = [
      await open({ prefix: '/compact/', clock, compactionInterval: 1000 }),
      await open({ prefix: '/compact/', clock, compactionInterval: 1000 }),
    ];
    const client = new EtcdClient({ endpoints: cluster.endpoints });
    closers.push(() => client.close());
    const key = { key: 'compact_rev_key' };
    const versions: number[] = [];
    const compacted: number[] = [];
    const first = (await client.range(key)).kvs[0]?.version ?? 0;
    for (let interval = 0; interval < 5; interval += 1) {
      await put(engines[0], '/compact/a', `${interval}`);
      const before = (await client.range(key)).revision;
      clock.advance(1000);
      // each attempt is a transaction, and only one of them writes
      while ((await client.range(key)).revision === before) await new Promise((resolve) => setImmediate(resolve));
      await upToDate(engines[0]);
      versions.push(((await client.range(key)).kvs[0]?.version ?? 0) - first);
      compacted.push(Number(String((await client.range(key)).kvs[0].value)));
    }
    expect(versions).toEqual([1, 2, 3, 4, 5]);
    expect(compacted).toEqual([...compacted].sort((a, b) => a - b));
    await Promise.all(engines.map(upToDate));
    for (const engine of engines) {
      while (engine.compactedRevision() < compacted[4] - 1) await new Promise((resolve) => setImmediate(resolve));
      await expect(engine.get('/compact/a', compacted[4] - 1)).rejects.toMatchObject({ code: 'compacted' });
    }
  });

  test('an engine that opens later knows what is compacted', async () => {
    const engine = await open({ prefix: '/later/' });
    for (let at = 0; at < 20; at += 1) await put(engine, '/later/a', `${at}`);
    await engine.compact(engine.revision() - 5);
    const later = await open({ prefix: '/later/' });
    expect(later.compactedRevision()).toBe(engine.revision() - 6);
    expect(await later.changes(later.compactedRevision() + 1, 100)).toHaveLength(5);
  });

  test('a range of more keys than a page is of one revision', async () => {
    const engine = await open({ prefix: '/many/' });
    const client = new EtcdClient({ endpoints: cluster.endpoints });
    closers.push(() => client.close());
    // pages have 100 keys, then 2,000 small ones, then few large ones
    const sizes = [...Array.from({ length: 2300 }, () => 1), ...Array.from({ length: 20 }, () => 500_000), 1, 1];
    const keys = sizes.map((_, at) => `/many/${String(at).padStart(5, '0')}`);
    for (let at = 0; at < keys.length; at += 100) {
      const puts = keys.slice(at, at + 100).map((key, index) => ({ put: { key, value: new Uint8Array(sizes[at + index]) } }));
      for (const success of at < 2300 ? [puts] : puts.map((each) => [each])) {
        await client.txn({ compare: [], success, failure: [] });
      }
    }
    const range = await engine.range('/many/', '/many0');
    expect(range.items.map(({ key }) => key)).toEqual(keys);
    expect(range.items.map(({ value }) => value.length)).toEqual(sizes);
    expect(range.more).toBe(false);
    expect(await engine.range('/many/', '/many0', { limit: 2101 })).toMatchObject({ more: true });
  });
});

describe('an engine without etcd', () => {
  test('says why it cannot be opened', async () => {
    const client = new EtcdClient({ endpoints: ['http://127.0.0.1:1'] });
    // the refusal arrives before the engine's timeout begins
    await client.connections[0].dial();
    await expect(openEngineOf(client, { openTimeout: 1 })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('dial tcp 127.0.0.1:1: connect: connection refused'),
    });
  });
});
