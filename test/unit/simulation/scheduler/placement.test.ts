import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ScheduledCluster, type TestNode, type TestPod } from '../../../support/scheduled-cluster.ts';

let cluster: ScheduledCluster;
beforeEach(async () => {
  cluster = await ScheduledCluster.open();
});
afterEach(() => cluster.close());

const notHelpful = (count: number, of = count): string =>
  `no new claims to deallocate, preemption: 0/${of} nodes are available: ${count} Preemption is not helpful for scheduling.`;
const noVictims = (count: number): string =>
  `no new claims to deallocate, preemption: 0/${count} nodes are available: ${count} No preemption victims found for incoming pod.`;
const unavailable = (reason: string, preemption = notHelpful(1), of = 1): string => `0/${of} nodes are available: ${reason}. ${preemption}`;

const container = (requests: object, more: object = {}) => ({
  name: 'c',
  image: 'i',
  resources: { requests },
  ...more,
});
const taint = (effect: string) => ({ spec: { taints: [{ key: 'dedicated', value: 'db', effect }] } });
const nodeAffinity = (terms: object[]): TestPod => ({
  spec: {
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } },
  },
});
const named = (...values: string[]) => ({
  matchFields: values.map((value) => ({ key: 'metadata.name', operator: 'In', values: [value] })),
});

describe('a pod and one node', () => {
  test.each<[string, TestNode, TestPod, string]>([
    ['that suit each other', {}, { cpu: '4', memory: '8Gi' }, 'n1'],
    ['that is cordoned', { spec: { unschedulable: true } }, {}, unavailable('1 node(s) were unschedulable')],
    [
      'that is cordoned, which the pod tolerates',
      { spec: { unschedulable: true } },
      { spec: { tolerations: [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists' }] } },
      'n1',
    ],
    ['with a taint', taint('NoSchedule'), {}, unavailable('1 node(s) had untolerated taint(s)')],
    ['with a taint that evicts', taint('NoExecute'), {}, unavailable('1 node(s) had untolerated taint(s)')],
    ['with a taint that only discourages', taint('PreferNoSchedule'), {}, 'n1'],
    ['with a taint that the pod tolerates', taint('NoSchedule'), { spec: { tolerations: [{ operator: 'Exists' }] } }, 'n1'],
    [
      'with other labels',
      {},
      { spec: { nodeSelector: { disk: 'ssd' } } },
      unavailable("1 node(s) didn't match Pod's node affinity/selector"),
    ],
    ['with the labels', { labels: { disk: 'ssd' } }, { spec: { nodeSelector: { disk: 'ssd' } } }, 'n1'],
    ['that it names', {}, nodeAffinity([named('n1')]), 'n1'],
    ['when it names another', {}, nodeAffinity([named('n2')]), unavailable("1 node(s) didn't satisfy plugin(s) [NodeAffinity]")],
    ['when it names two at once', {}, nodeAffinity([named('n1', 'n2')]), '0/1 nodes are available: pod affinity terms conflict. not found'],
    ['with too few CPUs', { cpu: '1' }, { cpu: '1100m' }, unavailable('1 Insufficient cpu')],
    ['with too little of all', { cpu: '1' }, { cpu: '2', memory: '9Gi' }, unavailable('1 Insufficient cpu, 1 Insufficient memory')],
    ['with no room for a pod', { pods: '0' }, {}, unavailable('1 Too many pods', noVictims(1))],
    ['without a device', {}, { requests: { 'example.com/gpu': '1' } }, unavailable('1 Insufficient example.com/gpu')],
    ['with a device', { allocatable: { 'example.com/gpu': '2' } }, { requests: { 'example.com/gpu': '2' } }, 'n1'],
    [
      'with too little for an init container',
      {},
      { spec: { initContainers: [container({ cpu: '5' }, { name: 'i' })], containers: [container({})] } },
      unavailable('1 Insufficient cpu'),
    ],
    [
      'with too little for a sidecar beside the others',
      {},
      {
        spec: {
          initContainers: [container({ cpu: '2' }, { name: 'i', restartPolicy: 'Always' })],
          containers: [container({ cpu: '3' })],
        },
      },
      unavailable('1 Insufficient cpu'),
    ],
    [
      'with too little for the whole pod',
      {},
      { spec: { resources: { requests: { cpu: '5' } }, containers: [container({ cpu: '1' })] } },
      unavailable('1 Insufficient cpu'),
    ],
  ])('%s', async (_, node, pod, expected) => {
    await cluster.node('n1', node);
    expect(await cluster.place('p', pod)).toBe(expected);
  });
});

describe('pods on one node', () => {
  test('are never given the same resources twice', async () => {
    await cluster.node('n1', { cpu: '1' });
    await Promise.all(['a', 'b', 'c'].map((name) => cluster.createPod(name, { cpu: '500m' })));
    await cluster.simulated.settle();
    const placed = await Promise.all(['a', 'b', 'c'].map((name) => cluster.outcome(name)));
    expect(placed.sort()).toEqual([unavailable('1 Insufficient cpu', noVictims(1)), 'n1', 'n1']);
  });

  test.each<[string, object, object, boolean]>([
    ['with the same port do not fit', {}, {}, false],
    ['with the same port of two addresses fit', { hostIP: '10.0.0.1' }, { hostIP: '10.0.0.2' }, true],
    ['with a port of one address and of all do not fit', { hostIP: '10.0.0.1' }, {}, false],
    ['with a port of two protocols fit', { protocol: 'UDP' }, { protocol: 'TCP' }, true],
  ])('%s', async (_, first, second, fits) => {
    await cluster.node('n1');
    const port = { containerPort: 80, hostPort: 80 };
    await cluster.place('a', { ports: [{ ...port, ...first }] });
    const reason = "1 node(s) didn't have free ports for the requested pod ports";
    const expected = fits ? 'n1' : unavailable(reason, noVictims(1));
    expect(await cluster.place('b', { ports: [{ ...port, ...second }] })).toBe(expected);
  });
});

const term = (app: string, topologyKey = 'kubernetes.io/hostname') => ({
  labelSelector: { matchLabels: { app } },
  topologyKey,
});
const required = (...terms: object[]) => ({ requiredDuringSchedulingIgnoredDuringExecution: terms });

describe('affinity between pods', () => {
  beforeEach(async () => {
    for (const name of ['n1', 'n2']) await cluster.node(name, { labels: { zone: 'a' } });
    await cluster.node('n3', { labels: { zone: 'b' } });
  });

  test('brings a pod to the domain of others', async () => {
    await cluster.pod('db', { labels: { app: 'db' }, spec: { nodeSelector: { zone: 'b' } } });
    expect(await cluster.place('web', { spec: { affinity: { podAffinity: required(term('db', 'zone')) } } })).toBe('n3');
  });

  test('lets the first of a series go anywhere, and others nowhere', async () => {
    const podAffinity = required(term('web', 'zone'));
    const reason = "3 node(s) didn't match pod affinity rules";
    expect(await cluster.place('other', { spec: { affinity: { podAffinity } } })).toBe(unavailable(reason, notHelpful(3), 3));
    expect(await cluster.place('web', { labels: { app: 'web' }, spec: { affinity: { podAffinity } } })).toMatch(/^n/);
  });

  test('keeps pods apart, whichever of them wants it', async () => {
    const podAntiAffinity = required(term('web', 'zone'));
    const web = { labels: { app: 'web' } };
    await cluster.pod('a', { ...web, spec: { affinity: { podAntiAffinity }, nodeSelector: { zone: 'a' } } });
    expect(await cluster.place('b', web)).toBe('n3');
    expect(await cluster.place('c', { spec: { affinity: { podAntiAffinity } } })).toBe(
      unavailable("3 node(s) didn't match pod anti-affinity rules", noVictims(3), 3),
    );
    await cluster.simulated.stores.of('pods').then((pods) => pods.delete('b', { gracePeriodSeconds: 0 }));
    await cluster.simulated.settle();
    expect(await cluster.outcome('c')).toBe('n3');
  });

  test('is about namespaces with labels, too', async () => {
    await cluster.create('namespaces', { metadata: { name: 'team', labels: { team: 'x' } } });
    const spec = { containers: [container({})], nodeSelector: { zone: 'b' } };
    await cluster.create('pods', { metadata: { name: 'db', namespace: 'team', labels: { app: 'db' } }, spec });
    await cluster.simulated.settle();
    const podAffinity = required({ ...term('db'), namespaceSelector: { matchLabels: { team: 'x' } } });
    expect(await cluster.place('web', { spec: { affinity: { podAffinity } } })).toBe('n3');
  });

  test('that is preferred decides between nodes', async () => {
    await cluster.pod('db', { labels: { app: 'db' }, spec: { nodeSelector: { zone: 'b' } } });
    const preferred = [{ weight: 100, podAffinityTerm: term('db') }];
    const podAffinity = { preferredDuringSchedulingIgnoredDuringExecution: preferred };
    for (const name of ['a', 'b']) {
      expect(await cluster.place(name, { spec: { affinity: { podAffinity } } })).toBe('n3');
    }
  });
});

describe('pods that are to be spread', () => {
  const spread = (more: object): TestPod => ({
    labels: { app: 'web' },
    spec: {
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'zone',
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: { matchLabels: { app: 'web' } },
          ...more,
        },
      ],
    },
  });
  const skew = "node(s) didn't match pod topology spread constraints";

  test('take turns between domains', async () => {
    for (const zone of ['a', 'b', 'c']) await cluster.node(zone, { labels: { zone } });
    const nodes: string[] = [];
    for (let i = 0; i < 6; i++) nodes.push(await cluster.place(`p${i}`, spread({})));
    expect([nodes.slice(0, 3).sort(), nodes.slice(3).sort()]).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ]);
  });

  test('wait while the emptiest domain has no room, or domains are missing', async () => {
    await cluster.node('a', { labels: { zone: 'a' } });
    await cluster.node('b', { labels: { zone: 'b' }, spec: { unschedulable: true } });
    await cluster.node('c');
    expect(await cluster.place('p1', spread({}))).toBe('a');
    expect(await cluster.place('p2', spread({}))).toBe(
      unavailable(
        `1 ${skew}, 1 ${skew} (missing required label), 1 node(s) were unschedulable`,
        'no new claims to deallocate, preemption: 0/3 nodes are available: 1 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling.',
        3,
      ),
    );
    expect(await cluster.place('p3', spread({ minDomains: 5, maxSkew: 2 }))).toBe('a');
    expect(await cluster.place('p4', spread({ minDomains: 5, maxSkew: 2 }))).toContain(skew);
  });

  test('do not count nodes whose taints they do not tolerate, if they honor these', async () => {
    await cluster.node('a', { labels: { zone: 'a' } });
    await cluster.node('b', { labels: { zone: 'b' }, ...taint('NoSchedule') });
    for (const name of ['p1', 'p2']) expect(await cluster.place(name, spread({ nodeTaintsPolicy: 'Honor' }))).toBe('a');
  });

  test('are counted by the values of labels that are named', async () => {
    for (const zone of ['a', 'b']) await cluster.node(zone, { labels: { zone } });
    const at = (version: string) => ({
      ...spread({ matchLabelKeys: ['version'] }),
      labels: { app: 'web', version },
    });
    const first = [await cluster.place('p1', at('1')), await cluster.place('p2', at('1'))];
    const second = [await cluster.place('p3', at('2')), await cluster.place('p4', at('2'))];
    expect([first.sort(), second.sort()]).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
  });

  test('go where fewer are if that is only preferred, and by default if a service selects them', async () => {
    for (const zone of ['a', 'b']) await cluster.node(zone, { labels: { zone } });
    const preferred = spread({ whenUnsatisfiable: 'ScheduleAnyway' });
    const nodes = [await cluster.place('p1', preferred), await cluster.place('p2', preferred)];
    await cluster.create('services', { metadata: { name: 's' }, spec: { clusterIP: 'None', selector: { app: 'x' } } });
    const defaults: string[] = [];
    for (let i = 0; i < 4; i++) defaults.push(await cluster.place(`s${i}`, { labels: { app: 'x' } }));
    expect(nodes.sort()).toEqual(['a', 'b']);
    expect(defaults.sort()).toEqual(['a', 'a', 'b', 'b']);
  });
});

describe('of the nodes that suit a pod', () => {
  test('the one with the most left is chosen', async () => {
    await cluster.node('large', { cpu: '16', allocatable: { memory: '32Gi' } });
    await cluster.node('small');
    for (const name of ['a', 'b', 'c']) expect(await cluster.place(name, { cpu: '1', memory: '2Gi' })).toBe('large');
  });

  test('one without a taint that discourages is chosen', async () => {
    await cluster.node('a', { cpu: '16', ...taint('PreferNoSchedule') });
    await cluster.node('b');
    for (const name of ['p', 'q']) expect(await cluster.place(name, { cpu: '1' })).toBe('b');
  });

  test('one that is preferred is chosen', async () => {
    for (const name of ['a', 'b', 'c']) await cluster.node(name);
    const preference = { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['b'] }] };
    const preferred = [{ weight: 1, preference }];
    const spec = { affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred } } };
    expect(await cluster.place('p', { spec })).toBe('b');
  });
});
