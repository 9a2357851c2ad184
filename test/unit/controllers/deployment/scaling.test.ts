import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { deploymentController } from '../../../../runtime/controllers/deployment/deployment-controller.ts';
import { SimulatedCluster } from '../../../support/simulation.ts';

let cluster: SimulatedCluster;
beforeEach(async () => {
  cluster = await SimulatedCluster.open((context) => [deploymentController(context)]);
});
afterEach(() => cluster.close());

const labels = { app: 'web' };
const template = (version: number) => ({
  metadata: { labels },
  spec: { containers: [{ name: 'c', image: `i:${version}` }] },
});

interface Scaling {
  readonly name: string;
  /** The size of the deployment before and after. */
  readonly from: number;
  readonly to: number;
  /** The sizes of its ReplicaSets before and after, oldest first. */
  readonly sets: readonly number[];
  readonly want: readonly number[];
  /** The last set is not the new one. Default: false. */
  readonly isTemplateChanged?: boolean;
  readonly surge?: readonly [before: number, after: number];
}

// (pkg/controller/deployment/sync_test.go TestScale)
test.each<Scaling>([
  { name: 'up', from: 10, to: 12, sets: [10], want: [12] },
  { name: 'down', from: 10, to: 5, sets: [10], want: [5] },
  { name: 'up in proportion', from: 5, to: 10, sets: [3, 2], want: [6, 4] },
  { name: 'down in proportion', from: 5, to: 3, sets: [3, 2], want: [2, 1] },
  { name: 'down in proportion, to none', from: 9, to: 4, sets: [1, 8], want: [0, 4] },
  { name: 'up in proportion, three of them', from: 7, to: 10, sets: [2, 3, 2], want: [3, 4, 3] },
  { name: 'down in proportion, three of them', from: 13, to: 8, sets: [3, 8, 2], want: [2, 5, 1] },
  { name: 'up, with one more for the newest', from: 3, to: 4, sets: [1, 1, 1], want: [1, 1, 2] },
  { name: 'down, with one less for the oldest', from: 3, to: 2, sets: [1, 1, 1], want: [0, 1, 1] },
  { name: 'up without a new one', from: 4, to: 5, sets: [2, 2], want: [2, 3], isTemplateChanged: true },
  { name: 'to zero', from: 6, to: 0, sets: [1, 2, 3], want: [0, 0, 0] },
  { name: 'from zero', from: 6, to: 6, sets: [0, 0, 0], want: [0, 0, 6] },
  { name: 'with surge pods', from: 10, to: 20, sets: [6, 6], want: [11, 11], surge: [2, 2] },
  { name: 'with another surge', from: 10, to: 50, sets: [8, 5], want: [34, 22], surge: [3, 6] },
  { name: 'with another template', from: 10, to: 14, sets: [3, 7], want: [4, 10], isTemplateChanged: true },
  { name: 'nothing if the new one has no pods', from: 2, to: 2, sets: [1, 2], want: [1, 2], surge: [1, 1] },
])('ReplicaSets of $sets replicas are scaled $name: $want', async (scaling) => {
  const { from, to, sets, isTemplateChanged = false, surge: [before, after] = [0, 0] } = scaling;
  const replicaSets = await cluster.stores.of('apps/replicasets');
  for (const [index, replicas] of sets.entries()) {
    cluster.clock.advance(1000);
    const annotations = {
      'deployment.kubernetes.io/desired-replicas': String(from),
      'deployment.kubernetes.io/max-replicas': String(from + before),
    };
    await replicaSets.create({
      metadata: { name: `web-${index}`, labels, annotations },
      spec: { replicas, selector: { matchLabels: labels }, template: template(index) },
    });
  }
  const version = isTemplateChanged ? sets.length : sets.length - 1;
  await (await cluster.stores.of('apps/deployments')).create({
    metadata: { name: 'web' },
    spec: {
      replicas: to,
      paused: true,
      selector: { matchLabels: labels },
      template: template(version),
      strategy: { rollingUpdate: { maxSurge: after, maxUnavailable: 1 } },
    },
  });
  await cluster.settle();
  expect(sets.map((_, index) => replicaSets.get(`web-${index}`)?.spec.replicas)).toEqual(scaling.want);
});
