import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newEngines, openEngine } from '../../support/etcd-engines.ts';
import { Kine, missingKine } from '../../support/kine.ts';
import { missingPostgres, Postgres } from '../../support/postgres.ts';
import { describeUnless } from '../../support/skipping.ts';
import { describeEngine, describeEngines, type StoreLimits } from './describe-engine.ts';
import { describeObjectStore } from './describe-object-store.ts';
import { describeSharedStore } from './describe-shared-store.ts';

const sqlite: StoreLimits = { compaction: 'kine compacts by its own clock and ignores requests (KINE_COMPACT_INTERVAL)' };

const postgres: StoreLimits = {
  ...sqlite,
  contiguousRevisions: 'a refused write uses up a revision of kine with PostgreSQL',
  completeWatches: 'a watch of kine with PostgreSQL begins after the newest row, though an older one may not be committed yet',
  endsWithNUL: 'text of PostgreSQL cannot hold NUL',
};

describeUnless(missingKine)('kine with SQLite', () => describeKine(() => Kine.start(), sqlite));
describeUnless(missingKine ?? missingPostgres)('kine with PostgreSQL', () =>
  describeKine(async () => Kine.start(await Postgres.start()), postgres),
);

function describeKine(start: () => Promise<Kine>, limits: StoreLimits): void {
  let kine: Kine;

  beforeAll(async () => {
    kine = await start();
  });
  afterAll(() => kine.stop());

  describeEngine(
    'kine',
    async () => {
      const [engine] = await newEngines([kine.endpoint], 1);
      return { engine, dispose: async () => undefined };
    },
    limits,
  );

  describeEngines(
    'engines of one kine',
    async (count) => {
      return { engines: await newEngines([kine.endpoint], count), dispose: async () => undefined };
    },
    limits,
  );

  describeObjectStore(
    'a new kine',
    async () => {
      const [engine, reopened] = await newEngines([kine.endpoint], 2);
      return { engine, reopen: async () => reopened, dispose: () => reopened.close() };
    },
    undefined,
    limits,
  );

  test('every acknowledged write is there after kine is killed', async () => {
    const [engine] = await newEngines([kine.endpoint], 1);
    const acknowledged = new Map<string, number>();
    for (let round = 0; round < 5; round += 1) {
      const writes = Array.from({ length: 20 }, async (_, at) => {
        const key = `kill/${round}/${at}`;
        const result = await engine.write({ type: 'put', key, value: Buffer.from(key), expect: 0 });
        if (result.ok) acknowledged.set(key, result.change.revision);
      });
      await Promise.any(writes);
      await kine.restart();
      await Promise.allSettled(writes);
      const [reader] = [await openEngine({ endpoints: [kine.endpoint] })];
      const { items } = await reader.range('kill/', 'kill0');
      const stored = new Set(items.map(({ key }) => key));
      expect([...acknowledged.keys()].filter((key) => !stored.has(key))).toEqual([]);
      await reader.close();
    }
    await engine.close();
  });

  describeSharedStore('two at one kine', async (count) => {
    return { engines: await newEngines([kine.endpoint], count), dispose: async () => undefined };
  });
}
