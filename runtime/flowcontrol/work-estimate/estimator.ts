import { durationOnSeats, oneSeat, seatSeconds, type WorkEstimate } from '../fair-queuing/work.ts';
import type { FlowSeries } from '../metrics/series.ts';
import type { RequestDigest, RequestQuery } from '../request-digest.ts';
import { listSeats, type ResourceSize } from './list.ts';
import type { WatchCounts } from './watch-counts.ts';

/** What an event costs each watcher, in milliseconds, and how many are served on one seat. */
const msPerEvent = 5;
const watchesPerSeat = 10;
/** Most seats that a write takes. (MaximumMutatingSeatsLimit) */
const widestWrite = 10;

const writes: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete']);

export interface EstimatorParts {
  /** Undefined where it is not known. */
  sizeOf(group: string, resource: string): ResourceSize | undefined;
  readonly watches: WatchCounts;
}

/** How much work a request will be. (apiserver pkg/util/flowcontrol/request/width.go) */
export class WorkEstimator {
  readonly #parts: EstimatorParts;

  constructor(parts: EstimatorParts) {
    this.#parts = parts;
  }

  /** @param widest seats of one request of the level; undefined where the level has no rule */
  estimate(request: RequestDigest, query: RequestQuery, widest: number | undefined, series: FlowSeries): WorkEstimate {
    if (!request.isResourceRequest) return oneSeat;
    if (request.verb === 'list' || request.verb === 'watch') {
      const size = this.#parts.sizeOf(request.group, request.resource);
      const initialSeats = listSeats(request, query, size, widest);
      return initialSeats === 1 ? oneSeat : { initialSeats, finalSeats: 0, additionalLatency: 0 };
    }
    return writes.has(request.verb) ? this.#estimateWrite(request, widest, series) : oneSeat;
  }

  /** Telling watchers is work that the answer does not wait for. (mutating_work_estimator.go) */
  #estimateWrite(request: RequestDigest, widest: number | undefined, series: FlowSeries): WorkEstimate {
    // a token is no object, and nobody is told of it
    if (request.resource === 'serviceaccounts' && request.subresource === 'token') return oneSeat;
    const watchers = this.#parts.watches.interestedIn(request);
    series.watchers.observe(watchers);
    if (watchers < watchesPerSeat) return oneSeat;
    const wished = Math.ceil(watchers / watchesPerSeat);
    const finalSeats = Math.min(wished, widest ?? widestWrite, widestWrite);
    // fewer seats are kept for longer: the work stays the same
    const additionalLatency = durationOnSeats(seatSeconds(wished, msPerEvent), finalSeats);
    return { initialSeats: 1, finalSeats, additionalLatency };
  }
}
