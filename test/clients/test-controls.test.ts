import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ApiException, CoreV1Api, KubeConfig, KubernetesObjectApi, Watch } from '@kubernetes/client-node';
import { createClient } from '../../generated/testing/client.ts';
import type { FaultPlan } from '../../generated/testing/testing.kubeloom.dev/v1alpha1/types.ts';
import type { RunningServer } from '../../runtime/index.ts';
import { startTestServer } from '../support/test-server.ts';

const apiVersion = 'testing.kubeloom.dev/v1alpha1';
const plan: FaultPlan = {
  apiVersion,
  kind: 'FaultPlan',
  metadata: { name: 'overloaded' },
  spec: {
    match: { verbs: ['list'], resources: ['configmaps'] },
    occurrence: { count: 2 },
    fault: { status: { code: 429, retryAfterSeconds: 3, message: 'wait' } },
  },
};

describe('test controls', () => {
  let server: RunningServer;
  const config = new KubeConfig();

  beforeAll(async () => {
    server = await startTestServer({ testControls: true, clock: 'manual' });
    config.loadFromString(server.kubeconfig);
  });
  afterAll(() => server?.close());

  test('fail the requests of @kubernetes/client-node, which sees the hits by a watch', async () => {
    const objects = KubernetesObjectApi.makeApiClient(config);
    const core = config.makeApiClient(CoreV1Api);
    await objects.create(plan as object);
    const watched = new Watch(config);
    const hits: number[] = [];
    const ended = await new Promise<AbortController>((resolve, reject) => {
      const path = `/apis/${apiVersion}/faultplans`;
      const onEvent = (_: string, { status }: FaultPlan): void => {
        hits.push(status?.hits ?? 0);
        if (hits.at(-1) === 2) started.then(resolve, reject);
      };
      const started = watched.watch(path, {}, onEvent, () => undefined);
      started
        .then(async () => {
          for (let request = 0; request < 2; request++) {
            const error = (await core.listNamespacedConfigMap({ namespace: 'default' }).catch((thrown) => thrown)) as ApiException<string>;
            expect([error.code, error.headers['retry-after']]).toEqual([429, '3']);
            expect(JSON.parse(error.body)).toMatchObject({ reason: 'TooManyRequests', message: 'wait' });
          }
        })
        .catch(reject);
    });
    ended.abort();
    expect([hits[0], hits.at(-1)]).toEqual([0, 2]);
    await objects.delete(plan as object);
    await core.listNamespacedConfigMap({ namespace: 'default' });
  });

  test('have a typed client', async () => {
    const client = await server.client(createClient);
    const { clockadvances, faultplans, snapshots, snapshotrestores } = client.testing.v1alpha1;
    const before = server.clock.now();
    const { status } = await clockadvances.create({ spec: { duration: '90s' } });
    expect(Date.parse(status?.now ?? '')).toBe(before + 90_000);
    const made = await snapshots.create({ metadata: { generateName: 'state-' } });
    expect(made.status?.revision).toBe(server.revision());
    await snapshotrestores.create({ spec: { snapshot: made.metadata.name } });
    await expect(faultplans.create({ ...plan, spec: { fault: {} } })).rejects.toThrow(/must specify one of: status/);
    expect((await faultplans.list()).items).toEqual([]);
  });
});
