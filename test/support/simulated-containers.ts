import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import type { Pod } from '../../generated/v1.35/core/v1/types.ts';
import { timeText } from '../../runtime/machinery/scalars/time.ts';
import { ClusterNetwork } from '../../runtime/simulation/network/cluster-network.ts';
import { podListener } from '../../runtime/simulation/network/pod-listeners.ts';
import { ContainerRuns } from '../../runtime/simulation/programs/container-runs.ts';
import { SimulatedPods } from '../../runtime/simulation/streams/simulated-pods.ts';
import { clusterObjects } from './cluster-objects.ts';
import { ManualClock } from './manual-clock.ts';
import { networkObjects, nodeObject, podObject, serviceObject } from './network-objects.ts';
import type { TestObject } from './test-object.ts';

/** Turns of the event loop after which nothing more happens by itself. */
const quietTurns = 300;

/** Running containers in one network, without a server. */
export class SimulatedContainers {
  readonly clock = new ManualClock();
  readonly runs: ContainerRuns;
  readonly network: ClusterNetwork;
  /** The exit codes of servers that ended by themselves, by container ID. */
  readonly ended = new Map<string, number>();
  readonly #pods: SimulatedPods;
  readonly #client: TestObject;

  constructor(...given: readonly TestObject[]) {
    const startedAt = timeText(this.clock.now());
    for (const pod of given.filter(({ kind }) => kind === 'Pod')) {
      pod.metadata.uid ??= `uid-${pod.metadata.name}`;
      pod.status.containerStatuses = pod.spec.containers.map(({ name }: TestObject) => ({
        name,
        containerID: `containerd://${pod.metadata.name}/${name}`,
        state: { running: { startedAt } },
      }));
    }
    this.#client = given.find(({ kind, metadata }) => kind === 'Pod' && metadata.name === 'client') as TestObject;
    const dns = { ...serviceObject('kube-dns', { clusterIP: '10.0.0.10' }), metadata: { name: 'kube-dns', namespace: 'kube-system' } };
    const objects = async () => clusterObjects(...given, dns);
    this.network = new ClusterNetwork({
      clock: this.clock,
      objects: async () => networkObjects(nodeObject('n1', '172.16.0.1'), ...given),
      listenerOf: (pod, at) => podListener(pod, at, { runs: this.runs, allowsLocalhost: false }),
      dnsServer: async () => '10.0.0.10',
    });
    this.runs = new ContainerRuns({
      clock: this.clock,
      objects,
      network: async () => this.network,
      end: async (_, { id, exitCode }) => void this.ended.set(id, exitCode),
    });
    this.#pods = new SimulatedPods({
      clock: this.clock,
      network: this.network,
      objects,
      runs: this.runs,
      follow: async () => {
        throw new Error('nobody follows');
      },
      end: async () => undefined,
    });
  }

  /** Runs a script in the pod `client`. Returns its output and its exit code. Time passes while nothing happens. */
  async sh(script: string): Promise<readonly [stdout: string, stderr: string, code: number]> {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const io = {
      container: 'c',
      stdin: undefined,
      stdout,
      stderr,
      tty: false,
      onResize: () => undefined,
      signal: new AbortController().signal,
    };
    const running = this.#pods.exec(this.#client as Pod, ['sh', '-c', script], io).finally(() => [stdout, stderr].map((one) => one.end()));
    const all = Promise.all([text(stdout), text(stderr), running]);
    let isDone = false;
    void all.finally(() => {
      isDone = true;
    });
    for (let turn = 1; !isDone; turn++) {
      await setImmediate();
      if (turn % quietTurns === 0) this.clock.advance(100);
    }
    return all;
  }
}

/** Returns the pod in which scripts run. */
export const clientPod = (): TestObject =>
  podObject('client', '10.128.0.9', { spec: { containers: [{ name: 'c', image: 'busybox', command: ['sleep', 'infinity'] }] } });

/** Returns a pod with one container. */
export const containerPod = (name: string, podIP: string, container: object): TestObject =>
  podObject(name, podIP, { spec: { containers: [{ name: 'c', ...container }] } });
