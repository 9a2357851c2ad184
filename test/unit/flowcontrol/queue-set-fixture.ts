import type { Flow } from '../../../runtime/flowcontrol/classification/flow.ts';
import { QueueSet } from '../../../runtime/flowcontrol/fair-queuing/queue-set.ts';
import { SeatRequest } from '../../../runtime/flowcontrol/fair-queuing/request.ts';
import { oneSeat, type WorkEstimate } from '../../../runtime/flowcontrol/fair-queuing/work.ts';
import { KindUse } from '../../../runtime/flowcontrol/metrics/kind-use.ts';
import { FlowSeries, LevelSeries } from '../../../runtime/flowcontrol/metrics/series.ts';
import type { RequestDigest } from '../../../runtime/flowcontrol/request-digest.ts';
import { ManualClock } from '../../support/manual-clock.ts';

export const digest: RequestDigest = {
  isResourceRequest: true,
  path: '/api/v1/namespaces/x/pods/p',
  verb: 'get',
  group: '',
  version: 'v1',
  namespace: 'x',
  resource: 'pods',
  subresource: '',
  name: 'p',
};

export const jane = { name: 'jane', uid: '', groups: ['system:authenticated'], extra: {} };

export interface FixtureOptions {
  readonly queues?: number;
  readonly queueLengthLimit?: number;
  readonly limit?: number;
  readonly exempt?: boolean;
}

/** A queue set on a clock of its own, and what it counts. */
export class QueueSetFixture {
  readonly clock = new ManualClock();
  readonly series = new LevelSeries('level', this.clock.now());
  readonly readOnly = new KindUse(this.clock.now());
  readonly set: QueueSet;
  readonly #options: Required<FixtureOptions>;

  constructor(options: FixtureOptions = {}) {
    this.#options = { queues: 1, queueLengthLimit: 10, limit: 1, exempt: false, ...options };
    this.set = new QueueSet({
      ...{ clock: this.clock, series: this.series, readOnly: this.readOnly },
      mutating: new KindUse(this.clock.now()),
    });
    this.configure({});
  }

  configure(change: FixtureOptions): void {
    Object.assign(this.#options, change);
    const { exempt, queues, queueLengthLimit, limit } = this.#options;
    this.set.configure({ exempt, queues, queueLengthLimit }, limit, Math.max(1, limit));
  }

  flow(hand: readonly number[], name = 'schema'): Flow {
    return { series: new FlowSeries('level', name), distinguisher: '', hand };
  }

  start(flow: Flow, work: WorkEstimate = oneSeat): SeatRequest {
    const request = new SeatRequest(digest, jane, flow, work);
    this.set.start(request);
    return request;
  }
}
