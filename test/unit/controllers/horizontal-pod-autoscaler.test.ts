import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { horizontalController } from '../../../runtime/controllers/podautoscaler/horizontal-controller.ts';
import type { Json } from '../../../runtime/machinery/object.ts';
import { type RemoteRead, unregisteredError } from '../../../runtime/reconcile/remote-resources.ts';
import { SimulatedCluster } from '../../support/simulation.ts';
import type { TestObject } from '../../support/test-object.ts';

const autoscalers = 'autoscaling/horizontalpodautoscalers';
const labels = { app: 'web' };
const timestamp = '2026-01-01T00:30:00Z';

describe('a horizontal pod autoscaler', () => {
  let cluster: SimulatedCluster;
  /** Returns metrics by path. */
  let answers: (path: string, read: RemoteRead) => Json;
  let asked: string[];

  beforeEach(async () => {
    asked = [];
    answers = (_path, read) => {
      throw unregisteredError(read);
    };
    const ask = async (_version: object, read: RemoteRead): Promise<Json> => {
      asked.push(read.path);
      return answers(read.path, read);
    };
    cluster = await SimulatedCluster.open((context) => [horizontalController(context, ask)]);
  });

  afterEach(() => cluster.close());

  /** Creates a ReplicaSet whose pods have run for a while. */
  async function createTarget(replicas: number): Promise<void> {
    const containers = [{ name: 'c', image: 'i', resources: { requests: { cpu: '200m', memory: '1Gi' } } }];
    const template = { metadata: { labels }, spec: { containers } };
    const spec = { replicas, selector: { matchLabels: labels }, template };
    const sets = await cluster.stores.of('apps/replicasets');
    await sets.create({ metadata: { name: 'web' }, spec });
    await sets.update('web', ({ status }) => void Object.assign(status, { replicas }), { part: 'status' });
    const pods = await cluster.stores.of('pods');
    for (let index = 0; index < replicas; index++) {
      await pods.create({ metadata: { name: `p${index}`, labels }, spec: template.spec });
      await cluster.run(`p${index}`);
      const start = ({ status }: TestObject) => void Object.assign(status, { startTime: '2026-01-01T00:00:00Z' });
      await pods.update(`p${index}`, start, { part: 'status' });
    }
    cluster.clock.advance(1_800_000);
  }

  async function createAutoscaler(spec: object, name = 'hpa'): Promise<void> {
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web' };
    const stored = await cluster.stores.of(autoscalers, 'v2');
    await stored.create({ metadata: { name }, spec: { scaleTargetRef, maxReplicas: 10, ...spec } });
    await cluster.settle();
  }

  const utilization = (averageUtilization: number, name = 'cpu') => ({
    type: 'Resource',
    resource: { name, target: { type: 'Utilization', averageUtilization } },
  });
  /** Returns the usage of each pod. */
  const usage = (...values: string[]) => ({
    items: values.map((cpu, index) => ({
      metadata: { name: `p${index}` },
      timestamp,
      window: '30s',
      containers: [{ name: 'c', usage: { cpu, memory: '512Mi' } }],
    })),
  });
  /** Waits, because the group of events is loaded with the first write. */
  const events = async () => {
    await cluster.pass(1);
    return cluster.events('HorizontalPodAutoscaler');
  };
  const replicas = async () => (await cluster.list('apps/replicasets'))[0].spec.replicas;
  const status = async (name = 'hpa'): Promise<TestObject['status']> => {
    const stored = await cluster.stores.of(autoscalers, 'v2');
    return stored.get(name)?.status;
  };
  const conditions = async (name = 'hpa') =>
    ((await status(name)).conditions ?? []).map((one: TestObject) => `${one.type}=${one.status} ${one.reason}: ${one.message}`);

  test.each([
    ['scales up by the use of CPU', 3, ['140m', '140m', '140m'], 50, 5],
    ['keeps its size within a tolerance of 10 %', 2, ['105m', '105m'], 50, 2],
    ['at most doubles its size at once', 3, ['200m', '200m', '200m'], 10, 6],
    ['scales up to four at once', 1, ['200m'], 10, 4],
    ['counts pods without metrics as idle when it scales up', 3, ['250m', '250m'], 50, 5],
    ['counts pods without metrics as busy when it scales down', 3, ['20m', '20m'], 50, 3],
  ])('%s', async (_name, size, used, target, want) => {
    await createTarget(size);
    answers = () => usage(...used);
    await createAutoscaler({ metrics: [utilization(target)] });
    expect(await replicas()).toBe(want);
    expect(asked[0]).toBe('/namespaces/default/pods?labelSelector=app%3Dweb');
  });

  test('says what it found and did', async () => {
    await createTarget(2);
    answers = () => usage('300m', '300m');
    await createAutoscaler({ metrics: [utilization(50), utilization(100, 'memory')] });
    const { currentReplicas, desiredReplicas, currentMetrics, lastScaleTime } = await status();
    expect([currentReplicas, desiredReplicas, lastScaleTime]).toEqual([2, 4, '2026-01-01T00:30:00Z']);
    expect(currentMetrics).toEqual([
      { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 150, averageValue: '300m' } } },
      { type: 'Resource', resource: { name: 'memory', current: { averageUtilization: 50, averageValue: '512Mi' } } },
    ]);
    expect(await conditions()).toEqual([
      'AbleToScale=True SucceededRescale: the HPA controller was able to update the target scale to 4',
      'ScalingActive=True ValidMetricFound: the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)',
      'ScalingLimited=True ScaleUpLimit: the desired replica count is increasing faster than the maximum scale rate',
    ]);
    expect(await events()).toEqual([
      'Normal SuccessfulRescale: New size: 4; reason: cpu resource utilization (percentage of request) above target',
    ]);
  });

  test('scales down only after five minutes of low recommendations', async () => {
    await createTarget(4);
    answers = () => usage('50m', '50m', '50m', '50m');
    await createAutoscaler({ metrics: [utilization(50)] });
    await cluster.pass(270);
    expect(await replicas()).toBe(4);
    expect((await conditions())[0]).toBe(
      'AbleToScale=True ScaleDownStabilized: recent recommendations were higher than current one, applying the highest recent recommendation',
    );
    await cluster.pass(60);
    expect(await replicas()).toBe(2);
  });

  test.each([
    ['more than the maximum', 12, {}, 10, 'Current number of replicas above Spec.MaxReplicas'],
    ['fewer than the minimum', 1, { minReplicas: 3 }, 3, 'Current number of replicas below Spec.MinReplicas'],
  ])('corrects %s without metrics', async (_name, size, spec, want, reason) => {
    await createTarget(size);
    await createAutoscaler({ ...spec, metrics: [utilization(50)] });
    expect(await replicas()).toBe(want);
    expect((await events())[0]).toBe(`Normal SuccessfulRescale: New size: ${want}; reason: ${reason}`);
  });

  test('leaves a target of no replicas alone', async () => {
    await createTarget(0);
    await createAutoscaler({ metrics: [utilization(50)] });
    expect(await conditions()).toContain(
      'ScalingActive=False ScalingDisabled: scaling is disabled since the replica count of the target is zero',
    );
    expect(asked).toEqual([]);
  });

  test('says why there are no metrics, and does nothing', async () => {
    await createTarget(2);
    await createAutoscaler({ metrics: [utilization(50)] });
    const why =
      'failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: ' +
      'the server could not find the requested resource (get pods.metrics.k8s.io)';
    expect(await conditions()).toEqual([
      "AbleToScale=True SucceededGetScale: the HPA controller was able to get the target's current scale",
      `ScalingActive=False FailedGetResourceMetric: the HPA was unable to compute the replica count: ${why}`,
    ]);
    expect(await events()).toEqual([
      `Warning FailedGetResourceMetric: ${why}`,
      `Warning FailedComputeMetricsReplicas: invalid metrics (1 invalid out of 1), first error is: failed to get cpu resource metric value: ${why}`,
    ]);
    expect(await replicas()).toBe(2);
  });

  const failing = {
    type: 'Pods',
    pods: { metric: { name: 'qps' }, target: { type: 'AverageValue', averageValue: '1' } },
  };
  const resourceMetricsOnly = (...used: string[]) => {
    answers = (path) => {
      if (path.includes('qps')) throw new Error('no such metric');
      return usage(...used);
    };
  };
  const noQps = 'unable to get metric qps: unable to fetch metrics from custom metrics API: no such metric';

  test('scales up by the metrics that there are', async () => {
    await createTarget(2);
    resourceMetricsOnly('200m', '200m');
    await createAutoscaler({ metrics: [failing, utilization(50)] });
    expect(await replicas()).toBe(4);
    expect((await status()).currentMetrics.map(({ type }: TestObject) => type)).toEqual(['', 'Resource']);
    expect((await conditions())[1]).toMatch(/^ScalingActive=True ValidMetricFound: /);
    expect((await events())[0]).toBe(`Warning FailedGetPodsMetric: ${noQps}`);
  });

  test('does not scale down as long as a metric is missing', async () => {
    await createTarget(4);
    resourceMetricsOnly('10m', '10m', '10m', '10m');
    await createAutoscaler({ metrics: [failing, utilization(50)] });
    await cluster.pass(330);
    expect(await replicas()).toBe(4);
    expect((await conditions())[1]).toBe(
      `ScalingActive=False FailedGetPodsMetric: the HPA was unable to compute the replica count: ${noQps}`,
    );
    expect(await events()).toContain(
      `Warning FailedComputeMetricsReplicas: invalid metrics (1 invalid out of 2), first error is: failed to get pods metric value: ${noQps}`,
    );
  });

  test.each([
    [
      'an object by its average',
      {
        type: 'Object',
        object: {
          metric: { name: 'hits' },
          target: { type: 'AverageValue', averageValue: '5' },
          describedObject: { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', name: 'front' },
        },
      },
      'unable to get metric hits: Ingress on default front/unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered',
      'failed to get object metric value: failed to get hits object metric: ',
    ],
    [
      'something outside by its average',
      {
        type: 'External',
        external: { metric: { name: 'queue' }, target: { type: 'AverageValue', averageValue: '5' } },
      },
      'unable to get external metric default/queue/nil: unable to fetch metrics from external metrics API: the server could not find the requested resource (get queue.external.metrics.k8s.io)',
      'failed to get queue external metric value: failed to get queue external metric: ',
    ],
    [
      'something outside by its value',
      { type: 'External', external: { metric: { name: 'queue' }, target: { type: 'Value', value: '5' } } },
      'unable to get external metric default/queue/nil: unable to fetch metrics from external metrics API: the server could not find the requested resource (get queue.external.metrics.k8s.io)',
      'failed to get queue external metric value: failed to get external metric queue: ',
    ],
  ])('says why it has no metric of %s', async (_name, metric, why, prefix) => {
    await createTarget(1);
    await createAutoscaler({ metrics: [metric] });
    expect((await events()).map((text) => text.slice(text.indexOf(': ') + 2))).toEqual([
      why,
      `invalid metrics (1 invalid out of 1), first error is: ${prefix}${why}`,
    ]);
  });

  test('does nothing for pods that another one scales, until that is gone', async () => {
    await createTarget(2);
    answers = () => usage('100m', '100m');
    await createAutoscaler({ metrics: [utilization(50)] }, 'a');
    await createAutoscaler({ metrics: [utilization(10)] }, 'b');
    await cluster.pass(15);
    const why = 'pods by selector app=web are controlled by multiple HPAs: [default/a default/b]';
    expect((await conditions('a'))[1]).toBe(`ScalingActive=False AmbiguousSelector: ${why}`);
    expect((await conditions('b'))[1]).toBe(`ScalingActive=False AmbiguousSelector: ${why}`);
    expect(await events()).toEqual(
      expect.arrayContaining([`Warning AmbiguousSelector: ${why}`, `Warning FailedComputeMetricsReplicas: ${why}`]),
    );
    expect(await replicas()).toBe(2);
    await (await cluster.stores.of(autoscalers, 'v2')).delete('b');
    await cluster.pass(15);
    expect((await conditions('a'))[1]).toMatch(/^ScalingActive=True ValidMetricFound: /);
  });

  test('says that its target does not exist', async () => {
    await createAutoscaler({ metrics: [utilization(50)] });
    expect(await conditions()).toEqual([
      'AbleToScale=False FailedGetScale: the HPA controller was unable to get the target\'s current scale: replicasets.apps "web" not found',
    ]);
  });

  const value = (quantity: string) => ({ value: quantity, timestamp });
  test.each([
    [
      'pods',
      { pods: { metric: { name: 'qps' }, target: { type: 'AverageValue', averageValue: '10' } } },
      { items: ['p0', 'p1'].map((name) => ({ describedObject: { name }, ...value('20') })) },
      '/namespaces/default/pods/*/qps?labelSelector=app%3Dweb',
      4,
    ],
    [
      'an object',
      {
        object: {
          metric: { name: 'hits' },
          target: { type: 'Value', value: '100' },
          describedObject: { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', name: 'front' },
        },
      },
      { items: [value('150')] },
      '/namespaces/default/ingresses.networking.k8s.io/front/hits',
      3,
    ],
    [
      'something outside',
      {
        external: {
          metric: { name: 'queue', selector: { matchLabels: { of: 'web' } } },
          target: { type: 'AverageValue', averageValue: '50' },
        },
      },
      { items: [value('100'), value('90')] },
      '/namespaces/default/queue?labelSelector=of%3Dweb',
      4,
    ],
    [
      'one container',
      { containerResource: { name: 'cpu', container: 'c', target: { type: 'Utilization', averageUtilization: 50 } } },
      usage('150m', '150m'),
      '/namespaces/default/pods?labelSelector=app%3Dweb',
      3,
    ],
  ])('scales by a metric of %s', async (_name, metric, answer, path, want) => {
    await createTarget(2);
    answers = () => answer as Json;
    const kind = Object.keys(metric)[0];
    await createAutoscaler({ metrics: [{ type: kind[0].toUpperCase() + kind.slice(1), ...metric }] });
    expect([asked[0], await replicas()]).toEqual([path, want]);
  });

  test('follows the policies of its behavior', async () => {
    await createTarget(4);
    answers = () => usage('200m', '200m', '200m', '200m');
    const scaleUp = { policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }], stabilizationWindowSeconds: 0 };
    await createAutoscaler({ metrics: [utilization(20)], behavior: { scaleUp } });
    expect(await replicas()).toBe(5);
    await cluster.pass(45);
    expect(await replicas()).toBe(5);
    await cluster.pass(20);
    expect(await replicas()).toBe(6);
  });
});
