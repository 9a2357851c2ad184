import type { Pod } from '../../../../generated/v1.35/core/v1/types.ts';
import type { Clock } from '../../../machinery/clock.ts';
import type { ClusterEvent, EventObjects, QueueingHints } from '../framework/cluster-event.ts';
import type { PluginName } from '../framework/plugin-names.ts';
import { Heap } from './heap.ts';
import { Nominator, nominatedNodeName } from './nominator.ts';
import { backoffDuration, isLess, QueuedPodInfo } from './queued-pod-info.ts';
import { UnschedulablePods } from './unschedulable-pods.ts';

export interface SchedulingQueueOptions {
  readonly clock: Clock;
  readonly hints: ReadonlyMap<PluginName, QueueingHints>;
  /** Called whenever a pod can be popped. */
  onReady(): void;
}

interface RecordedEvent {
  readonly event: ClusterEvent;
  readonly objects: EventObjects;
}

/** How long a pod is left alone that nothing seems to help. (podMaxInUnschedulablePodsDuration) */
const maxUnschedulableMs = 300_000;
const flushIntervalMs = 30_000;

/**
 * The pods that have no node yet: those to be tried, by priority; those that failed and wait a little (they are tried
 * earlier if nobody else is there); those that no node suits until something changes; and those with scheduling gates.
 * (pkg/scheduler/backend/queue)
 */
export class SchedulingQueue {
  readonly nominator = new Nominator();
  readonly #options: SchedulingQueueOptions;
  /** All of them, by uid. */
  readonly #pods = new Map<string, QueuedPodInfo>();
  readonly #active = new Heap<QueuedPodInfo>(isLess);
  readonly #backoff = new Heap<QueuedPodInfo>(
    (a, b) => a.backoffExpiration < b.backoffExpiration || (a.backoffExpiration === b.backoffExpiration && isLess(a, b)),
  );
  /** Those that failed because of an error, with what cancels their wait. */
  readonly #errorBackoff = new Map<QueuedPodInfo, () => void>();
  readonly #unschedulable: UnschedulablePods;
  /** Those for which others are being deleted, and whether one of these has gone. (PreEnqueue of DefaultPreemption) */
  readonly #preempting = new Map<string, boolean>();
  #recorded: RecordedEvent[] | undefined;
  #order = 0;
  #cancelFlush: (() => void) | undefined;

  constructor(options: SchedulingQueueOptions) {
    this.#options = options;
    this.#unschedulable = new UnschedulablePods(options.hints);
  }

  add(pod: Pod): void {
    const queued = new QueuedPodInfo(pod, this.#options.clock.now());
    this.delete(queued.uid);
    this.#pods.set(queued.uid, queued);
    if (nominatedNodeName(pod) !== '') this.nominator.nominate(queued.info);
    if (!isGated(pod)) this.#activate(queued);
  }

  /** A pod that has changed, but has no node yet. */
  update(before: Pod, after: Pod): void {
    const queued = this.#pods.get(after.metadata.uid ?? '');
    if (queued === undefined) return;
    const wasGated = isGated(queued.pod);
    queued.pod = after;
    if (nominatedNodeName(before) !== nominatedNodeName(after)) this.nominator.nominate(queued.info);
    if (isGated(after)) return;
    if (wasGated) this.#activate(queued);
    else if (this.#unschedulable.has(queued) && mayHelp(before, after)) this.#moveToActiveOrBackoff(queued);
  }

  delete(uid: string): void {
    this.nominator.delete(uid);
    const queued = this.#pods.get(uid);
    if (queued === undefined) return;
    this.#pods.delete(uid);
    this.#active.delete(queued);
    this.#backoff.delete(queued);
    this.#errorBackoff.get(queued)?.();
    this.#errorBackoff.delete(queued);
    this.#unschedulable.delete(queued);
  }

  /** The pod to be scheduled next. The caller puts it back with `addUnschedulable` or `addFailed` if that fails. */
  pop(): QueuedPodInfo | undefined {
    const queued = this.#active.pop() ?? this.#backoff.pop();
    if (queued !== undefined) this.#pods.delete(queued.uid);
    return queued;
  }

  get hasReady(): boolean {
    return this.#active.size + this.#backoff.size > 0;
  }

  /** A pod that no node suits. (AddUnschedulableIfNotPresent) */
  addUnschedulable(queued: QueuedPodInfo, plugins: ReadonlySet<PluginName>): void {
    queued.unschedulableCount++;
    queued.consecutiveErrors = 0;
    queued.unschedulablePlugins = plugins;
    this.#requeue(queued);
    this.#unschedulable.add(queued);
    this.#scheduleFlush();
  }

  /** A pod that could not be scheduled because of an error: it is tried again after a while. */
  addFailed(queued: QueuedPodInfo): void {
    queued.consecutiveErrors++;
    queued.unschedulablePlugins = new Set();
    this.#requeue(queued);
    const cancel = this.#options.clock.after(queued.backoffExpiration - queued.timestamp, () => {
      this.#errorBackoff.delete(queued);
      this.#activate(queued);
    });
    this.#errorBackoff.set(queued, cancel);
  }

  /** Tries the pods again that may fit after what has happened. (MoveAllToActiveOrBackoffQueue) */
  moveAllToActiveOrBackoffQueue(event: ClusterEvent, objects: EventObjects): void {
    this.#recorded?.push({ event, objects });
    for (const queued of this.#unschedulable.worthRequeuing(event, objects)) this.#moveToActiveOrBackoff(queued);
  }

  /**
   * For a pod that is being looked at and will be put back.
   *
   * @returns tells it what has happened since (inFlightEvents)
   */
  recordEvents(): () => void {
    const recorded: RecordedEvent[] = [];
    this.#recorded = recorded;
    return () => {
      this.#recorded = undefined;
      for (const { event, objects } of recorded) this.moveAllToActiveOrBackoffQueue(event, objects);
    };
  }

  /** Keeps a pod from being tried until others have been told to make room for it. */
  async whilePreempting(uid: string, preempt: () => Promise<void>): Promise<void> {
    this.#preempting.set(uid, false);
    try {
      await preempt();
    } finally {
      const wasMissed = this.#preempting.get(uid) === true;
      this.#preempting.delete(uid);
      const queued = this.#pods.get(uid);
      if (wasMissed && queued !== undefined) this.#moveToActiveOrBackoff(queued);
    }
  }

  close(): void {
    this.#cancelFlush?.();
    for (const cancel of this.#errorBackoff.values()) cancel();
    this.#errorBackoff.clear();
  }

  #requeue(queued: QueuedPodInfo): void {
    queued.timestamp = this.#options.clock.now();
    queued.backoffExpiration = queued.timestamp + backoffDuration(queued);
    this.#pods.set(queued.uid, queued);
  }

  #moveToActiveOrBackoff(queued: QueuedPodInfo): void {
    const { uid, pod } = queued;
    if (this.#preempting.has(uid)) {
      this.#preempting.set(uid, true);
      return;
    }
    if (!this.#unschedulable.delete(queued) || isGated(pod)) return;
    if (queued.backoffExpiration <= this.#options.clock.now()) this.#activate(queued);
    else {
      this.#backoff.add(queued);
      this.#options.onReady();
    }
  }

  #activate(queued: QueuedPodInfo): void {
    this.#unschedulable.delete(queued);
    queued.order = ++this.#order;
    this.#active.add(queued);
    this.#options.onReady();
  }

  /** (flushUnschedulablePodsLeftover) */
  #scheduleFlush(): void {
    this.#cancelFlush ??= this.#options.clock.after(flushIntervalMs, () => {
      this.#cancelFlush = undefined;
      const before = this.#options.clock.now() - maxUnschedulableMs;
      for (const queued of this.#unschedulable.all()) {
        if (queued.timestamp < before) this.#moveToActiveOrBackoff(queued);
      }
      if (this.#unschedulable.size > 0) this.#scheduleFlush();
    });
  }
}

/** (plugins/schedulinggates) */
const isGated = ({ spec }: Pod): boolean => (spec?.schedulingGates?.length ?? 0) > 0;

/** The spec has changed, or the labels. (isPodUpdated) */
const mayHelp = (before: Pod, after: Pod): boolean =>
  before.metadata.generation !== after.metadata.generation ||
  JSON.stringify(before.metadata.labels) !== JSON.stringify(after.metadata.labels);
