import { afterAll, beforeAll } from '@jest/globals';
import { EtcdCluster, missingEtcd } from '../../support/etcd.ts';
import { newEngines } from '../../support/etcd-engines.ts';
import { describeUnless } from '../../support/skipping.ts';
import { describeEngine, describeEngines } from './describe-engine.ts';
import { describeObjectStore } from './describe-object-store.ts';
import { describeSharedStore } from './describe-shared-store.ts';

describeUnless(missingEtcd)('etcd', () => {
  let cluster: EtcdCluster;

  beforeAll(async () => {
    cluster = await EtcdCluster.start();
  });
  afterAll(() => cluster.stop());

  describeEngine('etcd', async () => {
    const [engine] = await newEngines(cluster.endpoints, 1);
    return { engine, dispose: async () => undefined };
  });

  describeEngines('engines of one etcd', async (count) => {
    return { engines: await newEngines(cluster.endpoints, count), dispose: async () => undefined };
  });

  describeObjectStore('a new etcd', async () => {
    const [engine, reopened] = await newEngines(cluster.endpoints, 2);
    return { engine, reopen: async () => reopened, dispose: () => reopened.close() };
  });

  describeSharedStore('two at one etcd', async (count) => {
    return { engines: await newEngines(cluster.endpoints, count), dispose: async () => undefined };
  });
});
