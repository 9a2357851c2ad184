import { Histogram } from './histogram.ts';

// the buckets are those of apiserver pkg/util/flowcontrol/metrics/metrics.go
const queueLengthBounds = [0, 10, 25, 50, 100, 250, 500, 1000];
const secondsBounds = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];
const watchCountBounds = [0, 1, 10, 100, 1000, 10_000];
const estimatedSeatsBounds = [1, 2, 4, 8, 16, 32, 64, 100];

/** Why a request was rejected: the values of the metric's label `reason`. */
export type RejectReason = 'queue-full' | 'concurrency-limit' | 'time-out' | 'cancelled';

/** Counts of the requests of one FlowSchema at one priority level. */
export class FlowSchemaMetrics {
  readonly priorityLevel: string;
  readonly flowSchema: string;
  readonly rejectedRequests: Partial<Record<RejectReason, number>> = {};
  dispatchedRequests = 0;
  waitingRequests = 0;
  waitingSeats = 0;
  executingRequests = 0;
  executingSeats = 0;
  /** Attempts to dispatch a request that needed more seats than were free. */
  noAccommodation = 0;
  readonly queueLength = new Histogram(queueLengthBounds);
  /** In seconds, as all durations here. */
  readonly waitOfExecuted = new Histogram(secondsBounds);
  readonly waitOfRejected = new Histogram(secondsBounds);
  readonly executionDuration = new Histogram(secondsBounds);
  readonly watchInitDuration = new Histogram(secondsBounds);
  readonly watchCount = new Histogram(watchCountBounds);
  readonly estimatedSeats = new Histogram(estimatedSeatsBounds);

  constructor(priorityLevel: string, flowSchema: string) {
    this.priorityLevel = priorityLevel;
    this.flowSchema = flowSchema;
  }

  addReject(reason: RejectReason): void {
    this.rejectedRequests[reason] = (this.rejectedRequests[reason] ?? 0) + 1;
  }

  /** True once a request has come. */
  get used(): boolean {
    return this.estimatedSeats.total > 0;
  }
}
