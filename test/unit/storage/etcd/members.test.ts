import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { isStorageError } from '../../../../runtime/storage/errors.ts';
import type { Change, Engine } from '../../../../runtime/storage/kv/engine.ts';
import { EtcdCluster, missingEtcd } from '../../../support/etcd.ts';
import { openEngine } from '../../../support/etcd-engines.ts';
import type { ListeningProcess } from '../../../support/listening-process.ts';
import { describeUnless } from '../../../support/skipping.ts';

const show = ({ type, key, revision }: Change): string => `${revision} ${type} ${key}`;

describeUnless(missingEtcd)('a cluster of three members', () => {
  let cluster: EtcdCluster;
  let engines: Engine[] = [];

  beforeAll(async () => {
    cluster = await EtcdCluster.start({ members: 3 });
  });
  afterEach(async () => {
    await Promise.all(engines.map((engine) => engine.close()));
    engines = [];
  });
  afterAll(() => cluster?.stop());

  /** Resolves when an engine has the other engines' writes. */
  async function upToDate(engine: Engine, revision: number): Promise<void> {
    if (engine.revision() >= revision) return;
    await new Promise<void>((resolve, reject) => {
      engine.listen({
        onCommit: () => engine.revision() >= revision && resolve(),
        onLost: () => reject(new Error('the engine lost changes')),
      });
    });
  }

  const kill = async (member: ListeningProcess): Promise<void> => {
    await member.kill();
    await new Promise((resolve) => setTimeout(resolve, 300));
    await member.start();
  };
  const pause = async (member: ListeningProcess): Promise<void> => {
    member.pause();
    await new Promise((resolve) => setTimeout(resolve, 300));
    member.resume();
  };

  test.each([
    ['killed', kill],
    ['paused', pause],
  ])('of which each is %s in turn: nothing that was acknowledged is lost, and all hear the same', async (_how, fault) => {
    const { endpoints } = cluster;
    engines = [await openEngine({ endpoints }, { prefix: '/m/' }), await openEngine({ endpoints }, { prefix: '/m/' })];
    const from = Math.max(...engines.map((engine) => engine.revision()));
    await Promise.all(engines.map((engine) => upToDate(engine, from)));
    const heard = engines.map((engine) => {
      const changes: string[] = [];
      engine.listen({ onCommit: (batch) => changes.push(...batch.map(show)), onLost: () => changes.push('lost') });
      return changes;
    });
    const acknowledged: string[] = [];
    const writes: Promise<void>[] = [];
    const write = async (count: number): Promise<void> => {
      try {
        const value = Buffer.from(`${count}`);
        const key = `/m/${count % 7}`;
        const result = await engines[count % 2].write({ type: 'put', key, value, expect: 'any' });
        if (result.ok) acknowledged.push(show(result.change));
      } catch (error) {
        // only a sent write may have an unknown outcome
        if (!isStorageError(error) || error.code !== 'unknown-outcome') throw error;
      }
    };
    /** Writes continuously until some writes are acknowledged. */
    const writeOn = async (): Promise<void> => {
      const enough = acknowledged.length + 20;
      while (acknowledged.length < enough) {
        writes.push(write(writes.length));
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    };
    for (const member of cluster.members) {
      await writeOn();
      await Promise.all([fault(member), writeOn()]);
    }
    await Promise.all(writes);
    const current = Math.max(...(await Promise.all(engines.map((engine) => engine.currentRevision()))));
    await Promise.all(engines.map((engine) => upToDate(engine, current)));
    expect(heard[1]).toEqual(heard[0]);
    expect(new Set(heard[0]).size).toBe(heard[0].length);
    expect(heard[0]).toEqual((await engines[0].changes(from, 1e6)).map((change) => show(change as Change)));
    expect(heard[0]).toEqual(expect.arrayContaining(acknowledged));
  });
});
