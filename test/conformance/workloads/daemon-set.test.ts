import { afterEach, describe, expect, test } from '@jest/globals';
import { type Any, WorkloadServer } from './workload-server.ts';

/** Upstream's conformance tests, with their titles. (test/e2e/apps/daemon_set.go, controller_revision.go) */
const server = new WorkloadServer();

type Path = Awaited<ReturnType<typeof server.namespace>>;

const daemonSets = 'apis/apps/v1/daemonsets';
const revisions = 'apis/apps/v1/controllerrevisions';
const pods = 'api/v1/pods';
const labels = { 'daemonset-name': 'daemon-set' };
const daemonSet = (spec: object = {}, podSpec: object = {}) => ({
  metadata: { name: 'daemon-set', labels },
  spec: {
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'app', image: 'i:1' }], ...podSpec },
    },
    ...spec,
  },
});
const withImage = (image: string) => ({ spec: { template: { spec: { containers: [{ name: 'app', image }] } } } });

const imageOf = ({ spec }: Any): string => spec.containers[0].image;
const present = (all: Any[]): Any[] => all.filter(({ metadata }) => !metadata.deletionTimestamp);
const isReady = ({ status }: Any): boolean =>
  status.conditions?.some(({ type, status: value }: Any) => type === 'Ready' && value === 'True') === true;
const nodes = ['kubeloom-node-0', 'kubeloom-node-1'];

async function create(spec: object = {}, podSpec: object = {}): Promise<Path> {
  const path = await server.namespace();
  await server.post(path(daemonSets), daemonSet(spec, podSpec));
  return path;
}

/** Resolves when each of the nodes has one ready pod of the image, and other nodes have none. */
const untilOn = (path: Path, wanted: string[], image = 'i:1'): Promise<Any[]> =>
  server.untilAll(path(pods), (all) => {
    const places = all.filter((pod) => isReady(pod) && imageOf(pod) === image).map(({ spec }) => spec.nodeName);
    return all.length === wanted.length && places.sort().join() === wanted.join();
  });

const untilStatus = (path: Path, holds: (status: Any) => boolean): Promise<Any> =>
  server.until(path(daemonSets, 'daemon-set'), ({ metadata, status }) => status.observedGeneration >= metadata.generation && holds(status));

const color = 'daemonset-color';
const paint = (value: string | null): Promise<Any> =>
  server.patch(`/api/v1/nodes/${nodes[0]}`, { metadata: { labels: { [color]: value } } });

describe('Daemon set', () => {
  afterEach(() => paint(null));

  test('should run and stop simple daemon', async () => {
    const path = await create();
    const [one] = (await untilOn(path, nodes)) as [Any];
    await server.delete(path(pods, one.metadata.name));
    const revived = await untilOn(path, nodes);
    expect(revived.map(({ metadata }) => metadata.uid)).not.toContain(one.metadata.uid);
    await server.delete(path(daemonSets, 'daemon-set'));
    await server.untilAll(path(pods), (all) => all.length === 0);
  });

  test('should run and stop complex daemon', async () => {
    const path = await create({}, { nodeSelector: { [color]: 'blue' } });
    await untilStatus(path, ({ desiredNumberScheduled }) => desiredNumberScheduled === 0);
    await paint('blue');
    await untilOn(path, nodes.slice(0, 1));
    await paint('green');
    await untilOn(path, []);
    const spec = { template: { spec: { nodeSelector: { [color]: 'green' } } } };
    await server.patch(path(daemonSets, 'daemon-set'), { spec });
    await untilOn(path, nodes.slice(0, 1));
  });

  test('should run and stop complex daemon with node affinity', async () => {
    const matchExpressions = [{ key: color, operator: 'In', values: ['blue'] }];
    const required = { nodeSelectorTerms: [{ matchExpressions }] };
    const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: required };
    const path = await create({}, { affinity: { nodeAffinity } });
    await untilStatus(path, ({ desiredNumberScheduled }) => desiredNumberScheduled === 0);
    await paint('blue');
    await untilOn(path, nodes.slice(0, 1));
    await paint(null);
    await untilOn(path, []);
  });

  test('should retry creating failed daemon pods', async () => {
    const path = await create();
    const [one] = (await untilOn(path, nodes)) as [Any];
    await server.patch(`${path(pods, one.metadata.name)}/status`, { status: { phase: 'Failed' } });
    await server.untilAll(path(pods), (all) => all.every(({ metadata }) => metadata.uid !== one.metadata.uid));
    await untilOn(path, nodes);
  });

  test('should not update pod when spec was updated and update strategy is OnDelete', async () => {
    const path = await create({ updateStrategy: { type: 'OnDelete' } });
    const before = await untilOn(path, nodes);
    await server.patch(path(daemonSets, 'daemon-set'), withImage('i:2'));
    await untilStatus(path, ({ updatedNumberScheduled = 0 }) => updatedNumberScheduled === 0);
    await server.untilAll(path(revisions), (all) => all.length === 2);
    const uids = (all: Any[]) => all.map(({ metadata }) => metadata.uid).sort();
    expect(uids((await server.get(path(pods))).items)).toEqual(uids(before));
  });

  test('should update pod when spec was updated and update strategy is RollingUpdate', async () => {
    const path = await create({ updateStrategy: { type: 'RollingUpdate' } });
    await untilOn(path, nodes);
    const watch = await server.watch(path(pods));
    await server.patch(path(daemonSets, 'daemon-set'), withImage('i:2'));
    const updated = await untilOn(path, nodes, 'i:2');
    const started: string[] = [];
    const ready = new Set<string>();
    while (ready.size < 2) {
      const { type, object } = (await watch.next()) as Any;
      if (imageOf(object) !== 'i:2') continue;
      // one after the other
      if (type === 'ADDED') expect(ready.size).toBe(started.push(object.metadata.name) - 1);
      if (isReady(object)) ready.add(object.metadata.name);
    }
    watch.close();
    const all = await server.untilAll(path(revisions), (found) => found.length === 2);
    const hash = all.find(({ revision }) => revision === 2).metadata.labels['controller-revision-hash'];
    for (const { metadata } of updated) expect(metadata.labels['controller-revision-hash']).toBe(hash);
    await untilStatus(path, (status) => status.updatedNumberScheduled === 2 && status.numberAvailable === 2);
  });

  test('should rollback without unnecessary restarts', async () => {
    const path = await create();
    await untilOn(path, nodes);
    const broken = { 'simulation.kubeloom.dev/ready-after': 'never' };
    const change = (annotations: object, image: string) =>
      server.patch(path(daemonSets, 'daemon-set'), {
        spec: { template: { metadata: { annotations }, ...withImage(image).spec.template } },
      });
    await change(broken, 'i:broken');
    const during = await server.untilAll(path(pods), (all) => {
      const places = present(all);
      return places.length === 2 && places.some((pod) => imageOf(pod) === 'i:broken' && pod.status.phase === 'Running');
    });
    const kept = during.find((pod) => imageOf(pod) === 'i:1');
    await change({ 'simulation.kubeloom.dev/ready-after': null }, 'i:1');
    const after = await untilOn(path, nodes);
    expect(after.map(({ metadata }) => metadata.uid)).toContain(kept.metadata.uid);
  });

  test('should surge pods onto nodes when spec was updated and update strategy is RollingUpdate', async () => {
    const path = await create({ updateStrategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } } });
    await untilOn(path, nodes);
    const watch = await server.watch(path(pods));
    await server.patch(path(daemonSets, 'daemon-set'), withImage('i:2'));
    await untilOn(path, nodes, 'i:2');
    const ready = new Map<string, number>(nodes.map((node) => [node, 1]));
    const isGone = new Set<string>();
    const counted = new Set<string>();
    while (isGone.size < 2) {
      const { type, object } = (await watch.next()) as Any;
      const { uid, deletionTimestamp } = object.metadata;
      const { nodeName: node } = object.spec;
      const leaves = type === 'DELETED' || deletionTimestamp;
      if (imageOf(object) === 'i:2' && isReady(object) && !counted.has(uid)) {
        counted.add(uid);
        ready.set(node, (ready.get(node) ?? 0) + 1);
      } else if (imageOf(object) === 'i:1' && leaves && !isGone.has(uid)) {
        isGone.add(uid);
        ready.set(node, (ready.get(node) ?? 0) - 1);
      }
      // each node always has a ready pod
      for (const count of ready.values()) expect(count).toBeGreaterThan(0);
    }
    watch.close();
  });

  test('should list and delete a collection of DaemonSets', async () => {
    const path = await create();
    await untilOn(path, nodes);
    const query = '?labelSelector=daemonset-name%3Ddaemon-set';
    expect((await server.get(path(daemonSets) + query)).items).toHaveLength(1);
    await server.delete(path(daemonSets) + query);
    await server.untilAll(path(daemonSets), (all) => all.length === 0);
    await server.untilAll(path(pods), (all) => all.length === 0);
  });

  test('should verify changes to a daemon set status', async () => {
    const path = await create();
    await untilOn(path, nodes);
    const at = `${path(daemonSets, 'daemon-set')}/status`;
    const set = await untilStatus(path, ({ numberAvailable }) => numberAvailable === 2);
    const conditions = [{ type: 'StatusUpdate', status: 'True', reason: 'E2E', message: 'Set from e2e test' }];
    const updated = await server.put(at, { ...set, status: { ...set.status, conditions } });
    expect(updated.status.conditions).toMatchObject(conditions);
    const patched = await server.patch(at, { status: { conditions: [{ type: 'StatusPatched', status: 'True' }] } });
    expect(patched.status.conditions).toMatchObject([{ type: 'StatusPatched', status: 'True' }]);
  });
});

describe('ControllerRevision', () => {
  test('should manage the lifecycle of a ControllerRevision', async () => {
    const path = await create();
    await untilOn(path, nodes);
    const [first] = (await server.untilAll(path(revisions), (all) => all.length === 1)) as [Any];
    const patched = await server.patch(path(revisions, first.metadata.name), {
      metadata: { labels: { mine: 'patched' } },
    });
    expect(patched.metadata.labels.mine).toBe('patched');
    const metadata = {
      name: `${first.metadata.name}-copy`,
      labels: first.metadata.labels,
      ownerReferences: first.metadata.ownerReferences,
    };
    await server.post(path(revisions), { metadata, data: first.data, revision: first.revision + 1 });
    expect((await server.get(path(revisions))).items.length).toBe(2);
    // equal revisions are merged into the newest when the daemon set changes
    await server.patch(path(daemonSets, 'daemon-set'), { metadata: { labels: { seen: 'yes' } } });
    const [left] = (await server.untilAll(path(revisions), (all) => all.length === 1)) as [Any];
    expect([left.metadata.name, left.revision]).toEqual([metadata.name, 2]);
    await server.patch(path(daemonSets, 'daemon-set'), withImage('i:2'));
    const two = await server.untilAll(path(revisions), (all) => all.length === 2);
    expect(two.map(({ revision }) => revision).sort()).toEqual([2, 3]);
    await untilOn(path, nodes, 'i:2');
    await server.delete(path(revisions, metadata.name));
    await server.untilAll(path(revisions), (all) => all.length === 1);
  });
});
