import type { Clock } from '../machinery/clock.ts';
import type { UserInfo } from '../machinery/user-info.ts';
import { mandatoryFlowSchemas } from './bootstrap/flow-schemas.ts';
import { mandatoryPriorityLevels } from './bootstrap/priority-levels.ts';
import type { Flow } from './classification/flow.ts';
import { FlowClass, FlowClasses, inMatchingOrder } from './classification/flow-classes.ts';
import { divideSeats } from './concurrency/borrowing.ts';
import { isUsable, LevelState } from './concurrency/level-state.ts';
import { sharesOf } from './concurrency/limits.ts';
import { SeatRequest } from './fair-queuing/request.ts';
import type { WorkEstimate } from './fair-queuing/work.ts';
import { FlowControlMetrics } from './metrics/flow-control-metrics.ts';
import type { FlowSchema, PriorityLevel } from './objects.ts';
import type { RequestDigest, RequestQuery } from './request-digest.ts';
import { RetryAfter } from './retry-after.ts';
import { WorkEstimator } from './work-estimate/estimator.ts';
import type { ResourceSize } from './work-estimate/list.ts';
import { WatchCounts } from './work-estimate/watch-counts.ts';

export interface FlowControlOptions {
  readonly clock: Clock;
  /** Seats of all levels together; more than 0. */
  readonly serverConcurrency: number;
  /** How much there is of a resource; undefined where it is not known. Asked for every list and watch. */
  sizeOf(group: string, resource: string): ResourceSize | undefined;
}

/** A request and what it was matched to. */
export class Admission extends SeatRequest {
  readonly matched: FlowClass;

  constructor(digest: RequestDigest, user: UserInfo, matched: FlowClass, flow: Flow, work: WorkEstimate) {
    super(digest, user, flow, work);
    this.matched = matched;
  }
}

/**
 * Priority and fairness: which requests are executed now, which wait, which are refused.
 *
 *     const admission = flowControl.start(request, user, query);
 *     executing -> answer it, then finish(admission)
 *     waiting   -> admission.onDispatch is called when it is its turn; abandon(admission, ...) takes it out
 *     refused   -> 429, with retryAfter(admission)
 *
 * With nothing contended `start` and `finish` are a few hundred instructions and one object.
 * (apiserver pkg/util/flowcontrol/apf_controller.go)
 */
export class FlowControl {
  readonly metrics: FlowControlMetrics;
  readonly watches = new WatchCounts();
  readonly #clock: Clock;
  readonly #serverConcurrency: number;
  readonly #estimator: WorkEstimator;
  readonly #retryAfter: RetryAfter;
  #levels = new Map<string, LevelState>();
  #classes = new FlowClasses([]);
  #objects: { readonly levels: readonly PriorityLevel[]; readonly schemas: readonly FlowSchema[] };

  constructor({ clock, serverConcurrency, sizeOf }: FlowControlOptions) {
    this.#clock = clock;
    this.#serverConcurrency = serverConcurrency;
    this.metrics = new FlowControlMetrics(() => clock.now());
    this.#estimator = new WorkEstimator({ sizeOf, watches: this.watches });
    this.#retryAfter = new RetryAfter(clock);
    this.#objects = { levels: [], schemas: [] };
    this.configure([], []);
  }

  /** Every level in use, by name; those on their way out too. */
  get levels(): readonly LevelState[] {
    return [...this.#levels.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /**
   * Takes over all objects there are. The mandatory ones are in force even where they are missing; schemas of levels
   * that do not exist are left out; levels that are gone stay until their last request has.
   */
  configure(levels: readonly PriorityLevel[], schemas: readonly FlowSchema[]): void {
    this.#objects = { levels, schemas };
    const usable = supplied(levels.filter(isUsable), mandatoryPriorityLevels);
    const next = new Map<string, LevelState>();
    for (const object of usable) {
      const name = object.metadata.name ?? '';
      const level = this.#levels.get(name) ?? this.#newLevel(name);
      level.follow(object);
      next.set(name, level);
    }
    const desired = new Set(next.keys());
    for (const [name, level] of this.#levels) {
      if (next.has(name)) continue;
      if (level.queueSet.idle) {
        this.metrics.forgetLevel(name);
        this.#retryAfter.forget(name);
        continue;
      }
      level.quiescing = true;
      next.set(name, level);
    }
    this.#levels = next;
    this.#divide();
    const matchable = supplied(
      schemas.filter(({ spec }) => desired.has(spec?.priorityLevelConfiguration?.name)),
      mandatoryFlowSchemas,
    );
    const classes = inMatchingOrder(matchable).map((schema) => {
      const level = next.get(schema.spec.priorityLevelConfiguration.name) as LevelState;
      return new FlowClass(schema, level, this.metrics.flow(level.name, schema.metadata.name ?? ''));
    });
    this.#classes = new FlowClasses(classes);
  }

  /** Divides the seats anew, by what was asked for since the last time. */
  adjust(): void {
    divideSeats(this.levels, this.#serverConcurrency, this.metrics, this.#clock.now());
  }

  /** Classifies, estimates, and lets in, lines up or refuses, at once. */
  start(request: RequestDigest, user: UserInfo, query: RequestQuery): Admission {
    const matched = this.#classes.classify(request, user);
    const { level, series } = matched;
    const flow = matched.flowOf(request, user);
    const work = this.#estimator.estimate(request, query, level.widest, series);
    const admission = new Admission(request, user, matched, flow, work);
    series.estimatedSeats.observe(admission.seats);
    level.queueSet.start(admission);
    if (!level.exempt && admission.phase === 'executing') series.waitOfExecuted.observe(0);
    else if (admission.phase === 'refused') this.#noteRefused(admission, 0);
    return admission;
  }

  /** A request that waited is about to be answered. */
  noteDispatched({ flow, arrivedAt, startedAt }: Admission): void {
    flow.series.waitOfExecuted.observe((startedAt - arrivedAt) / 1000);
  }

  /** The request is answered, or, a watch, has begun: the seats go to those who wait. Later calls do nothing. */
  finish(admission: Admission): void {
    if (admission.phase !== 'executing') return;
    const { flow, digest, matched } = admission;
    const seconds = matched.level.queueSet.finish(admission) / 1000;
    if (digest.verb === 'watch') flow.series.watchInitialization.observe(seconds);
    else flow.series.execution.observe(seconds);
  }

  /** Takes a request out of its queue. False: it does not wait any more. */
  abandon(admission: Admission, why: 'time-out' | 'cancelled'): boolean {
    if (!admission.matched.level.queueSet.cancel(admission, why)) return false;
    this.#noteRefused(admission, (this.#clock.now() - admission.arrivedAt) / 1000);
    return true;
  }

  /** Whole seconds that a refused client should stay away: more, the more are refused. */
  retryAfter({ matched }: Admission): number {
    return this.#retryAfter.of(matched.level.name);
  }

  #noteRefused({ flow, matched }: Admission, waited: number): void {
    flow.series.waitOfRefused.observe(waited);
    this.#retryAfter.noteRefusal(matched.level.name);
  }

  #newLevel(name: string): LevelState {
    const { mutating, readOnly } = this.metrics;
    const level = new LevelState(name, { clock: this.#clock, series: this.metrics.level(name), mutating, readOnly });
    level.queueSet.onIdle = () => {
      if (level.quiescing) this.configure(this.#objects.levels, this.#objects.schemas);
    };
    return level;
  }

  #divide(): void {
    const levels = this.levels;
    const shareSum = levels.reduce((sum, { spec }) => sum + sharesOf(spec), 0);
    let executing = 0;
    let waiting = 0;
    for (const level of levels) {
      level.divide(shareSum, this.#serverConcurrency);
      if (level.current === 0) level.current = level.limits.initial;
      executing += level.limits.nominal;
      const { queues = 0, queueLengthLimit = 0 } = level.spec.limited?.limitResponse?.queuing ?? {};
      waiting += queues * queueLengthLimit;
    }
    const now = this.#clock.now();
    for (const kind of [this.metrics.mutating, this.metrics.readOnly]) {
      kind.reckoned.executing.setDenominator(Math.max(1, executing), now);
      kind.reckoned.waiting.setDenominator(Math.max(1, waiting), now);
    }
    this.adjust();
  }
}

/** The objects, and those of `mandatory` that are not among them. */
function supplied<T extends FlowSchema | PriorityLevel>(objects: readonly T[], mandatory: readonly T[]): T[] {
  const names = new Set(objects.map(({ metadata }) => metadata.name));
  return [...objects, ...mandatory.filter(({ metadata }) => !names.has(metadata.name))];
}
