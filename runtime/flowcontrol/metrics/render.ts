import { Exposition } from '../../observe/exposition.ts';
import type { Refusal } from '../fair-queuing/request.ts';
import { inSeatSeconds } from '../fair-queuing/work.ts';
import type { Histogram } from './histogram.ts';
import type { KindUse } from './kind-use.ts';
import type { FlowSeries, LevelSeries } from './series.ts';

/** How stable a metric is, as its help says. */
type Stage = 'ALPHA' | 'BETA';

/** What there is to tell. */
export interface FlowControlSeries {
  readonly flows: readonly FlowSeries[];
  readonly levels: readonly LevelSeries[];
  readonly mutating: KindUse;
  readonly readOnly: KindUse;
  /** Of the last division of seats; 0 where there was none. */
  readonly fairFraction: number;
}

/**
 * Every metric that Kubernetes' documentation names for priority and fairness, with its labels, as Prometheus text.
 * (apiserver pkg/util/flowcontrol/metrics/metrics.go)
 *
 * @param now milliseconds, by the clock that the series were written with
 */
export function renderMetrics(series: FlowControlSeries, now: number): string {
  const text = new Exposition();
  const flows = series.flows.filter(({ used }) => used);
  renderFlows(text, flows);
  renderLevels(text, series.levels, series.fairFraction, now);
  renderKinds(text, series, now);
  return text.toString();
}

/** Counts by FlowSchema and level. */
function renderFlows(text: Exposition, flows: readonly FlowSeries[]): void {
  const value = (
    name: string,
    type: 'counter' | 'gauge',
    stage: Stage,
    help: string,
    of: (s: FlowSeries) => number,
  ) => {
    text.head(`apiserver_flowcontrol_${name}`, type, `[${stage}] ${help}`);
    for (const series of flows) text.line(`apiserver_flowcontrol_${name}`, flowLabels(series), of(series));
  };
  const histogram = (name: string, stage: Stage, help: string, of: (s: FlowSeries) => [string, Histogram][]) => {
    text.head(`apiserver_flowcontrol_${name}`, 'histogram', `[${stage}] ${help}`);
    for (const series of flows) {
      for (const [labels, counts] of of(series)) {
        if (counts.total === 0) continue;
        text.histogram(`apiserver_flowcontrol_${name}`, labels, counts.buckets);
      }
    }
  };
  text.head('apiserver_flowcontrol_rejected_requests_total', 'counter', '[BETA] Requests refused, by reason.');
  for (const series of flows) {
    for (const reason of Object.keys(series.rejected) as Refusal[]) {
      const labels = `${flowLabels(series)},reason="${reason}"`;
      text.line('apiserver_flowcontrol_rejected_requests_total', labels, series.rejected[reason] ?? 0);
    }
  }
  value('dispatched_requests_total', 'counter', 'BETA', 'Requests executed.', (s) => s.dispatched);
  value('current_inqueue_requests', 'gauge', 'BETA', 'Requests that wait in queues now.', (s) => s.waitingRequests);
  value('current_inqueue_seats', 'gauge', 'ALPHA', 'Seats that waiting requests ask for.', (s) => s.waitingSeats);
  value(
    'current_executing_requests',
    'gauge',
    'BETA',
    'Requests executing now; of watches those that begin.',
    (s) => s.executingRequests,
  );
  value('current_executing_seats', 'gauge', 'BETA', 'Seats taken now, lingering ones too.', (s) => s.executingSeats);
  value(
    'request_concurrency_in_use',
    'gauge',
    'ALPHA',
    'Old name of current_executing_seats.',
    (s) => s.executingSeats,
  );
  value(
    'request_dispatch_no_accommodation_total',
    'counter',
    'ALPHA',
    'Attempts to dispatch a request for which too few seats were free.',
    (s) => s.noAccommodation,
  );
  histogram('request_wait_duration_seconds', 'BETA', 'Time that requests spent in their queues.', (s) => [
    [`execute="true",${flowLabels(s)}`, s.waitOfExecuted],
    [`execute="false",${flowLabels(s)}`, s.waitOfRefused],
  ]);
  histogram(
    'request_execution_seconds',
    'ALPHA',
    'Time that requests executed; of watches until they have begun.',
    (s) => [
      [`${flowLabels(s)},type="regular"`, s.execution],
      [`${flowLabels(s)},type="watch"`, s.watchInitialization],
    ],
  );
  histogram(
    'request_queue_length_after_enqueue',
    'ALPHA',
    'Length of its queue as each request finds it, itself included.',
    (s) => [[flowLabels(s), s.queueLength]],
  );
  histogram('watch_count_samples', 'ALPHA', 'Watchers that each write has to tell.', (s) => [
    [flowLabels(s), s.watchers],
  ]);
  histogram('work_estimated_seats', 'ALPHA', 'Seats that requests were estimated to take at most.', (s) => [
    [flowLabels(s), s.estimatedSeats],
  ]);
}

/** What is known of levels: their seats, and how they were used over time. */
function renderLevels(text: Exposition, levels: readonly LevelSeries[], fairFraction: number, now: number): void {
  const gauge = (name: string, stage: Stage, help: string, of: (s: LevelSeries) => number) => {
    text.head(`apiserver_flowcontrol_${name}`, 'gauge', `[${stage}] ${help}`);
    for (const series of levels) text.line(`apiserver_flowcontrol_${name}`, levelLabel(series), of(series));
  };
  gauge('nominal_limit_seats', 'BETA', 'Seats that the level has by its shares.', (s) => s.nominalLimit);
  gauge('request_concurrency_limit', 'ALPHA', 'Old name of nominal_limit_seats.', (s) => s.nominalLimit);
  gauge('lower_limit_seats', 'ALPHA', 'Seats that the level does not lend.', (s) => s.lowerLimit);
  gauge('upper_limit_seats', 'ALPHA', 'Seats that the level has with all that it may borrow.', (s) => s.upperLimit);
  gauge('current_limit_seats', 'ALPHA', 'Seats that the level has now.', (s) => s.currentLimit);
  gauge(
    'demand_seats_high_watermark',
    'ALPHA',
    'Most seats asked for in the last period.',
    (s) => s.demandHighWatermark,
  );
  gauge(
    'demand_seats_average',
    'ALPHA',
    'Average over time of the seats asked for in the last period.',
    (s) => s.demandAverage,
  );
  gauge(
    'demand_seats_stdev',
    'ALPHA',
    'Standard deviation over time of the seats asked for in the last period.',
    (s) => s.demandDeviation,
  );
  gauge('demand_seats_smoothed', 'ALPHA', 'Smoothed demand.', (s) => s.demandSmoothed);
  gauge('target_seats', 'ALPHA', 'Seats that the last division aimed at.', (s) => s.target);
  gauge('current_r', 'ALPHA', 'Progress meter at its last change.', (s) => inSeatSeconds(s.currentR));
  gauge('dispatch_r', 'ALPHA', 'Progress meter at the last dispatch.', (s) => inSeatSeconds(s.dispatch.r));
  gauge('latest_s', 'ALPHA', 'Virtual start of the request dispatched last.', (s) => inSeatSeconds(s.dispatch.s));
  for (const [name, help, of] of [
    [
      'next_s_bounds',
      'Virtual starts of the oldest waiting requests of all queues.',
      (s: LevelSeries) => s.dispatch.bounds,
    ],
    ['next_discounted_s_bounds', 'The same less the work under way.', (s: LevelSeries) => s.dispatch.discountedBounds],
  ] as const) {
    text.head(`apiserver_flowcontrol_${name}`, 'gauge', `[ALPHA] ${help}`);
    for (const series of levels) {
      for (const bound of ['min', 'max'] as const) {
        const labels = `bound="${bound}",${levelLabel(series)}`;
        text.line(`apiserver_flowcontrol_${name}`, labels, inSeatSeconds(of(series)[bound]));
      }
    }
  }
  text.head(
    'apiserver_flowcontrol_epoch_advance_total',
    'counter',
    '[ALPHA] Times that the progress meter was wound back.',
  );
  for (const series of levels) {
    if (series.epochAdvances === 0) continue;
    text.line(
      'apiserver_flowcontrol_epoch_advance_total',
      `${levelLabel(series)},success="true"`,
      series.epochAdvances,
    );
  }
  text.head('apiserver_flowcontrol_seat_fair_frac', 'gauge', '[ALPHA] Share of its target that each level gets.');
  text.line('apiserver_flowcontrol_seat_fair_frac', '', fairFraction);
  const seats = 'apiserver_flowcontrol_priority_level_seat_utilization';
  text.head(seats, 'histogram', '[ALPHA] Share of its seats that a level used, over nanoseconds.');
  for (const series of levels) {
    text.histogram(seats, `phase="executing",${levelLabel(series)}`, series.use.reckoned.seats.bucketsAt(now));
  }
  const requests = 'apiserver_flowcontrol_priority_level_request_utilization';
  text.head(requests, 'histogram', '[ALPHA] Requests of a level beside its limit, over nanoseconds.');
  for (const series of levels) {
    text.histogram(requests, `phase="executing",${levelLabel(series)}`, series.use.reckoned.executing.bucketsAt(now));
    text.histogram(requests, `phase="waiting",${levelLabel(series)}`, series.use.reckoned.waiting.bucketsAt(now));
  }
  const demand = 'apiserver_flowcontrol_demand_seats';
  text.head(demand, 'histogram', '[ALPHA] Seats that a level could use beside those it has, over nanoseconds.');
  for (const series of levels) text.histogram(demand, levelLabel(series), series.use.reckoned.demand.bucketsAt(now));
}

/** Use over time of all levels together. */
function renderKinds(text: Exposition, { mutating, readOnly }: FlowControlSeries, now: number): void {
  const kinds = [
    ['mutating', mutating],
    ['readOnly', readOnly],
  ] as const;
  const name = 'apiserver_flowcontrol_read_vs_write_current_requests';
  text.head(name, 'histogram', '[ALPHA] Requests beside the limit of all levels, over nanoseconds.');
  for (const [kind, series] of kinds) {
    text.histogram(name, `phase="executing",request_kind="${kind}"`, series.reckoned.executing.bucketsAt(now));
    text.histogram(name, `phase="waiting",request_kind="${kind}"`, series.reckoned.waiting.bucketsAt(now));
  }
  const watermark = (metric: string, help: string, of: (use: KindUse) => number): void => {
    text.head(metric, 'gauge', help);
    for (const [kind, use] of kinds) text.line(metric, `request_kind="${kind}"`, of(use));
  };
  watermark(
    'apiserver_current_inqueue_requests',
    '[ALPHA] Most requests that waited at once in the last second.',
    (use) => use.waitingWatermark(now),
  );
  watermark(
    'apiserver_current_inflight_requests',
    '[STABLE] Most requests that were executed at once in the last second.',
    (use) => use.executingWatermark(now),
  );
}

// names of both kinds are DNS subdomains: nothing in them has to be escaped; labels go by their names
const levelLabel = ({ level }: { level: string }): string => `priority_level="${level}"`;
const flowLabels = ({ level, schema }: FlowSeries): string => `flow_schema="${schema}",priority_level="${level}"`;
