import type { Clock } from '../machinery/clock.ts';
import type { UserInfo } from '../machinery/user-info.ts';
import { mandatoryFlowSchemas } from './bootstrap/flow-schemas.ts';
import { mandatoryPriorityLevels } from './bootstrap/priority-levels.ts';
import { type FlowSchemaFlow, FlowSchemaState, inMatchingOrder } from './classification/flow-schema-state.ts';
import { RequestClassifier } from './classification/request-classifier.ts';
import { updateBorrowing } from './concurrency/borrowing.ts';
import { nominalConcurrencySharesOf } from './concurrency/concurrency-limits.ts';
import { isUsable, PriorityLevelState } from './concurrency/priority-level-state.ts';
import { DroppedRequestsTracker } from './dropped-requests-tracker.ts';
import { QueuedRequest } from './fair-queuing/queue.ts';
import { FlowControlMetrics } from './metrics/flow-control-metrics.ts';
import type { FlowSchema, PriorityLevelConfiguration } from './objects.ts';
import type { RequestInfo, RequestQuery } from './request-info.ts';
import type { ResourceSize } from './work-estimate/list-work-estimator.ts';
import { WatchTracker } from './work-estimate/watch-tracker.ts';
import { WorkEstimator } from './work-estimate/work-estimator.ts';

export interface FlowControlOptions {
  readonly clock: Clock;
  /** Seats of all priority levels together; more than 0. */
  readonly serverConcurrency: number;
  /** Returns undefined if the size is unknown. Called for every list and watch. */
  sizeOf(group: string, resource: string): ResourceSize | undefined;
}

/** A request with its FlowSchema and priority level, at `flow.flowSchema`. */
export type ClassifiedRequest = QueuedRequest<FlowSchemaFlow>;

/**
 * Priority and fairness: decides which requests execute now, which wait, and which are rejected.
 *
 *     const request = flowControl.start(requestInfo, user, query);
 *     request.phase === 'executing': handle it, then finish(request)
 *     request.phase === 'waiting':   onDispatch is called when its turn comes, cancel(request, ...) gives up
 *     request.phase === 'rejected':  respond 429 with retryAfter(request)
 *
 * Without contention, `start` and `finish` take a few hundred instructions and one allocation.
 * (apiserver pkg/util/flowcontrol/apf_controller.go)
 */
export class FlowControl {
  readonly metrics: FlowControlMetrics;
  readonly watches = new WatchTracker();
  readonly #clock: Clock;
  readonly #serverConcurrency: number;
  readonly #workEstimator: WorkEstimator;
  readonly #droppedRequests: DroppedRequestsTracker;
  #priorityLevels = new Map<string, PriorityLevelState>();
  #classifier = new RequestClassifier([]);
  #priorityLevelConfigurations: readonly PriorityLevelConfiguration[] = [];
  #flowSchemas: readonly FlowSchema[] = [];
  /** All objects, while only the objects for administrators are in force. */
  #deferred: { readonly priorityLevels: readonly PriorityLevelConfiguration[]; readonly flowSchemas: readonly FlowSchema[] } | undefined;

  constructor({ clock, serverConcurrency, sizeOf }: FlowControlOptions) {
    this.#clock = clock;
    this.#serverConcurrency = serverConcurrency;
    this.metrics = new FlowControlMetrics(() => clock.now());
    this.#workEstimator = new WorkEstimator({ sizeOf, watches: this.watches });
    this.#droppedRequests = new DroppedRequestsTracker(clock);
    this.configure([], []);
  }

  /** All priority levels in use, by name, including quiescing ones. */
  get priorityLevels(): readonly PriorityLevelState[] {
    this.#configureDeferred();
    return [...this.#priorityLevels.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /**
   * Takes over all objects. Missing mandatory objects are added, FlowSchemas without a priority level are ignored, and
   * deleted priority levels stay until their last request is done. (apf_controller.go digestConfigObjects)
   */
  configure(priorityLevels: readonly PriorityLevelConfiguration[], flowSchemas: readonly FlowSchema[]): void {
    this.#deferred = undefined;
    this.#priorityLevelConfigurations = priorityLevels;
    this.#flowSchemas = flowSchemas;
    const configured = this.#updatePriorityLevels(priorityLevels);
    this.#updateLimits();
    this.updateBorrowing();
    this.#updateFlowSchemas(flowSchemas, configured);
  }

  /**
   * Takes over the objects of another instance: at once the objects for administrators, whose requests come first, the
   * others on first use. Queues and metrics of all levels are most of an empty server's memory.
   */
  configureAs(other: FlowControl): void {
    const objects = other.#deferred ?? {
      priorityLevels: other.#priorityLevelConfigurations,
      flowSchemas: other.#flowSchemas,
    };
    const isMandatory = ({ metadata: { name = '' } }: PriorityLevelConfiguration | FlowSchema): boolean =>
      name === 'exempt' || name === 'catch-all';
    const isFirst = ({ spec }: FlowSchema): boolean => (spec?.matchingPrecedence ?? 0) <= 1;
    if (objects.flowSchemas.some((one) => isFirst(one) && !isMandatory(one))) {
      this.configure(objects.priorityLevels, objects.flowSchemas);
      return;
    }
    this.configure(objects.priorityLevels.filter(isMandatory), objects.flowSchemas.filter(isMandatory));
    this.#deferred = objects;
  }

  #configureDeferred(): void {
    const objects = this.#deferred;
    if (objects !== undefined) this.configure(objects.priorityLevels, objects.flowSchemas);
  }

  /** Reallocates the seats by the demand since the last call. */
  updateBorrowing(): void {
    updateBorrowing(this.priorityLevels, this.#serverConcurrency, this.metrics, this.#clock.now());
  }

  /** Classifies the request, estimates its work, and executes, enqueues or rejects it. */
  start(requestInfo: RequestInfo, user: UserInfo, query: RequestQuery): ClassifiedRequest {
    if (this.#deferred !== undefined && !user.groups.includes('system:masters')) this.#configureDeferred();
    const flowSchema = this.#classifier.classify(requestInfo, user);
    const { priorityLevel, metrics } = flowSchema;
    const flow = flowSchema.flowOf(requestInfo, user);
    const work = this.#workEstimator.estimate(requestInfo, query, priorityLevel.maxSeats, metrics);
    const request = new QueuedRequest(requestInfo, user, flow, work);
    metrics.estimatedSeats.observe(request.maxSeats);
    priorityLevel.queueSet.start(request);
    if (!priorityLevel.exempt && request.phase === 'executing') metrics.waitOfExecuted.observe(0);
    else if (request.phase === 'rejected') this.#recordReject(request, 0);
    return request;
  }

  /** Records the wait of a request that has been dispatched from its queue. */
  recordDispatched({ flow, arrivalTime, startTime }: ClassifiedRequest): void {
    flow.metrics.waitOfExecuted.observe((startTime - arrivalTime) / 1000);
  }

  /** Releases the request's seats when it is done or, for a watch, initialized. Does nothing if called again. */
  finish(request: ClassifiedRequest): void {
    if (request.phase !== 'executing') return;
    const { flow, requestInfo } = request;
    const seconds = flow.flowSchema.priorityLevel.queueSet.finish(request) / 1000;
    if (requestInfo.verb === 'watch') flow.metrics.watchInitDuration.observe(seconds);
    else flow.metrics.executionDuration.observe(seconds);
  }

  /** Takes a request out of its queue and rejects it. Returns false if it is no longer waiting. */
  cancel(request: ClassifiedRequest, reason: 'time-out' | 'cancelled'): boolean {
    if (!request.flow.flowSchema.priorityLevel.queueSet.cancel(request, reason)) return false;
    this.#recordReject(request, (this.#clock.now() - request.arrivalTime) / 1000);
    return true;
  }

  /** Returns how long a rejected client should wait, in whole seconds. */
  retryAfter({ flow }: ClassifiedRequest): number {
    return this.#droppedRequests.retryAfter(flow.flowSchema.priorityLevel.name);
  }

  #recordReject({ flow }: ClassifiedRequest, waitSeconds: number): void {
    flow.metrics.waitOfRejected.observe(waitSeconds);
    this.#droppedRequests.recordDroppedRequest(flow.flowSchema.priorityLevel.name);
  }

  /** Returns the names of the priority levels that have an object. */
  #updatePriorityLevels(objects: readonly PriorityLevelConfiguration[]): ReadonlySet<string> {
    const next = new Map<string, PriorityLevelState>();
    for (const object of withMandatory(objects.filter(isUsable), mandatoryPriorityLevels)) {
      const name = object.metadata.name ?? '';
      const level = this.#priorityLevels.get(name) ?? this.#newPriorityLevel(name);
      level.update(object);
      next.set(name, level);
    }
    const configured = new Set(next.keys());
    for (const [name, level] of this.#priorityLevels) {
      if (next.has(name)) continue;
      if (level.queueSet.idle) {
        this.metrics.removePriorityLevel(name);
        this.#droppedRequests.removePriorityLevel(name);
        continue;
      }
      level.quiescing = true;
      next.set(name, level);
    }
    this.#priorityLevels = next;
    return configured;
  }

  #newPriorityLevel(name: string): PriorityLevelState {
    const { mutating, readOnly } = this.metrics;
    const metrics = this.metrics.priorityLevel(name);
    const level = new PriorityLevelState(name, { clock: this.#clock, metrics, mutating, readOnly });
    level.queueSet.onIdle = () => {
      if (level.quiescing) this.configure(this.#priorityLevelConfigurations, this.#flowSchemas);
    };
    return level;
  }

  #updateLimits(): void {
    const levels = this.priorityLevels;
    const shareSum = levels.reduce((sum, { spec }) => sum + nominalConcurrencySharesOf(spec), 0);
    let maxExecuting = 0;
    let maxWaiting = 0;
    for (const level of levels) {
      level.updateLimits(shareSum, this.#serverConcurrency);
      if (level.current === 0) level.current = level.limits.initial;
      maxExecuting += level.limits.nominal;
      const { queues = 0, queueLengthLimit = 0 } = level.spec.limited?.limitResponse?.queuing ?? {};
      maxWaiting += queues * queueLengthLimit;
    }
    const now = this.#clock.now();
    for (const { ratios } of [this.metrics.mutating, this.metrics.readOnly]) {
      ratios.executing.setDenominator(Math.max(1, maxExecuting), now);
      ratios.waiting.setDenominator(Math.max(1, maxWaiting), now);
    }
  }

  /** @param configured priority levels that have an object */
  #updateFlowSchemas(objects: readonly FlowSchema[], configured: ReadonlySet<string>): void {
    const usable = objects.filter((object) => configured.has(priorityLevelOf(object)));
    const flowSchemas = inMatchingOrder(withMandatory(usable, mandatoryFlowSchemas)).map((object) => {
      const level = this.#priorityLevels.get(priorityLevelOf(object)) as PriorityLevelState;
      return new FlowSchemaState(object, level, this.metrics.flowSchema(level.name, object.metadata.name ?? ''));
    });
    this.#classifier = new RequestClassifier(flowSchemas);
  }
}

const priorityLevelOf = ({ spec }: FlowSchema): string => spec?.priorityLevelConfiguration?.name ?? '';

/** Adds the mandatory objects that are missing. */
function withMandatory<T extends FlowSchema | PriorityLevelConfiguration>(objects: readonly T[], mandatory: readonly T[]): T[] {
  const names = new Set(objects.map(({ metadata }) => metadata.name));
  return [...objects, ...mandatory.filter(({ metadata }) => !names.has(metadata.name))];
}
