import { durationPerSeat, oneSeat, seatSeconds, type WorkEstimate } from '../fair-queuing/work.ts';
import type { FlowSchemaMetrics } from '../metrics/flow-schema-metrics.ts';
import type { RequestInfo, RequestQuery } from '../request-info.ts';
import { estimateListSeats, type ResourceSize } from './list-work-estimator.ts';
import type { WatchTracker } from './watch-tracker.ts';

/** Milliseconds to send an event to one watcher. (eventAdditionalDuration) */
const eventAdditionalDuration = 5;
/** The number of watchers that one seat serves. */
const watchesPerSeat = 10;
const maximumMutatingSeatsLimit = 10;

const mutatingVerbs: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete']);

export interface WorkEstimatorOptions {
  /** Returns undefined if the size is unknown. */
  sizeOf(group: string, resource: string): ResourceSize | undefined;
  readonly watches: WatchTracker;
}

/** Estimates the work of requests. (apiserver pkg/util/flowcontrol/request/width.go) */
export class WorkEstimator {
  readonly #options: WorkEstimatorOptions;

  constructor(options: WorkEstimatorOptions) {
    this.#options = options;
  }

  /** @param maxSeats the maximum seats of a request at this priority level; undefined for no limit */
  estimate(request: RequestInfo, query: RequestQuery, maxSeats: number | undefined, metrics: FlowSchemaMetrics): WorkEstimate {
    if (!request.isResourceRequest) return oneSeat;
    if (request.verb === 'list' || request.verb === 'watch') {
      const size = this.#options.sizeOf(request.group, request.resource);
      const initialSeats = estimateListSeats(request, query, size, maxSeats);
      return initialSeats === 1 ? oneSeat : { initialSeats, finalSeats: 0, additionalLatency: 0 };
    }
    return mutatingVerbs.has(request.verb) ? this.#estimateMutating(request, maxSeats, metrics) : oneSeat;
  }

  /** Includes the events to watchers, which are sent after the response. (mutating_work_estimator.go) */
  #estimateMutating(request: RequestInfo, maxSeats: number | undefined, metrics: FlowSchemaMetrics): WorkEstimate {
    // creating a token writes no object, so no watcher is notified
    if (request.resource === 'serviceaccounts' && request.subresource === 'token') return oneSeat;
    const watchCount = this.#options.watches.interestedWatchCount(request);
    metrics.watchCount.observe(watchCount);
    if (watchCount < watchesPerSeat) return oneSeat;
    const seats = Math.ceil(watchCount / watchesPerSeat);
    const finalSeats = Math.min(seats, maxSeats ?? maximumMutatingSeatsLimit, maximumMutatingSeatsLimit);
    // fewer seats are held for longer, so the work stays the same
    const additionalLatency = durationPerSeat(seatSeconds(seats, eventAdditionalDuration), finalSeats);
    return { initialSeats: 1, finalSeats, additionalLatency };
  }
}
