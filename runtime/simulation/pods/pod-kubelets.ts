import type { Container, Node, Pod, PodStatus } from '../../../generated/v1.35/core/v1/types.ts';
import { isPodTerminal } from '../../controllers/pod-control/pod-states.ts';
import { podRequests } from '../../kinds/core/pod/resources.ts';
import { conflict, isStatusError } from '../../machinery/errors/status.ts';
import { once } from '../../machinery/event-loop/once.ts';
import { defined } from '../../machinery/json/defined.ts';
import { semanticDeepEqual } from '../../machinery/json/equality.ts';
import { type ObjectKey, objectKeyOf } from '../../machinery/object-key.ts';
import { addTo, amountsOf } from '../../machinery/scalars/resource-amounts.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { EventRecorder, referenceTo } from '../../reconcile/events/event-recorder.ts';
import { byNode, type Index, type IndexFunction } from '../../reconcile/informers/index-by.ts';
import type { SharedInformer } from '../../reconcile/informers/shared-informer.ts';
import { type SyncResult, WorkQueue } from '../../reconcile/work-queue.ts';
import { LoopbackClient } from '../../resources/loopback-client.ts';
import type { ClusterObjects } from '../cluster-objects.ts';
import type { SimulationContext } from '../context.ts';
import { DueTimes } from '../due-times.ts';
import { kubeletsWriter, type SimulatedNode, type SimulatedNodes } from '../nodes/simulated-nodes.ts';
import { type ContainerRuns, containerRunsOf } from '../programs/container-runs.ts';
import { isPlaced } from './admission.ts';
import { allocatedPod } from './allocation.ts';
import { fieldPathOf, type PodEvent } from './container-events.ts';

import type { NodeRoom } from './node-room.ts';
import { PodMemory } from './pod-memory.ts';
import { nextPodStep } from './pod-step.ts';
import type { Hooks } from './pod-turn.ts';
import { Prober } from './probes/prober.ts';
import { byUrgency, isDeferredResize } from './resize.ts';
import type { HookState } from './stop.ts';

const networkModule = once(() => import('../network/network-of.ts'));
const probeRun = once(() => import('./probes/run-probe.ts'));
const hookRun = once(() => import('./hooks.ts'));

export const podsResource = { group: '', version: 'v1', resource: 'pods' };

/** The number of pods written at once. */
const concurrency = 64;

/** Indexes pods with a deferred resize by node. */
const byDeferredResize: IndexFunction<Pod> = ({ spec, status }) =>
  spec?.nodeName && status?.conditions?.some(isDeferredResize) ? [spec.nodeName] : [];

export interface PodKubeletsOptions {
  readonly context: SimulationContext;
  readonly nodes: SimulatedNodes;
  readonly pods: SharedInformer<Pod>;
  readonly objects: ClusterObjects;
  /** Reports whether Stages control pods. */
  hasStages(): boolean;
}

/** A kubelet's work for the pods of its node. (pkg/kubelet) */
export class PodKubelets implements Controller {
  readonly #given: PodKubeletsOptions;
  readonly #queue: WorkQueue<ObjectKey>;
  readonly #due: DueTimes<ObjectKey>;
  /** Memories by uid. */
  readonly #memories = new Map<string, PodMemory>();
  readonly #clients = new Map<string, LoopbackClient<Pod>>();
  readonly #recorder: EventRecorder;
  readonly #onNode: Index<Pod>;
  readonly #deferred: Index<Pod>;
  readonly #runs: ContainerRuns;
  readonly #prober: Prober;
  readonly #hooks: Hooks;
  readonly #closing = new AbortController();
  #stop: (() => void) | undefined;

  constructor(given: PodKubeletsOptions) {
    const { stores, logger } = given.context;
    const keyOf = ({ namespace, name }: ObjectKey): string => `${namespace}/${name}`;
    this.#given = given;
    this.#runs = containerRunsOf(stores);
    this.#recorder = new EventRecorder(stores, 'kubelet', kubeletsWriter);
    this.#queue = new WorkQueue<ObjectKey>({
      clock: stores.clock,
      concurrency,
      maxDelay: 10_000,
      keyOf,
      work: (key) => this.#sync(key),
      report: (err) => logger.error({ err }, 'a simulated pod could not be moved, which will be retried'),
    });
    const tools = once(async () => {
      const network = (await networkModule()).clusterNetworkOf(stores);
      return { runs: this.#runs, network, clock: stores.clock };
    });
    const again = (pod: Pod): void => this.#queue.add(objectKeyOf(pod));
    this.#prober = new Prober({
      clock: stores.clock,
      run: async (probe, of) => (await probeRun()).runProbe(probe, of, await tools()),
      onChange: again,
      recordEvent: (pod, container, event) => this.#record(pod, { ...event, fieldPath: containerPath(pod, container) }),
    });
    this.#hooks = {
      start: (hook, of, done, failure) => {
        const controller = new AbortController();
        const state: HookState = { isDone: false, hasFailed: false, cancel: () => controller.abort() };
        const { signal } = controller;
        this.#closing.signal.addEventListener('abort', () => controller.abort(), { signal });
        void (async () => (await hookRun()).runHook(hook, of, { ...(await tools()), signal }))()
          .catch(() => {
            state.hasFailed = true;
            this.#record(of.pod, failure());
          })
          .finally(() => {
            state.isDone = true;
            if (!signal.aborted) done();
          });
        return state;
      },
    };
    this.#onNode = given.pods.index(byNode);
    this.#deferred = given.pods.index(byDeferredResize);
    this.#due = new DueTimes(stores.clock, keyOf, (key) => this.#queue.add(key));
  }

  async start(): Promise<void> {
    const { nodes, pods } = this.#given;
    const add = (pod: Pod): void => {
      if (pod.spec?.nodeName) this.#queue.add(objectKeyOf(pod));
    };
    // heartbeats of nodes do not concern pods
    const seen = new Map<string, string>();
    nodes.onChange((name, node) => {
      const state = node === undefined ? '' : `${node.address} ${node.podCIDR} ${node.isLost}`;
      if (seen.get(name) === state) return;
      if (node === undefined) seen.delete(name);
      else seen.set(name, state);
      for (const pod of this.#onNode.of(name)) add(pod);
    });
    this.#stop = pods.addEventHandler({
      onAdd: add,
      onUpdate: (before, after) => {
        if (before.metadata.uid !== after.metadata.uid) this.#forget(before);
        add(after);
        this.#retryResizes(after);
      },
      onDelete: (last) => {
        this.#forget(last);
        this.#retryResizes(last);
      },
    });
  }

  /** Checks all pods again, because the Stages have changed. */
  replan(): void {
    for (const pod of this.#given.pods.list()) if (pod.spec?.nodeName) this.#queue.add(objectKeyOf(pod));
  }

  async close(): Promise<void> {
    this.#stop?.();
    this.#due.close();
    this.#closing.abort();
    this.#prober.close();
    this.#runs.close();
    await this.#queue.close();
  }

  /** Retries deferred resizes of other pods on the node: a changed or deleted pod may have made room. */
  #retryResizes({ metadata, spec }: Pod): void {
    const waiting = [...this.#deferred.of(spec?.nodeName ?? '')].filter((pod) => pod.metadata.uid !== metadata.uid);
    for (const pod of waiting.sort(byUrgency)) this.#queue.add(objectKeyOf(pod));
  }

  #roomFor({ metadata }: Pod, node: SimulatedNode): NodeRoom {
    const stored = (): Node | undefined => this.#given.nodes.stored(node.name);
    const isTaken = (pod: Pod): boolean =>
      Boolean(pod.status?.startTime) || this.#memories.get(pod.metadata.uid ?? '')?.isAdmitted === true;
    return {
      node: stored,
      others: () =>
        [...this.#onNode.of(node.name)].filter(
          (pod) => pod.metadata.uid !== metadata.uid && !isPodTerminal(pod) && (isPlaced(pod) || isTaken(pod)),
        ),
      allocatable: () => amountsOf(stored()?.status?.allocatable),
      used: () => {
        const sum = new Map();
        for (const pod of this.#onNode.of(node.name)) {
          if (pod.metadata.uid === metadata.uid || isPodTerminal(pod)) continue;
          const allocated = this.#memories.get(pod.metadata.uid ?? '')?.allocated;
          const { status: _, ...pending } = allocatedPod(pod, allocated);
          addTo(sum, podRequests(pending));
        }
        return sum;
      },
    };
  }

  #forget(pod: Pod): void {
    const { uid = '' } = pod.metadata;
    this.#memories.delete(uid);
    this.#runs.forget(uid);
    this.#prober.forget(uid);
    this.#due.delete(objectKeyOf(pod));
    this.#given.nodes.get(pod.spec?.nodeName ?? '')?.pods?.release(uid);
  }

  async #sync(key: ObjectKey): Promise<SyncResult> {
    const pod = this.#given.pods.get(key.namespace, key.name);
    const node = this.#given.nodes.get(pod?.spec?.nodeName ?? '');
    if (pod === undefined || node === undefined || node.isLost || this.#given.hasStages()) return 'done';
    try {
      await this.#move(pod, node);
    } catch (error) {
      if (!isStatusError(error)) throw error;
      const { code } = error.status;
      // another write came first, and the informer reports it
      if (code !== 404 && code !== 409) throw error;
    }
    return 'done';
  }

  async #move(pod: Pod, node: SimulatedNode): Promise<void> {
    const { uid = '' } = pod.metadata;
    const events: PodEvent[] = [];
    const changes: (() => void)[] = [];
    const reservations: (() => void)[] = [];
    const memory = this.#memoryOf(uid);
    const turn = {
      pod,
      memory,
      objects: this.#given.objects,
      now: this.#given.context.stores.clock.now(),
      recordEvent: (event: PodEvent) => void events.push(event),
      wake: (at: number) => this.#due.add(objectKeyOf(pod), at),
      remember: (change: () => void) => void changes.push(change),
      undo: (change: () => void) => void reservations.push(change),
      runs: this.#runs,
      probes: this.#prober,
      hooks: this.#hooks,
      again: () => this.#queue.add(objectKeyOf(pod)),
    };
    const step = nextPodStep(turn, { hostIP: node.address, podIP: () => node.pods?.of(uid) }, this.#roomFor(pod, node));
    if (step.status !== undefined && !semanticDeepEqual(step.status, pod.status)) {
      try {
        await this.#write(pod, node, step.status);
      } catch (error) {
        for (const undo of reservations) undo();
        throw error;
      }
      for (const change of changes) change();
    }
    for (const event of events) this.#record(pod, event);
    const phase = step.status?.phase ?? pod.status?.phase;
    if (phase === 'Succeeded' || phase === 'Failed') node.pods?.release(uid);
    if (step.isOver) await this.#remove(pod, node);
  }

  #record(pod: Pod, { fieldPath, ...event }: PodEvent): void {
    this.#recorder.event({ ...referenceTo(pod), ...(fieldPath ? { fieldPath } : {}) }, { ...event, host: pod.spec?.nodeName ?? '' });
  }

  #memoryOf(uid: string): PodMemory {
    let memory = this.#memories.get(uid);
    if (memory === undefined) {
      memory = new PodMemory();
      this.#memories.set(uid, memory);
    }
    return memory;
  }

  async #write({ metadata }: Pod, node: SimulatedNode, status: PodStatus): Promise<void> {
    const client = await this.#clientOf(node);
    const { name = '', namespace = '', resourceVersion } = metadata;
    const check = (current: Pod): Pod => {
      if (current.metadata.resourceVersion !== resourceVersion) throw conflict(client.definition, name, 'it has changed');
      return { ...current, status };
    };
    await client.modify({ namespace, name }, check, 'status');
  }

  /** Deletes the object after the pod has stopped. */
  async #remove({ metadata: { name = '', namespace = '', uid } }: Pod, node: SimulatedNode): Promise<void> {
    const client = await this.#clientOf(node);
    await client.delete(namespace, name, defined({ uid, gracePeriodSeconds: 0 }));
  }

  async #clientOf({ name, writer }: SimulatedNode): Promise<LoopbackClient<Pod>> {
    let client = this.#clients.get(name);
    if (client === undefined) {
      client = await LoopbackClient.open<Pod>(this.#given.context.stores, podsResource, writer);
      this.#clients.set(name, client);
    }
    return client;
  }
}

/** Returns the field of a container for events. */
function containerPath({ spec }: Pod, { name }: Container): string {
  return fieldPathOf(spec?.initContainers?.some((one) => one.name === name) ? 'sidecar' : 'main', name);
}
