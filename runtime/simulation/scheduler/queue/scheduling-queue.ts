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

/**
 * Milliseconds after which an unschedulable pod is tried again without an event. (podMaxInUnschedulablePodsDuration)
 */
const maxUnschedulableMs = 300_000;
const flushIntervalMs = 30_000;

/**
 * The pods without a node: active pods, by priority; pods that back off after a failure, tried earlier if no pod is
 * active; unschedulable pods, which wait for an event; and pods with scheduling gates. (pkg/scheduler/backend/queue)
 */
export class SchedulingQueue {
  readonly nominator = new Nominator();
  readonly #options: SchedulingQueueOptions;
  /** All pods, by uid. */
  readonly #pods = new Map<string, QueuedPodInfo>();
  readonly #active = new Heap<QueuedPodInfo>(isLess);
  readonly #backoff = new Heap<QueuedPodInfo>(
    (a, b) => a.backoffExpiration < b.backoffExpiration || (a.backoffExpiration === b.backoffExpiration && isLess(a, b)),
  );
  /** Pods that back off after an error, with the functions that cancel their timers. */
  readonly #errorBackoff = new Map<QueuedPodInfo, () => void>();
  readonly #unschedulable: UnschedulablePods;
  /**
   * Pods whose victims are being deleted. True if the pod would have been queued again meanwhile. (PreEnqueue of
   * DefaultPreemption)
   */
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

  /** Updates a pod that has no node yet. */
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

  /**
   * Removes and returns the next pod. After a failed attempt, the caller puts it back with `addUnschedulable` or
   * `addFailed`.
   */
  pop(): QueuedPodInfo | undefined {
    const queued = this.#active.pop() ?? this.#backoff.pop();
    if (queued !== undefined) this.#pods.delete(queued.uid);
    return queued;
  }

  get hasReady(): boolean {
    return this.#active.size + this.#backoff.size > 0;
  }

  /** Adds a pod that fits on no node. (AddUnschedulableIfNotPresent) */
  addUnschedulable(queued: QueuedPodInfo, plugins: ReadonlySet<PluginName>): void {
    queued.unschedulableCount++;
    queued.consecutiveErrors = 0;
    queued.unschedulablePlugins = plugins;
    this.#requeue(queued);
    this.#unschedulable.add(queued);
    this.#scheduleFlush();
  }

  /** Adds a pod whose scheduling failed with an error. It is tried again after the backoff. */
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

  /** Queues the unschedulable pods that may fit after an event. (MoveAllToActiveOrBackoffQueue) */
  moveAllToActiveOrBackoffQueue(event: ClusterEvent, objects: EventObjects): void {
    this.#recorded?.push({ event, objects });
    for (const queued of this.#unschedulable.worthRequeuing(event, objects)) this.#moveToActiveOrBackoff(queued);
  }

  /**
   * Records events during an attempt to schedule a pod.
   *
   * @returns a function that replays the events when the pod is back (inFlightEvents)
   */
  recordEvents(): () => void {
    const recorded: RecordedEvent[] = [];
    this.#recorded = recorded;
    return () => {
      this.#recorded = undefined;
      for (const { event, objects } of recorded) this.moveAllToActiveOrBackoffQueue(event, objects);
    };
  }

  /** Keeps a pod from being tried until its victims are told to leave. */
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

/** Reports whether the spec or the labels have changed. (isPodUpdated) */
const mayHelp = (before: Pod, after: Pod): boolean =>
  before.metadata.generation !== after.metadata.generation ||
  JSON.stringify(before.metadata.labels) !== JSON.stringify(after.metadata.labels);
