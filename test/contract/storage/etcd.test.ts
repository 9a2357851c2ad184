import { afterAll, beforeAll } from '@jest/globals';
import { EtcdCluster, missingEtcd } from '../../support/etcd.ts';
import { newEngines } from '../../support/etcd-engines.ts';
import { describeUnless } from '../../support/skipping.ts';
import { describeEngine, describeEngines } from './describe-engine.ts';

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
});
