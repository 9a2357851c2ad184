import { afterAll, beforeAll } from '@jest/globals';
import { newEngines } from '../../support/etcd-engines.ts';
import { Kine, missingKine } from '../../support/kine.ts';
import { describeUnless } from '../../support/skipping.ts';
import { describeEngine, describeEngines } from './describe-engine.ts';
import { describeObjectStore } from './describe-object-store.ts';
import { describeSharedStore } from './describe-shared-store.ts';

describeUnless(missingKine)('kine with SQLite', () => {
  let kine: Kine;

  beforeAll(async () => {
    kine = await Kine.start();
  });
  afterAll(() => kine.stop());

  describeEngine('kine', async () => {
    const [engine] = await newEngines([kine.endpoint], 1);
    return { engine, dispose: async () => undefined };
  });

  describeEngines('engines of one kine', async (count) => {
    return { engines: await newEngines([kine.endpoint], count), dispose: async () => undefined };
  });

  describeObjectStore('a new kine', async () => {
    const [engine, reopened] = await newEngines([kine.endpoint], 2);
    return { engine, reopen: async () => reopened, dispose: () => reopened.close() };
  });

  describeSharedStore('two at one kine', async (count) => {
    return { engines: await newEngines([kine.endpoint], count), dispose: async () => undefined };
  });
});
