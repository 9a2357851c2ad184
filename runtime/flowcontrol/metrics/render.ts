import { Exposition } from '../../machinery/metrics/exposition.ts';
import { toSeatSeconds } from '../fair-queuing/work.ts';
import type { FlowSchemaMetrics, RejectReason } from './flow-schema-metrics.ts';
import type { Histogram } from './histogram.ts';
import type { PriorityLevelMetrics } from './priority-level-metrics.ts';
import type { RequestKindConcurrency } from './request-kind-concurrency.ts';

/** The values to render. */
export interface MetricsSource {
  readonly flowSchemas: readonly FlowSchemaMetrics[];
  readonly priorityLevels: readonly PriorityLevelMetrics[];
  readonly mutating: RequestKindConcurrency;
  readonly readOnly: RequestKindConcurrency;
  /** Set by the last borrowing adjustment; 0 if that did not need one. */
  readonly seatFairFraction: number;
}

/**
 * Returns the metrics that Kubernetes documents for priority and fairness, as Prometheus text with the same names and
 * labels. (apiserver pkg/util/flowcontrol/metrics/metrics.go)
 *
 * @param now milliseconds, by the clock that the values were recorded with
 */
export function renderMetrics(source: MetricsSource, now: number): string {
  return new MetricsRenderer(source, now).render();
}

const prefix = 'apiserver_flowcontrol_';

// object names are DNS subdomains, so label values need no escaping; labels are sorted by name
const levelLabel = ({ priorityLevel }: { readonly priorityLevel: string }): string => `priority_level="${priorityLevel}"`;
const flowLabels = ({ priorityLevel, flowSchema }: FlowSchemaMetrics): string =>
  `flow_schema="${flowSchema}",priority_level="${priorityLevel}"`;

class MetricsRenderer {
  readonly #text = new Exposition();
  readonly #flowSchemas: readonly FlowSchemaMetrics[];
  readonly #levels: readonly PriorityLevelMetrics[];
  readonly #source: MetricsSource;
  readonly #now: number;

  constructor(source: MetricsSource, now: number) {
    this.#source = source;
    this.#flowSchemas = source.flowSchemas.filter(({ used }) => used);
    this.#levels = source.priorityLevels;
    this.#now = now;
  }

  render(): string {
    this.#renderRequestCounts();
    this.#renderRequestHistograms();
    this.#renderLimitsAndDemand();
    this.#renderFairQueuing();
    this.#renderUtilization();
    this.#renderRequestKinds();
    return this.#text.toString();
  }

  #renderRequestCounts(): void {
    const rejected = `${prefix}rejected_requests_total`;
    this.#text.head(rejected, 'counter', '[BETA] Number of requests that priority and fairness rejected, by reason.');
    for (const metrics of this.#flowSchemas) {
      for (const reason of Object.keys(metrics.rejectedRequests) as RejectReason[]) {
        this.#text.line(rejected, `${flowLabels(metrics)},reason="${reason}"`, metrics.rejectedRequests[reason] ?? 0);
      }
    }
    this.#flowCounter(
      'dispatched_requests_total',
      '[BETA] Number of requests that priority and fairness dispatched for execution.',
      (metrics) => metrics.dispatchedRequests,
    );
    this.#flowGauge(
      'current_inqueue_requests',
      '[BETA] Number of requests that are waiting in queues.',
      (metrics) => metrics.waitingRequests,
    );
    this.#flowGauge(
      'current_inqueue_seats',
      '[ALPHA] Number of seats that the requests waiting in queues need.',
      (metrics) => metrics.waitingSeats,
    );
    this.#flowGauge(
      'current_executing_requests',
      '[BETA] Number of requests that are executing, counting a WATCH only during its initial stage.',
      (metrics) => metrics.executingRequests,
    );
    this.#flowGauge(
      'current_executing_seats',
      '[BETA] Number of seats that executing requests occupy, counting a WATCH only during its initial stage.',
      (metrics) => metrics.executingSeats,
    );
    this.#flowCounter(
      'request_dispatch_no_accommodation_total',
      '[ALPHA] Number of dispatch attempts that failed because too few seats were available.',
      (metrics) => metrics.noAccommodation,
    );
  }

  #renderRequestHistograms(): void {
    this.#flowHistogram('request_wait_duration_seconds', '[BETA] Time that requests spent waiting in their queues.', (metrics) => [
      [`execute="true",${flowLabels(metrics)}`, metrics.waitOfExecuted],
      [`execute="false",${flowLabels(metrics)}`, metrics.waitOfRejected],
    ]);
    this.#flowHistogram(
      'request_execution_seconds',
      '[ALPHA] Duration of the execution of requests, or of its initial stage for a WATCH.',
      (metrics) => [
        [`${flowLabels(metrics)},type="regular"`, metrics.executionDuration],
        [`${flowLabels(metrics)},type="watch"`, metrics.watchInitDuration],
      ],
    );
    this.#flowHistogram(
      'request_queue_length_after_enqueue',
      '[ALPHA] Length of the queue that each request sees after it is enqueued.',
      (metrics) => [[flowLabels(metrics), metrics.queueLength]],
    );
    this.#flowHistogram('watch_count_samples', '[ALPHA] Number of watchers that each mutating request must notify.', (metrics) => [
      [flowLabels(metrics), metrics.watchCount],
    ]);
    this.#flowHistogram(
      'work_estimated_seats',
      '[ALPHA] Estimated number of seats of each request: the larger one of initial and final seats.',
      (metrics) => [[flowLabels(metrics), metrics.estimatedSeats]],
    );
  }

  #renderLimitsAndDemand(): void {
    this.#levelGauge(
      'nominal_limit_seats',
      '[BETA] Nominal number of seats of the priority level, from its concurrency shares.',
      ({ nominalLimit }) => nominalLimit,
    );
    this.#levelGauge(
      'lower_limit_seats',
      '[ALPHA] Lower bound on the number of seats of the priority level: those it does not lend.',
      ({ lowerLimit }) => lowerLimit,
    );
    this.#levelGauge(
      'upper_limit_seats',
      '[ALPHA] Upper bound on the number of seats of the priority level: with all it may borrow.',
      ({ upperLimit }) => upperLimit,
    );
    this.#levelGauge(
      'current_limit_seats',
      '[ALPHA] Number of seats that are available to the priority level at present.',
      ({ currentLimit }) => currentLimit,
    );
    this.#levelGauge(
      'demand_seats_high_watermark',
      '[ALPHA] High watermark of the seat demand over the last adjustment period.',
      ({ demandHighWatermark }) => demandHighWatermark,
    );
    this.#levelGauge(
      'demand_seats_average',
      '[ALPHA] Time-weighted average of the seat demand over the last adjustment period.',
      ({ demandAverage }) => demandAverage,
    );
    this.#levelGauge(
      'demand_seats_stdev',
      '[ALPHA] Time-weighted standard deviation of the seat demand over the last adjustment period.',
      ({ demandStandardDeviation }) => demandStandardDeviation,
    );
    this.#levelGauge('demand_seats_smoothed', '[ALPHA] Smoothed seat demand.', (metrics) => metrics.demandSmoothed);
    this.#levelGauge('target_seats', '[ALPHA] Number of seats that the last adjustment aimed to allocate.', ({ target }) => target);
  }

  #renderFairQueuing(): void {
    this.#levelGauge('current_r', '[ALPHA] R at the time of its last change.', ({ currentR }) => toSeatSeconds(currentR));
    this.#levelGauge('dispatch_r', '[ALPHA] R at the time of the last dispatch.', ({ lastDispatch }) => toSeatSeconds(lastDispatch.r));
    this.#levelGauge('latest_s', '[ALPHA] S of the most recently dispatched request.', ({ lastDispatch }) => toSeatSeconds(lastDispatch.s));
    this.#levelBounds(
      'next_s_bounds',
      '[ALPHA] Minimum and maximum, over the queues, of S of the oldest waiting request.',
      ({ lastDispatch }) => lastDispatch.nextSBounds,
    );
    this.#levelBounds(
      'next_discounted_s_bounds',
      '[ALPHA] Minimum and maximum, over the queues, of S of the oldest waiting request less the estimated work in progress.',
      ({ lastDispatch }) => lastDispatch.nextDiscountedSBounds,
    );
    const epochs = `${prefix}epoch_advance_total`;
    this.#text.head(epochs, 'counter', '[ALPHA] Number of times that the progress meter R was moved back.');
    for (const metrics of this.#levels) {
      if (metrics.epochAdvances === 0) continue;
      this.#text.line(epochs, `${levelLabel(metrics)},success="true"`, metrics.epochAdvances);
    }
    const fraction = `${prefix}seat_fair_frac`;
    this.#text.head(fraction, 'gauge', '[ALPHA] Fraction of its target that each priority level is fairly allocated.');
    this.#text.line(fraction, '', this.#source.seatFairFraction);
  }

  /** Upstream observes these ratios at the end of every nanosecond. */
  #renderUtilization(): void {
    const seats = `${prefix}priority_level_seat_utilization`;
    this.#text.head(seats, 'histogram', '[ALPHA] Fraction of its seats that a priority level uses, every nanosecond.');
    for (const metrics of this.#levels) {
      const { seatUtilization } = metrics.concurrency.aggregates;
      this.#text.histogram(seats, `phase="executing",${levelLabel(metrics)}`, seatUtilization.bucketsAt(this.#now));
    }
    const requests = `${prefix}priority_level_request_utilization`;
    this.#text.head(requests, 'histogram', '[ALPHA] Number of requests of a priority level as a fraction of its limit, every nanosecond.');
    for (const metrics of this.#levels) {
      const { executing, waiting } = metrics.concurrency.aggregates;
      this.#text.histogram(requests, `phase="executing",${levelLabel(metrics)}`, executing.bucketsAt(this.#now));
      this.#text.histogram(requests, `phase="waiting",${levelLabel(metrics)}`, waiting.bucketsAt(this.#now));
    }
    const demand = `${prefix}demand_seats`;
    this.#text.head(
      demand,
      'histogram',
      '[ALPHA] Number of seats that a priority level could use as a fraction of its seats, every nanosecond.',
    );
    for (const metrics of this.#levels) {
      const { seatDemand } = metrics.concurrency.aggregates;
      this.#text.histogram(demand, levelLabel(metrics), seatDemand.bucketsAt(this.#now));
    }
  }

  #renderRequestKinds(): void {
    const kinds = [
      ['mutating', this.#source.mutating],
      ['readOnly', this.#source.readOnly],
    ] as const;
    const name = `${prefix}read_vs_write_current_requests`;
    this.#text.head(
      name,
      'histogram',
      '[ALPHA] Number of requests of one kind as a fraction of the limit of all priority levels, every nanosecond.',
    );
    for (const [kind, { ratios }] of kinds) {
      this.#text.histogram(name, `phase="executing",request_kind="${kind}"`, ratios.executing.bucketsAt(this.#now));
      this.#text.histogram(name, `phase="waiting",request_kind="${kind}"`, ratios.waiting.bucketsAt(this.#now));
    }
    const inQueue = 'apiserver_current_inqueue_requests';
    this.#text.head(inQueue, 'gauge', '[ALPHA] Maximum number of requests that were queued in the last second.');
    for (const [kind, concurrency] of kinds) {
      this.#text.line(inQueue, `request_kind="${kind}"`, concurrency.waitingWatermark(this.#now));
    }
    const inFlight = 'apiserver_current_inflight_requests';
    this.#text.head(inFlight, 'gauge', '[STABLE] Maximum number of requests that executed in the last second.');
    for (const [kind, concurrency] of kinds) {
      this.#text.line(inFlight, `request_kind="${kind}"`, concurrency.executingWatermark(this.#now));
    }
  }

  #flowCounter(name: string, help: string, getValue: (metrics: FlowSchemaMetrics) => number): void {
    this.#text.head(prefix + name, 'counter', help);
    for (const metrics of this.#flowSchemas) this.#text.line(prefix + name, flowLabels(metrics), getValue(metrics));
  }

  #flowGauge(name: string, help: string, getValue: (metrics: FlowSchemaMetrics) => number): void {
    this.#text.head(prefix + name, 'gauge', help);
    for (const metrics of this.#flowSchemas) this.#text.line(prefix + name, flowLabels(metrics), getValue(metrics));
  }

  #flowHistogram(
    name: string,
    help: string,
    histogramsOf: (metrics: FlowSchemaMetrics) => readonly (readonly [labels: string, Histogram])[],
  ): void {
    this.#text.head(prefix + name, 'histogram', help);
    for (const metrics of this.#flowSchemas) {
      for (const [labels, histogram] of histogramsOf(metrics)) {
        if (histogram.total > 0) this.#text.histogram(prefix + name, labels, histogram.buckets);
      }
    }
  }

  #levelGauge(name: string, help: string, getValue: (metrics: PriorityLevelMetrics) => number): void {
    this.#text.head(prefix + name, 'gauge', help);
    for (const metrics of this.#levels) this.#text.line(prefix + name, levelLabel(metrics), getValue(metrics));
  }

  #levelBounds(
    name: string,
    help: string,
    boundsOf: (metrics: PriorityLevelMetrics) => { readonly min: number; readonly max: number },
  ): void {
    this.#text.head(prefix + name, 'gauge', help);
    for (const metrics of this.#levels) {
      const { min, max } = boundsOf(metrics);
      this.#text.line(prefix + name, `bound="min",${levelLabel(metrics)}`, toSeatSeconds(min));
      this.#text.line(prefix + name, `bound="max",${levelLabel(metrics)}`, toSeatSeconds(max));
    }
  }
}
