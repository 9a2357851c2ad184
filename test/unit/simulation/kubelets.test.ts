import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { SimulatedKubelets } from '../../../runtime/simulation/simulated-kubelets.ts';
import { SimulatedCluster } from '../../support/simulation.ts';
import type { TestObject } from '../../support/test-object.ts';

const node = 'kubeloom-node-0';
const image = 'app:1.27';

const resourcesOf = (requests: object) => ({
  containers: [{ name: 'c', image, resources: { requests, limits: requests } }],
});
const portOf = (port: number, requests: object = {}) => ({
  containers: [{ name: 'c', image, ports: [{ containerPort: port, hostPort: port }], resources: { requests, limits: requests } }],
});

describe('simulated kubelets', () => {
  let cluster: SimulatedCluster;

  beforeEach(async () => {
    cluster = await SimulatedCluster.open((context) => [new SimulatedKubelets(context, {})]);
    await (await cluster.stores.of('namespaces')).create({ metadata: { name: 'kube-node-lease' } });
  });
  afterEach(() => cluster.close());

  const create = async (spec: object = {}, annotations: Record<string, string> = {}, meta: object = {}) => {
    const prefixed = Object.entries(annotations).map(([name, value]) => [`simulation.kubeloom.dev/${name}`, value]);
    const pods = await cluster.stores.of('pods');
    await pods.create({
      metadata: { name: 'web', annotations: Object.fromEntries(prefixed), ...meta },
      spec: { nodeName: node, containers: [{ name: 'c', image }], ...spec },
    });
    await cluster.settle();
  };
  const pod = async (): Promise<TestObject> => (await cluster.list('pods'))[0];
  const conditions = ({ status }: Pick<TestObject, 'status'>) =>
    Object.fromEntries(status.conditions.map(({ type, status: value }: TestObject) => [type, value]));
  const state = async () => {
    const { status } = await pod();
    const [{ state: own, restartCount }] = status.containerStatuses;
    const [name] = Object.keys(own);
    return `${status.phase} ${name} ${own[name].reason ?? ''} ${restartCount}`;
  };

  test('one node is ready, has a range for pods, and shows that it is alive', async () => {
    const [{ spec, status }] = await cluster.list('nodes', '');
    expect(spec).toEqual({ podCIDR: '10.128.0.0/24', podCIDRs: ['10.128.0.0/24'] });
    expect(conditions({ status })).toEqual({
      MemoryPressure: 'False',
      DiskPressure: 'False',
      PIDPressure: 'False',
      Ready: 'True',
    });
    expect(status.addresses).toEqual([
      { type: 'InternalIP', address: '172.16.0.2' },
      { type: 'Hostname', address: node },
    ]);
    const lease = async () => (await cluster.list('coordination.k8s.io/leases', 'kube-node-lease'))[0].spec;
    expect(await lease()).toMatchObject({ holderIdentity: node, leaseDurationSeconds: 40 });
    const { renewTime } = await lease();
    await cluster.pass(11);
    expect((await lease()).renewTime > renewTime).toBe(true);
  });

  test('a node that a user creates is simulated too, unless it is annotated as another', async () => {
    const nodes = await cluster.stores.of('nodes');
    await nodes.create({ metadata: { name: 'mine' }, status: { capacity: { cpu: '2', pods: '5' } } });
    await nodes.create({ metadata: { name: 'real', annotations: { 'kwok.x-k8s.io/node': 'real' } } });
    await cluster.settle();
    const { spec, status, metadata } = nodes.get('mine') as TestObject;
    expect(spec.podCIDR).toBe('10.128.1.0/24');
    expect(metadata.labels).toMatchObject({ 'kubernetes.io/hostname': 'mine', 'kubernetes.io/os': 'linux' });
    expect(status.allocatable).toEqual({ cpu: '2', pods: '5' });
    expect(conditions({ status }).Ready).toBe('True');
    expect(nodes.get('real')?.status.conditions).toBeUndefined();
  });

  test('the range of a node that is gone is not given to the next one', async () => {
    const nodes = await cluster.stores.of('nodes');
    const rangeOf = async (name: string): Promise<string> => {
      await nodes.create({ metadata: { name } });
      await cluster.settle();
      return nodes.get(name)?.spec.podCIDR;
    };
    const range = await rangeOf('first');
    await nodes.delete('first');
    expect([range, await rangeOf('second')]).toEqual(['10.128.1.0/24', '10.128.2.0/24']);
  });

  test('a pod becomes Running and ready in two writes, and its object goes when it is deleted', async () => {
    await create();
    const { status } = await pod();
    expect(status).toMatchObject({
      phase: 'Running',
      hostIP: '172.16.0.2',
      podIP: '10.128.0.2',
      observedGeneration: 1,
    });
    expect(conditions({ status })).toEqual({
      PodReadyToStartContainers: 'True',
      Initialized: 'True',
      Ready: 'True',
      ContainersReady: 'True',
      PodScheduled: 'True',
    });
    expect(status.containerStatuses[0]).toMatchObject({
      name: 'c',
      image: 'docker.io/library/app:1.27',
      ready: true,
      started: true,
      restartCount: 0,
      containerID: expect.stringMatching(/^containerd:\/\/[0-9a-f]{64}$/),
      imageID: expect.stringMatching(/^docker.io\/library\/app@sha256:[0-9a-f]{64}$/),
    });
    const pods = await cluster.stores.of('pods');
    await pods.delete('web');
    await cluster.settle();
    expect(await cluster.list('pods')).toEqual([]);
    expect(await cluster.events('Pod')).toEqual([
      `Normal Pulled: Container image "${image}" already present on machine and can be accessed by the pod`,
      'Normal Created: Container created',
      'Normal Started: Container started',
      'Normal Killing: Stopping container c',
    ]);
  });

  test('init containers run in order, and sidecars stay until the containers have ended', async () => {
    const restartPolicy = 'Always';
    await create(
      {
        restartPolicy: 'Never',
        initContainers: [
          { name: 'first', image },
          { name: 'side', image, restartPolicy },
          { name: 'second', image },
        ],
      },
      { 'run-for.second': '3s', 'run-for.c': '5s' },
    );
    const states = async () => {
      const { status } = await pod();
      const all = [...status.initContainerStatuses, ...status.containerStatuses];
      return [status.phase, ...all.map((one: TestObject) => Object.keys(one.state)[0])].join(' ');
    };
    expect(await states()).toBe('Pending terminated running running waiting');
    expect((await pod()).status.conditions.find(({ type }: TestObject) => type === 'Initialized')).toMatchObject({
      status: 'False',
      message: 'containers with incomplete status: [second]',
    });
    await cluster.pass(3);
    expect(await states()).toBe('Running terminated running terminated running');
    await cluster.pass(5);
    expect(await states()).toBe('Succeeded terminated terminated terminated terminated');
  });

  test.each([
    ['Never', {}, 'Succeeded terminated Completed 0'],
    ['OnFailure', {}, 'Succeeded terminated Completed 0'],
    ['Never', { 'exit-code': '3' }, 'Failed terminated Error 0'],
    ['Never', { fail: 'OOMKilled' }, 'Failed terminated OOMKilled 0'],
    ['Never', { 'run-for': 'forever' }, 'Running running  0'],
    ['Always', {}, 'Running running  0'],
    ['Always', { 'exit-code': '1' }, 'Running waiting CrashLoopBackOff 1'],
    ['Always', { 'run-for': 'soon' }, 'Pending waiting CreateContainerConfigError 0'],
    ['Always', { fail: 'CreateContainerConfigError' }, 'Pending waiting CreateContainerConfigError 0'],
    ['Always', { fail: 'ImagePullBackOff' }, 'Pending waiting ImagePullBackOff 0'],
  ])('with restart policy %s and %j a pod is %s after a few seconds', async (restartPolicy, annotations, want) => {
    await create({ restartPolicy }, annotations);
    await cluster.pass(4);
    expect(await state()).toBe(want);
  });

  test('a container that crashes waits longer and longer, and starts anew after it has run for long', async () => {
    await create({}, { 'exit-code': '1', 'run-for': '0s' });
    const delays: number[] = [];
    for (let last = 1, since = 0; delays.length < 6; since++) {
      await cluster.pass(1);
      const count = Number((await state()).split(' ').at(-1));
      if (count === last) continue;
      delays.push(since);
      [last, since] = [count, 0];
    }
    expect(delays.slice(1)).toEqual([20, 40, 80, 160, 300].map((seconds) => expect.closeTo(seconds, -0.7)));
    const { status } = await pod();
    const { message } = status.containerStatuses[0].state.waiting ?? {};
    expect(message).toMatch(/^back-off 5m0s restarting failed container=c pod=web_default\(.*\)$/);
  });

  test('an image that cannot be pulled is tried again after 10, 20, 40 and 80 s', async () => {
    await create({}, { fail: 'ErrImagePull' });
    const tries: number[] = [];
    for (let second = 1; second <= 152; second++) {
      await cluster.pass(1);
      if ((await state()).includes('ErrImagePull')) tries.push(second);
    }
    expect(tries).toEqual([10, 30, 70, 150]);
  });

  test.each<[string, object, object, string, string]>([
    ...[
      ['cpu', '3', 'cpu', '3000', '2000', '4000'],
      ['memory', '3Ki', 'memory', '3072', '2048', '4096'],
      ['example.com/gpu', '3', 'example.com/gpu', '3', '2', '4'],
    ].map(([resource, amount, name, wanted, used, capacity]): [string, object, object, string, string] => [
      ...([resource, resourcesOf({ [resource]: amount }), {}, `OutOf${name}`] as const),
      `Node didn't have enough resource: ${name}, requested: ${wanted}, used: ${used}, capacity: ${capacity}`,
    ]),
    [
      ...(['a selector', { nodeSelector: { zone: 'b' } }, {}, 'NodeAffinity'] as const),
      "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector",
    ],
    [
      ...(['a port', portOf(80), {}, 'NodePorts'] as const),
      "Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports",
    ],
    [
      ...(['a taint', {}, { taints: [{ key: 'k', effect: 'NoExecute' }] }, 'TaintToleration'] as const),
      "Predicate TaintToleration failed: node(s) had taints that the pod didn't tolerate",
    ],
    [
      ...(['an OS', { os: { name: 'windows' } }, {}, 'PodOSNotSupported'] as const),
      "Failed to admit pod as the OS field doesn't match node OS",
    ],
  ])('a pod that is put on a node that is not for it (%s) fails', async (_, spec, nodeSpec, reason, message) => {
    const nodes = await cluster.stores.of('nodes');
    const capacity = { cpu: '4', memory: '4Ki', pods: '9', 'example.com/gpu': '4' };
    await nodes.create({ metadata: { name: 'small' }, spec: nodeSpec, status: { capacity, allocatable: capacity } });
    await cluster.settle();
    const tolerations = [{ operator: 'Exists' }];
    const requests = { cpu: '2', memory: '2Ki', 'example.com/gpu': '2' };
    await create({ nodeName: 'small', tolerations, ...portOf(80, requests) }, {}, { name: 'other' });
    await create({ nodeName: 'small', ...spec });
    const found = Object.fromEntries((await cluster.list('pods')).map(({ metadata, status }) => [metadata.name, status]));
    expect(found.other.phase).toBe('Running');
    expect(found.web).toMatchObject({ phase: 'Failed', reason, message: `Pod was rejected: ${message}` });
    expect(found.web.containerStatuses).toBeUndefined();
    expect(await cluster.events('Pod')).toContain(`Warning ${reason}: ${message}`);
  });

  test('a node takes no more pods at a time than it has room for', async () => {
    const nodes = await cluster.stores.of('nodes');
    const capacity = { cpu: '4', memory: '4Gi', pods: '2' };
    await nodes.create({ metadata: { name: 'small' }, status: { capacity, allocatable: capacity } });
    const pods = await cluster.stores.of('pods');
    const spec = { nodeName: 'small', containers: [{ name: 'c', image }] };
    await Promise.all(['a', 'b', 'c'].map((name) => pods.create({ metadata: { name }, spec })));
    await cluster.settle();
    const phases = (await cluster.list('pods')).map(({ status }) => `${status.phase} ${status.reason ?? ''}`);
    expect(phases.sort()).toEqual(['Failed OutOfpods', 'Running ', 'Running ']);
  });

  test('a container waits for the config map of its variables, with a reason', async () => {
    const envFrom = [{ configMapRef: { name: 'settings' } }];
    await create({ containers: [{ name: 'c', image, envFrom }] });
    expect(await state()).toBe('Pending waiting CreateContainerConfigError 0');
    const [status] = (await pod()).status.containerStatuses;
    expect(status.state.waiting.message).toBe('configmap "settings" not found');
    const present = `Normal Pulled: Container image "${image}" already present on machine and can be accessed by the pod`;
    const failed = 'Warning Failed: Error: configmap "settings" not found';
    expect(await cluster.events('Pod')).toEqual([present, failed]);
    await (await cluster.stores.of('configmaps')).create({ metadata: { name: 'settings' }, data: { A: '1' } });
    await cluster.pass(10);
    expect(await state()).toBe('Running running  0');
  });

  test('a pod waits for what its volumes show, and tries again after half a second, then later and later', async () => {
    const volumes = [
      { name: 'settings', configMap: { name: 'settings', items: [{ key: 'a', path: 'a' }] } },
      { name: 'hidden', secret: { secretName: 'hidden' } },
      { name: 'unused', secret: { secretName: 'other' } },
    ];
    const volumeMounts = ['settings', 'hidden'].map((name) => ({ name, mountPath: `/${name}` }));
    await create({ volumes, containers: [{ name: 'c', image, volumeMounts }] });
    await cluster.pass(4);
    expect(await state()).toBe('Pending waiting ContainerCreating 0');
    expect((await pod()).status.podIP).toBeUndefined();
    const failure = 'Warning FailedMount: MountVolume.SetUp failed for volume';
    expect(await cluster.events('Pod')).toEqual([
      `${failure} "settings" : configmap "settings" not found`,
      `${failure} "hidden" : secret "hidden" not found`,
    ]);
    const counts = (await cluster.list('events')).filter(({ reason }) => reason === 'FailedMount');
    expect(counts.map(({ count }) => count)).toEqual([4, 4]);
    await (await cluster.stores.of('secrets')).create({ metadata: { name: 'hidden' } });
    const configMaps = await cluster.stores.of('configmaps');
    await configMaps.create({ metadata: { name: 'settings' } });
    await cluster.pass(4);
    expect(await cluster.events('Pod')).toContain(`${failure} "settings" : configmap references non-existent config key: a`);
    await configMaps.update('settings', (object) => Object.assign(object, { data: { a: '1' } }));
    await cluster.pass(16);
    expect(await state()).toBe('Running running  0');
  });

  test('what the volumes of a pod show has a limit', async () => {
    const data = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, '']));
    await (await cluster.stores.of('configmaps')).create({ metadata: { name: 'many' }, data });
    const sources = Array.from({ length: 14 }, () => ({ configMap: { name: 'many' } }));
    const volumes = [{ name: 'v', projected: { sources } }];
    await create({ volumes, containers: [{ name: 'c', image, volumeMounts: [{ name: 'v', mountPath: '/v' }] }] });
    const message = 'MountVolume.SetUp failed for volume "v" : no space left on device';
    expect(await cluster.events('Pod')).toEqual([`Warning FailedMount: ${message}`]);
  });

  test('a pod waits until its claims are bound, and those for it are its own', async () => {
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    const claims = await cluster.stores.of('persistentvolumeclaims');
    await claims.create({ metadata: { name: 'web-own' }, spec: { ...spec, volumeName: 'pv' } });
    await claims.update('web-own', (claim) => Object.assign(claim, { status: { phase: 'Bound' } }), { part: 'status' });
    const volumes = [
      { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
      { name: 'own', ephemeral: { volumeClaimTemplate: { spec } } },
    ];
    const volumeMounts = ['data', 'own'].map((name) => ({ name, mountPath: `/${name}` }));
    await create({ volumes, containers: [{ name: 'c', image, volumeMounts }] });
    expect(await state()).toBe('Pending waiting ContainerCreating 0');
    const problems = [
      'error processing PVC default/data: failed to fetch PVC from API server: persistentvolumeclaims "data" not found',
      'PVC default/web-own was not created for pod default/web (pod is not owner)',
    ];
    const which = 'unmounted volumes=[data own], unattached volumes=[], failed to process volumes=[data own]';
    expect(await cluster.events('Pod')).toEqual([
      `Warning FailedMount: Unable to attach or mount volumes: ${which}: ${problems.join('; ')}`,
    ]);
  });

  test('a container whose image changes is started again at once', async () => {
    await create();
    await (await cluster.stores.of('pods')).update('web', ({ spec }) => {
      spec.containers[0].image = 'nginx:1.28';
    });
    await cluster.settle();
    expect(await state()).toBe('Running running  1');
    const [{ image: now, lastState }] = (await pod()).status.containerStatuses;
    expect([now, lastState.terminated.exitCode]).toEqual(['docker.io/library/nginx:1.28', 0]);
    expect(await cluster.events('Pod')).toContain('Normal Killing: Container c definition changed, will be restarted');
  });

  test('readiness follows annotations and gates', async () => {
    await create({ readinessGates: [{ conditionType: 'example.com/gate' }] }, { 'ready-after': '3s' });
    const ready = async () => (await pod()).status.conditions.find(({ type }: TestObject) => type === 'Ready');
    expect(await ready()).toMatchObject({ status: 'False', message: 'containers with unready status: [c]' });
    await cluster.pass(3);
    const message = 'corresponding condition of pod readiness gate "example.com/gate" does not exist.';
    expect(await ready()).toMatchObject({ status: 'False', reason: 'ReadinessGatesNotReady', message });
    const pods = await cluster.stores.of('pods');
    const gate = { type: 'example.com/gate', status: 'True' };
    await pods.update('web', ({ status }) => status.conditions.push(gate), { part: 'status' });
    await cluster.settle();
    expect(await ready()).toMatchObject({ status: 'True' });
  });

  test.each([
    ['5s', 30, 5, 'Succeeded'],
    ['60s', 10, 10, 'Failed'],
  ])('a pod that takes %s to stop in a grace period of %i s stops after %i s', async (after, grace, seconds, phase) => {
    await create({}, { 'stop-after': after }, { finalizers: ['example.com/stay'] });
    const pods = await cluster.stores.of('pods');
    await pods.delete('web', { gracePeriodSeconds: grace });
    await cluster.settle();
    await cluster.pass(seconds - 1);
    expect((await pod()).status.phase).toBe('Running');
    await cluster.pass(1);
    expect((await pod()).status.phase).toBe(phase);
    expect((await pod()).metadata.deletionGracePeriodSeconds).toBe(0);
  });

  test.each([
    ['has not started', {}, { 'start-delay': '1h' }, 'Failed terminated ContainerStatusUnknown 0'],
    ['has not come to its containers', { initContainers: [{ name: 'i', image: '//' }] }, {}, 'Failed waiting PodInitializing 0'],
    ['waits to be started again', {}, { 'run-for': '0s', 'exit-code': '1' }, 'Failed terminated Error 1'],
  ])('a pod that is deleted while it %s has failed', async (_name, spec, annotations, want) => {
    await create(spec, annotations, { finalizers: ['example.com/stay'] });
    await (await cluster.stores.of('pods')).delete('web');
    await cluster.settle();
    expect(await state()).toBe(want);
  });

  test('a pod that is active for too long fails', async () => {
    await create({ activeDeadlineSeconds: 4 });
    await cluster.pass(5);
    const { status } = await pod();
    expect(status).toMatchObject({ phase: 'Failed', reason: 'DeadlineExceeded' });
    expect(status.message).toBe('Pod was active on the node longer than the specified deadline');
  });

  test('a lost node does nothing any more', async () => {
    const nodes = await cluster.stores.of('nodes');
    await nodes.update(node, ({ metadata }) => {
      metadata.annotations = { 'simulation.kubeloom.dev/node': 'lost' };
    });
    await cluster.settle();
    await create();
    expect((await pod()).status).toEqual({ phase: 'Pending', qosClass: 'BestEffort' });
  });
});
