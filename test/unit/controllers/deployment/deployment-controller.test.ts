import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { deploymentController } from '../../../../runtime/controllers/deployment/deployment-controller.ts';
import { replicaSetController } from '../../../../runtime/controllers/replicaset/replica-set-controller.ts';
import type { TestResource } from '../../../support/resource-stores.ts';
import { SimulatedCluster } from '../../../support/simulation.ts';
import type { TestObject } from '../../../support/test-object.ts';

let cluster: SimulatedCluster;
let deployments: TestResource;
let sets: TestResource;
beforeEach(async () => {
  cluster = await SimulatedCluster.open((context) => [deploymentController(context), replicaSetController(context)]);
  deployments = await cluster.stores.of('apps/deployments');
  sets = await cluster.stores.of('apps/replicasets');
});
afterEach(() => cluster.close());

const labels = { app: 'web' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i:1' }] } };

async function make(spec: object = {}, annotations: Record<string, string> = {}): Promise<TestObject> {
  const made = await deployments.create({
    metadata: { name: 'web', annotations },
    spec: { replicas: 3, selector: { matchLabels: labels }, template, ...spec },
  });
  await cluster.settle();
  return made;
}

const web = () => deployments.get('web') as TestObject;
const change = async (edit: (deployment: TestObject) => void) => {
  await deployments.update('web', edit);
  await cluster.settle();
};
const setImage = (image: string) =>
  change(({ spec }) => {
    spec.template.spec.containers[0].image = image;
  });
const pods = () => cluster.list('pods');
/** Returns the ReplicaSets by their pods' images. */
const setOf = async (image: string) => {
  const all = await cluster.list('apps/replicasets');
  return all.find(({ spec }) => spec.template.spec.containers[0].image === image) as TestObject;
};
const sizes = async () =>
  Object.fromEntries((await cluster.list('apps/replicasets')).map(({ spec }) => [spec.template.spec.containers[0].image, spec.replicas]));
/** Makes all pods ready, including later ones, until nothing changes. */
const runAll = async () => {
  for (let waiting = await unready(); waiting.length > 0; waiting = await unready()) {
    for (const { metadata } of waiting) await cluster.run(metadata.name as string);
    await cluster.settle();
  }
};
const unready = async () => (await pods()).filter(({ status }) => status.phase !== 'Running');
const progressing = () => web().status.conditions.find(({ type }: { type: string }) => type === 'Progressing');

describe('a deployment', () => {
  test('has a ReplicaSet with a hash of its template, and completes', async () => {
    const { metadata } = await make({ minReadySeconds: 0 }, { 'example.com/cause': 'x' });
    const [set] = (await cluster.list('apps/replicasets')) as [TestObject];
    const hash = set.metadata.labels?.['pod-template-hash'] as string;
    expect(hash).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{1,10}$/);
    const all = { ...labels, 'pod-template-hash': hash };
    expect(set).toMatchObject({
      metadata: {
        name: `web-${hash}`,
        labels: all,
        annotations: {
          'example.com/cause': 'x',
          'deployment.kubernetes.io/revision': '1',
          'deployment.kubernetes.io/desired-replicas': '3',
          'deployment.kubernetes.io/max-replicas': '4',
        },
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: metadata.uid, controller: true }],
      },
      spec: { replicas: 3, selector: { matchLabels: all }, template: { metadata: { labels: all } } },
    });
    expect(web().metadata.annotations).toMatchObject({ 'deployment.kubernetes.io/revision': '1' });
    expect(web().status).toMatchObject({
      observedGeneration: 1,
      replicas: 3,
      updatedReplicas: 3,
      unavailableReplicas: 3,
      conditions: [
        { type: 'Available', status: 'False', reason: 'MinimumReplicasUnavailable' },
        {
          type: 'Progressing',
          status: 'True',
          reason: 'ReplicaSetUpdated',
          message: `ReplicaSet "web-${hash}" is progressing.`,
        },
      ],
    });
    await runAll();
    expect(web().status).toMatchObject({
      replicas: 3,
      updatedReplicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      terminatingReplicas: 0,
      conditions: [
        { type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable' },
        {
          type: 'Progressing',
          status: 'True',
          reason: 'NewReplicaSetAvailable',
          message: `ReplicaSet "web-${hash}" has successfully progressed.`,
        },
      ],
    });
    expect(web().status.unavailableReplicas).toBeUndefined();
    const event = `Normal ScalingReplicaSet: Scaled up replica set web-${hash} from 0 to 3`;
    expect(await cluster.events('Deployment')).toEqual([event]);
  });

  // sizes of the old and the new ReplicaSet, as old/new, at each step: earlier pods are ready, and some new ones are
  // not
  test.each<[string, object, string[]]>([
    ['25%, 25%', {}, ['3/1', '2/2', '1/3']],
    ['surge 0, unavailable 1', { maxSurge: 0, maxUnavailable: 1 }, ['2/1', '1/2', '0/3']],
    ['surge 3, unavailable 0', { maxSurge: 3, maxUnavailable: 0 }, ['3/3']],
    ['surge 1%, unavailable 1%', { maxSurge: '1%', maxUnavailable: '1%' }, ['3/1', '2/2', '1/3']],
    ['surge 0, unavailable 100%', { maxSurge: 0, maxUnavailable: '100%' }, ['0/3']],
  ])('rolls out step by step: %s', async (_what, rollingUpdate, want) => {
    await make({ strategy: { rollingUpdate } });
    await runAll();
    await setImage('i:2');
    const steps = [];
    for (let waiting = await unready(); waiting.length > 0; waiting = await unready()) {
      const { 'i:1': old, 'i:2': fresh } = await sizes();
      steps.push(`${old}/${fresh}`);
      for (const { metadata } of waiting) await cluster.run(metadata.name as string);
      await cluster.settle();
    }
    expect(await sizes()).toEqual({ 'i:1': 0, 'i:2': 3 });
    expect(steps).toEqual(want);
    expect(web().status).toMatchObject({ replicas: 3, updatedReplicas: 3, availableReplicas: 3 });
    expect(web().metadata.annotations).toMatchObject({ 'deployment.kubernetes.io/revision': '2' });
    expect(progressing()).toMatchObject({ reason: 'NewReplicaSetAvailable' });
  });

  test('deletes old pods that are not available first, so that they do not stop a rollout', async () => {
    await make({ strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } } });
    await runAll();
    await setImage('broken');
    // the new pods never become ready
    expect(await sizes()).toEqual({ 'i:1': 2, broken: 2 });
    await setImage('i:3');
    expect(await sizes()).toEqual({ 'i:1': 2, broken: 0, 'i:3': 2 });
    await runAll();
    expect(await sizes()).toEqual({ 'i:1': 0, broken: 0, 'i:3': 3 });
  });

  test('recreates: no pod is new before all old ones are gone', async () => {
    await make({ strategy: { type: 'Recreate' } });
    await runAll();
    const [first] = (await pods()) as [TestObject];
    const store = await cluster.stores.of('pods');
    await store.update(first.metadata.name as string, ({ metadata }) => {
      metadata.finalizers = ['example.com/slow'];
    });
    await setImage('i:2');
    expect(await sizes()).toEqual({ 'i:1': 0 });
    expect(await pods()).toHaveLength(1);
    expect(web().status).toMatchObject({ terminatingReplicas: 1 });
    await store.update(first.metadata.name as string, ({ metadata }) => {
      delete metadata.finalizers;
    });
    await cluster.settle();
    expect(await sizes()).toEqual({ 'i:1': 0, 'i:2': 3 });
    await runAll();
    expect(progressing()).toMatchObject({ reason: 'NewReplicaSetAvailable' });
  });

  test('takes an old ReplicaSet again for a template that it had, and notes its revisions', async () => {
    await make();
    await setImage('i:2');
    await setImage('i:1');
    expect(await cluster.list('apps/replicasets')).toHaveLength(2);
    expect((await setOf('i:1')).metadata.annotations).toMatchObject({
      'deployment.kubernetes.io/revision': '3',
      'deployment.kubernetes.io/revision-history': '1',
    });
    expect(web().metadata.annotations).toMatchObject({ 'deployment.kubernetes.io/revision': '3' });
  });

  test('keeps as many old ReplicaSets as its history, the newest ones', async () => {
    await make({ revisionHistoryLimit: 2 });
    for (const image of ['i:2', 'i:3', 'i:4', 'i:5']) {
      cluster.clock.advance(1000);
      await setImage(image);
      await runAll();
    }
    expect(await sizes()).toEqual({ 'i:3': 0, 'i:4': 0, 'i:5': 3 });
  });

  test('does nothing but scale while it is paused', async () => {
    await make({ paused: true });
    expect(await cluster.list('apps/replicasets')).toEqual([]);
    expect(progressing()).toMatchObject({
      status: 'Unknown',
      reason: 'DeploymentPaused',
      message: 'Deployment is paused',
    });
    await change(({ spec }) => delete spec.paused);
    await runAll();
    await change(({ spec }) => {
      spec.paused = true;
      spec.replicas = 5;
      spec.template.spec.containers[0].image = 'i:2';
    });
    expect(await sizes()).toEqual({ 'i:1': 5 });
    await change(({ spec }) => delete spec.paused);
    expect(progressing()).toMatchObject({ reason: 'ReplicaSetUpdated' });
    await runAll();
    expect(await sizes()).toEqual({ 'i:1': 0, 'i:2': 5 });
  });

  test('times out without progress, and goes on afterwards', async () => {
    await make({ progressDeadlineSeconds: 10 });
    const { name } = (await setOf('i:1')).metadata;
    await cluster.pass(10);
    expect(progressing()).toMatchObject({ status: 'True', reason: 'ReplicaSetUpdated' });
    await cluster.pass(2);
    expect(progressing()).toMatchObject({
      status: 'False',
      reason: 'ProgressDeadlineExceeded',
      message: `ReplicaSet "${name}" has timed out progressing.`,
    });
    await runAll();
    expect(progressing()).toMatchObject({ status: 'True', reason: 'NewReplicaSetAvailable' });
  });

  test('adopts a ReplicaSet with its template, and releases one that matches no longer', async () => {
    const adopted = { metadata: { name: 'mine', labels }, spec: { selector: { matchLabels: labels }, template } };
    await sets.create(adopted);
    const { metadata } = await make();
    expect(sets.get('mine')?.metadata.ownerReferences).toMatchObject([{ kind: 'Deployment', uid: metadata.uid }]);
    expect(sets.get('mine')?.spec.replicas).toBe(3);
    expect(await cluster.list('apps/replicasets')).toHaveLength(1);
    await sets.update('mine', (set) => {
      set.metadata.labels = { app: 'other' };
    });
    await cluster.settle();
    expect(sets.get('mine')?.metadata.ownerReferences).toBeUndefined();
    expect(await cluster.list('apps/replicasets')).toHaveLength(2);
  });

  test('counts collisions of its hash', async () => {
    await make();
    const { name } = (await setOf('i:1')).metadata as { name: string };
    await sets.update(name, (set) => {
      set.spec.template.spec.containers[0].image = 'other';
      delete set.metadata.ownerReferences;
      set.metadata.labels = { app: 'other' };
    });
    await cluster.settle();
    await cluster.pass(1);
    expect(web().status.collisionCount).toBe(1);
    const taken = (await setOf('i:1')).metadata.name;
    expect(taken).not.toBe(name);
  });

  test('tells why its ReplicaSet cannot be created', async () => {
    cluster.refuse = ({ definition }) => definition.kind === 'ReplicaSet' && 'no room';
    await make();
    const [, message] = /^Warning ReplicaSetCreateError: (.*)$/.exec((await cluster.events('Deployment'))[0] ?? '') ?? [];
    expect(message).toMatch(/^Failed to create new replica set "web-.*": replicasets.apps "web-.*" is forbidden: no room$/);
    expect(progressing()).toMatchObject({ status: 'False', reason: 'ReplicaSetCreateError', message });
    cluster.refuse = undefined;
    await cluster.pass(1);
    expect(await sizes()).toEqual({ 'i:1': 3 });
  });

  test('has the condition of a ReplicaSet whose pods cannot be created', async () => {
    cluster.refuse = ({ definition }) => definition.kind === 'Pod' && 'no room';
    await make();
    const failure = () => web().status.conditions.find(({ type }: { type: string }) => type === 'ReplicaFailure');
    expect(failure()).toMatchObject({ status: 'True', reason: 'FailedCreate' });
    cluster.refuse = undefined;
    await cluster.pass(1);
    expect(failure()).toBeUndefined();
  });

  // the annotation replaces a field of versions that are no longer served
  test.each<[string, string, string, string]>([
    ['0', 'i:1', 'DeploymentRollback', 'Rolled back deployment "web" to revision 1'],
    ['1', 'i:1', 'DeploymentRollback', 'Rolled back deployment "web" to revision 1'],
    ['7', 'i:2', 'DeploymentRollbackRevisionNotFound', 'Unable to find the revision to rollback to.'],
    [
      ...(['2', 'i:2', 'DeploymentRollbackTemplateUnchanged'] as const),
      'The rollback revision contains the same template as current deployment "web"',
    ],
  ])('is rolled back to revision %s', async (revision, image, reason, message) => {
    await make();
    await setImage('i:2');
    await change(({ metadata }) => {
      metadata.annotations = { ...metadata.annotations, 'deprecated.deployment.rollback.to': revision };
    });
    expect(web().spec.template.spec.containers[0].image).toBe(image);
    expect(web().metadata.annotations).not.toHaveProperty('deprecated.deployment.rollback.to');
    expect((await cluster.events('Deployment')).some((event) => event.endsWith(`${reason}: ${message}`))).toBe(true);
  });
});
