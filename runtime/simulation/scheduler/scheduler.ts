import type { Node, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { PodDisruptionBudget } from '../../../generated/v1.35/policy/v1/types.ts';
import type { ControllerContext } from '../../controllers/controller-context.ts';
import { endOfSlice, runNextTurn } from '../../machinery/event-loop/yield.ts';
import type { Controller } from '../../reconcile/controller.ts';
import type { SharedInformer } from '../../reconcile/informers/shared-informer.ts';
import { SchedulerCache } from './cache/cache.ts';
import { openDefaultProfile } from './default-profile.ts';
import { nodeHandler, podHandler, storageHandler } from './event-handlers.ts';
import { fitErrorMessage } from './framework/fit-error.ts';
import type { Reservation } from './framework/plugin.ts';
import type { PodInfo } from './framework/pod-info.ts';
import { VolumeBinder } from './plugins/volumes/volume-binder.ts';
import { openVolumeListers } from './plugins/volumes/volume-listers.ts';
import { Evaluator, type PreemptionResult } from './preemption/evaluator.ts';
import type { Victims } from './preemption/select-victims.ts';
import type { QueuedPodInfo } from './queue/queued-pod-info.ts';
import { SchedulingQueue } from './queue/scheduling-queue.ts';
import { randomNumbers } from './random.ts';
import { type NoNode, SchedulingAlgorithm } from './schedule-pod.ts';
import { SchedulerWrites, schedulerWriter } from './scheduler-writes.ts';

export type SchedulerContext = Pick<ControllerContext, 'stores' | 'informers' | 'logger'>;

/** Milliseconds of scheduling before the event loop gets a turn. */
const sliceMs = 5;
/** The most pods being written at once. More pods are not scheduled meanwhile. */
const maxWrites = 256;

/**
 * Assigns pods to nodes. The cycle of one pod runs to its end. Its result counts in the cache at once, and the pod is
 * bound in the background. (pkg/scheduler)
 */
export class Scheduler implements Controller {
  readonly #context: SchedulerContext;
  readonly #cache = new SchedulerCache();
  readonly #random: () => number;
  readonly #stops: (() => void)[] = [];
  /** Running bindings, and writes about failures. */
  readonly #background = new Set<Promise<void>>();
  /** The number of background tasks that are writing, not waiting for volumes. */
  #writing = 0;
  /** Whether preemption is searching nodes. */
  #isBusy = false;
  #running: RunningParts | undefined;
  #cancelTurn: (() => void) | undefined;
  #closed = false;

  /** @param seed of the choice between equally good nodes */
  constructor(context: SchedulerContext, seed = Math.floor(context.stores.random.float('scheduler') * 2 ** 32)) {
    this.#context = context;
    this.#random = randomNumbers(seed);
  }

  async start(): Promise<void> {
    const { stores, informers } = this.#context;
    const core = { group: '', version: 'v1' };
    const pods = await informers.of<Pod>({ ...core, resource: 'pods' });
    const nodes = await informers.of<Node>({ ...core, resource: 'nodes' });
    const policy = { group: 'policy', version: 'v1', resource: 'poddisruptionbudgets' };
    const budgets = await informers.of<PodDisruptionBudget>(policy);
    const listers = await openVolumeListers(this.#context);
    const binder = new VolumeBinder(this.#context, listers, schedulerWriter);
    const profile = await openDefaultProfile(this.#context, { listers, binder });
    const writes = await SchedulerWrites.open(this.#context);
    const { hints } = profile;
    const queue = new SchedulingQueue({ clock: stores.clock, hints, onReady: () => this.#schedule() });
    const shared = { nodes: this.#cache, nominator: queue.nominator, random: this.#random };
    const algorithm = new SchedulingAlgorithm({ ...shared, profile });
    const evaluator = new Evaluator({ ...shared, budgets });
    const state = { cache: this.#cache, queue };
    this.#stops.push(
      () => queue.close(),
      () => binder.close(),
    );
    await nodes.addEventHandlerInSlices(nodeHandler(state), this.#stops);
    if (!this.#closed) await pods.addEventHandlerInSlices(podHandler(state), this.#stops);
    if (this.#closed) return;
    this.#stops.push(
      listers.claims.addEventHandler(storageHandler(state, 'PersistentVolumeClaim')),
      listers.volumes.addEventHandler(storageHandler(state, 'PersistentVolume')),
      listers.classes.addEventHandler(storageHandler(state, 'StorageClass')),
      listers.csiNodes.addEventHandler(storageHandler(state, 'CSINode')),
    );
    // the free resources of nodes are known from here on
    this.#running = { pods, queue, writes, algorithm, evaluator };
    this.#schedule();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelTurn?.();
    for (const stop of this.#stops) stop();
    await Promise.all(this.#background);
    this.#running?.writes.close();
  }

  get #mayGoOn(): boolean {
    return !this.#isBusy && this.#writing < maxWrites;
  }

  #schedule(): void {
    if (this.#closed || this.#cancelTurn !== undefined || !this.#mayGoOn) return;
    this.#cancelTurn = runNextTurn(() => {
      this.#cancelTurn = undefined;
      const end = endOfSlice(sliceMs);
      while (this.#mayGoOn && performance.now() < end) if (!this.#scheduleOne()) return;
      if (this.#running?.queue.hasReady) this.#schedule();
    });
  }

  /** Schedules the next pod. Returns false if none waits. (ScheduleOne) */
  #scheduleOne(): boolean {
    const parts = this.#running;
    const queued = parts?.queue.pop();
    if (parts === undefined || queued === undefined) return false;
    const { pod, uid } = queued;
    if (pod.metadata.deletionTimestamp) parts.writes.skipped(pod);
    else if (!this.#cache.isAssumed(uid)) this.#schedulingCycle(parts, queued);
    return true;
  }

  #schedulingCycle(parts: RunningParts, queued: QueuedPodInfo): void {
    const { info } = queued;
    if (this.#cache.list().length === 0) {
      const message = 'no nodes available to schedule pods';
      this.#failUnschedulable(parts, queued, { message, plugins: new Set(), nominated: '' });
      return;
    }
    const result = parts.algorithm.schedule(info);
    if ('node' in result) {
      const { node, filters } = result;
      this.#cache.assumePod(info, node.name);
      parts.queue.nominator.delete(info.uid);
      const reservations = filters.filters.map((filter) => filter.reserve?.(node)).filter((one) => one !== undefined);
      this.#inBackground(this.#bindingCycle(parts, queued, { node: node.name, reservations }));
      return;
    }
    this.#postFilter(parts, queued, result);
  }

  /** Tries preemption. (RunPostFilterPlugins of DynamicResources and DefaultPreemption) */
  #postFilter(parts: RunningParts, queued: QueuedPodInfo, { diagnosis, filters }: NoNode): void {
    const { info } = queued;
    const plugins = diagnosis.unschedulablePlugins;
    const explain = (postFilterMsg: string): string => fitErrorMessage(this.#cache.list().length, diagnosis, postFilterMsg);
    if (filters === undefined) {
      // upstream's DynamicResources plugin fails here, because it has no state for the pod
      this.#failUnschedulable(parts, queued, { message: explain('not found'), plugins });
      return;
    }
    const end = (preemption: PreemptionResult): void => {
      if ('message' in preemption) {
        const message = explain(`no new claims to deallocate, ${preemption.message}`);
        const nominated = preemption.clearsNomination ? '' : undefined;
        this.#failUnschedulable(parts, queued, { message, plugins, nominated });
        return;
      }
      this.#failUnschedulable(parts, queued, { message: explain(''), plugins, nominated: preemption.node });
      this.#inBackground(parts.queue.whilePreempting(info.uid, () => this.#preempt(parts, info, preemption)));
    };
    const preemption = parts.evaluator.preempt(info, diagnosis, filters);
    if (preemption instanceof Promise) this.#inBackground(this.#alone(parts, preemption.then(end)));
    else end(preemption);
  }

  /** Schedules no other pod until the work has ended. The pod of the work sees events that happen meanwhile. */
  async #alone({ queue }: RunningParts, work: Promise<void>): Promise<void> {
    this.#isBusy = true;
    const replay = queue.recordEvents();
    try {
      await work;
    } finally {
      this.#isBusy = false;
      replay();
      this.#schedule();
    }
  }

  async #bindingCycle(
    { queue, writes, pods }: RunningParts,
    queued: QueuedPodInfo,
    { node, reservations }: { readonly node: string; readonly reservations: readonly Reservation[] },
  ): Promise<void> {
    const { info } = queued;
    try {
      if (reservations.length > 0) await this.#preBind(writes, info, node, reservations);
      await this.#write(() => writes.bind(info, node));
    } catch (error) {
      for (const reservation of reservations) reservation.release();
      const objects = { before: info.pod, after: undefined };
      this.#cache.forgetPod(info.uid);
      queue.moveAllToActiveOrBackoffQueue('AssignedPodDelete', objects);
      const current = pods.get(info.namespace, info.name);
      if (this.#closed || current?.metadata.uid !== info.uid || current.spec?.nodeName) return;
      queue.addFailed(queued);
      const message = messageOf(error);
      await this.#write(() => writes.fail(current, { reason: 'SchedulerError', message }, ''));
    }
  }

  /** May take long. The nomination shows others where the pod will run. (RunPreBindPlugins) */
  async #preBind(writes: SchedulerWrites, { pod }: PodInfo, node: string, reservations: readonly Reservation[]): Promise<void> {
    await writes.setNominatedNodeName(pod, node);
    for (const reservation of reservations) await reservation.preBind();
  }

  #failUnschedulable({ queue, writes, pods }: RunningParts, queued: QueuedPodInfo, { message, plugins, nominated }: Unschedulable): void {
    const { info } = queued;
    const current = pods.get(info.namespace, info.name);
    if (this.#closed || current?.metadata.uid !== info.uid || current.spec?.nodeName) return;
    if (current !== info.pod) queued.pod = current;
    queue.addUnschedulable(queued, plugins);
    queue.nominator.nominate(queued.info, nominated);
    this.#inBackground(this.#write(() => writes.fail(current, { reason: 'Unschedulable', message }, nominated)));
  }

  /** (prepareCandidate) */
  async #preempt({ queue, writes }: RunningParts, { pod, priority }: PodInfo, { node, pods }: Victims): Promise<void> {
    const lower = [...queue.nominator.podsOf(node).values()].filter((other) => other.priority < priority);
    await Promise.all([
      ...lower.map((other) => writes.setNominatedNodeName(other.pod, '')),
      ...pods.filter((victim) => !victim.pod.metadata.deletionTimestamp).map((victim) => writes.preempt(victim.pod, pod, node)),
    ]);
  }

  #inBackground(work: Promise<void>): void {
    const reported = work
      .catch((err) => {
        if (!this.#closed) this.#context.logger.error({ err }, 'the scheduler could not write');
      })
      .finally(() => {
        this.#background.delete(reported);
      });
    this.#background.add(reported);
  }

  async #write(write: () => Promise<void>): Promise<void> {
    this.#writing++;
    try {
      await write();
    } finally {
      this.#writing--;
      this.#schedule();
    }
  }
}

interface RunningParts {
  readonly pods: SharedInformer<Pod>;
  readonly queue: SchedulingQueue;
  readonly writes: SchedulerWrites;
  readonly algorithm: SchedulingAlgorithm;
  readonly evaluator: Evaluator;
}

interface Unschedulable {
  readonly message: string;
  readonly plugins: QueuedPodInfo['unschedulablePlugins'];
  /** The `nominated` of `SchedulerWrites.fail`. */
  readonly nominated?: string | undefined;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
