import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WriteFixture } from '../../support/write-fixture.ts';

const pods = '/api/v1/namespaces/default/pods';
const nodes = '/api/v1/nodes';
const runtimeClasses = '/apis/node.k8s.io/v1/runtimeclasses';
const priorityClasses = '/apis/scheduling.k8s.io/v1/priorityclasses';

const containers = [{ name: 'c', image: 'i' }];
const seconds = 300;
const notReady = { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' };
const unreachable = { ...notReady, key: 'node.kubernetes.io/unreachable' };
const both = [notReady, unreachable].map((toleration) => ({ ...toleration, tolerationSeconds: seconds }));

describe.each([
  ['on the event loop', {}],
  ['on worker threads', { workerThreshold: 0 }],
])('%s', (_where, options) => {
  let fixture: WriteFixture;
  let count = 0;

  beforeAll(async () => {
    fixture = await WriteFixture.open(options);
  });
  afterAll(() => fixture.close());

  const createPod = (spec: object, metadata: object = {}) =>
    fixture.create(pods, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `p-${count++}`, ...metadata },
      spec: { containers, ...spec },
    });
  const createNode = (name: string, rest: object = {}) =>
    fixture.create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name, ...rest } });
  const createRuntimeClass = (name: string, rest: object) =>
    fixture.create(runtimeClasses, {
      apiVersion: 'node.k8s.io/v1',
      kind: 'RuntimeClass',
      metadata: { name },
      handler: 'h',
      ...rest,
    });
  const createPriorityClass = (name: string, rest: object) =>
    fixture.create(priorityClasses, {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name },
      ...rest,
    });

  describe('tolerations of nodes that fail', () => {
    const other = { key: 'a', operator: 'Exists' };
    test.each([
      ['are added', [], both],
      ['are added to others', [other], [other, ...both]],
      ['are not added to one for everything', [{ operator: 'Exists' }], [{ operator: 'Exists' }]],
      ['stay as they are', [{ ...notReady, tolerationSeconds: 5 }], [{ ...notReady, tolerationSeconds: 5 }, both[1]]],
      [
        'are added if there is one for another effect',
        [{ ...notReady, effect: 'NoSchedule' }],
        [{ ...notReady, effect: 'NoSchedule' }, ...both],
      ],
    ])('%s', async (_what, tolerations, want) => {
      const { status, json } = await createPod({ tolerations });
      expect([status, json.spec.tolerations]).toEqual([201, want]);
    });

    test('come back if an update drops them', async () => {
      const { json: pod } = await createPod({});
      const { json } = await fixture.put(`${pods}/${pod.metadata.name}`, {
        ...pod,
        spec: { ...pod.spec, tolerations: [] },
      });
      expect(json.spec.tolerations).toEqual(both);
    });
  });

  describe('the priority of a pod', () => {
    beforeAll(async () => {
      await createPriorityClass('high', { value: 1000 });
      await createPriorityClass('never', { value: 10, preemptionPolicy: 'Never' });
    });

    test.each([
      ['is zero without a class', {}, { priority: 0, preemptionPolicy: 'PreemptLowerPriority' }],
      ['is that of its class', { priorityClassName: 'high' }, { priority: 1000, preemptionPolicy: 'PreemptLowerPriority' }],
      ['comes with the policy of its class', { priorityClassName: 'never' }, { priority: 10, preemptionPolicy: 'Never' }],
      ['may be given if it is the same', { priorityClassName: 'high', priority: 1000 }, { priority: 1000 }],
    ])('%s', async (_what, spec, want) => {
      const { status, json } = await createPod(spec);
      expect([status, json.spec]).toEqual([201, expect.objectContaining({ ...spec, ...want })]);
    });

    test.each([
      ['an absent class', { priorityClassName: 'none' }, 'no PriorityClass with name none was found'],
      [
        'another number',
        { priorityClassName: 'high', priority: 7 },
        'the integer value of priority (7) must not be provided in pod spec; priority admission controller computed 1000 from the given PriorityClass name',
      ],
      [
        'another policy',
        { priorityClassName: 'never', preemptionPolicy: 'PreemptLowerPriority' },
        'the string value of PreemptionPolicy (PreemptLowerPriority) must not be provided in pod spec; priority admission controller computed Never from the given PriorityClass name',
      ],
    ])('%s is refused', async (_what, spec, message) => {
      const { status, json } = await createPod(spec);
      expect([status, json.reason]).toEqual([403, 'Forbidden']);
      expect(json.message).toBe(`pods "${json.details.name}" is forbidden: ${message}`);
    });

    test('stays if an update drops it', async () => {
      const { json: pod } = await createPod({ priorityClassName: 'high' });
      const { priority: _, preemptionPolicy: _policy, ...spec } = pod.spec;
      const { json } = await fixture.put(`${pods}/${pod.metadata.name}`, { ...pod, spec });
      expect(json.spec).toMatchObject({ priority: 1000, preemptionPolicy: 'PreemptLowerPriority' });
    });

    test('is that of the default class, which only one class is', async () => {
      await createPriorityClass('usual', { value: 5, globalDefault: true });
      expect((await createPod({})).json.spec).toMatchObject({ priorityClassName: 'usual', priority: 5 });
      const message = (name: string): string =>
        `priorityclasses.scheduling.k8s.io "${name}" is forbidden: PriorityClass usual is already marked as default. Only one default can exist`;
      const second = await createPriorityClass('unusual', { value: 6, globalDefault: true });
      expect([second.status, second.json.message]).toEqual([403, message('unusual')]);
      const patched = await fixture.patch('merge', `${priorityClasses}/high`, { globalDefault: true });
      expect([patched.status, patched.json.message]).toEqual([403, message('high')]);
      const same = await fixture.patch('merge', `${priorityClasses}/usual`, { globalDefault: true, description: 'x' });
      expect(same.status).toBe(200);
      await fixture.remove(`${priorityClasses}/usual`);
      expect((await createPod({})).json.spec.priority).toBe(0);
    });
  });

  describe('a runtime class', () => {
    beforeAll(async () => {
      await createRuntimeClass('plain', {});
      await createRuntimeClass('heavy', { overhead: { podFixed: { cpu: '500m', memory: '64Mi' } } });
      await createRuntimeClass('placed', {
        scheduling: { nodeSelector: { kata: 'yes' }, tolerations: [{ key: 'kata', operator: 'Exists' }] },
      });
    });

    test('gives its pods their overhead, which may be given, too', async () => {
      const overhead = { cpu: '500m', memory: '64Mi' };
      for (const spec of [{}, { overhead }, { overhead: { cpu: '0.5', memory: '65536Ki' } }]) {
        const { status, json } = await createPod({ runtimeClassName: 'heavy', ...spec });
        expect([status, json.spec.overhead]).toEqual([201, overhead]);
      }
    });

    test('adds what selects its nodes', async () => {
      const { json } = await createPod({
        runtimeClassName: 'placed',
        nodeSelector: { a: 'b' },
        tolerations: [{ key: 'kata', operator: 'Equal', value: 'x' }],
      });
      expect(json.spec).toMatchObject({
        nodeSelector: { a: 'b', kata: 'yes' },
        tolerations: [...both, { key: 'kata', operator: 'Exists' }],
      });
    });

    test.each([
      ['that is absent', { runtimeClassName: 'none' }, 'pod rejected: RuntimeClass "none" not found'],
      [
        'with another overhead',
        { runtimeClassName: 'heavy', overhead: { cpu: '1' } },
        "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
      ],
      [
        'without overhead for a pod that has it',
        { runtimeClassName: 'plain', overhead: { cpu: '1' } },
        'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
      ],
      [
        'for other nodes',
        { runtimeClassName: 'placed', nodeSelector: { kata: 'no' } },
        'conflict: runtimeClass.scheduling.nodeSelector[kata] = yes; pod.spec.nodeSelector[kata] = no',
      ],
    ])('%s refuses a pod', async (_what, spec, message) => {
      const { status, json } = await createPod(spec);
      expect([status, json.message]).toEqual([403, `pods "${json.details.name}" is forbidden: ${message}`]);
    });
  });

  test('a new node is tainted as not ready, once', async () => {
    const taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
    const { json } = await createNode('fresh');
    expect(json.spec.taints).toEqual([taint]);
    const other = { key: 'a', effect: 'NoExecute' };
    const { json: tainted } = await fixture.create(nodes, {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'tainted' },
      spec: { taints: [{ ...taint, value: 'x' }, other] },
    });
    expect(tainted.spec.taints).toEqual([{ ...taint, value: 'x' }, other]);
  });

  test('pods have the zone and the region of their node', async () => {
    const zone = 'topology.kubernetes.io/zone';
    const region = 'topology.kubernetes.io/region';
    await createNode('placed', { labels: { [zone]: 'z', [region]: 'r', other: 'o' } });
    const { json } = await createPod({ nodeName: 'placed' }, { labels: { [zone]: 'x', mine: 'm' } });
    expect(json.metadata.labels).toEqual({ [zone]: 'z', [region]: 'r', mine: 'm' });
    const { json: unbound } = await createPod({});
    expect(unbound.metadata.labels).toBeUndefined();
    const path = `${pods}/${unbound.metadata.name}`;
    const target = { kind: 'Node', name: 'placed' };
    const { status } = await fixture.create(`${path}/binding`, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: unbound.metadata.name },
      target,
    });
    expect(status).toBe(201);
    expect((await fixture.get(path)).json.metadata.labels).toEqual({ [zone]: 'z', [region]: 'r' });
  });
});
