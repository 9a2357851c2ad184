import type { Flow } from '../../../runtime/flowcontrol/classification/flow.ts';
import { QueuedRequest } from '../../../runtime/flowcontrol/fair-queuing/queue.ts';
import { QueueSet } from '../../../runtime/flowcontrol/fair-queuing/queue-set.ts';
import { oneSeat, type WorkEstimate } from '../../../runtime/flowcontrol/fair-queuing/work.ts';
import { FlowSchemaMetrics } from '../../../runtime/flowcontrol/metrics/flow-schema-metrics.ts';
import { PriorityLevelMetrics } from '../../../runtime/flowcontrol/metrics/priority-level-metrics.ts';
import { RequestKindConcurrency } from '../../../runtime/flowcontrol/metrics/request-kind-concurrency.ts';
import type { RequestInfo } from '../../../runtime/flowcontrol/request-info.ts';
import { ManualClock } from '../../support/manual-clock.ts';

export const requestInfo: RequestInfo = {
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

/** A queue set with its own clock and counters. */
export class QueueSetFixture {
  readonly clock = new ManualClock();
  readonly metrics = new PriorityLevelMetrics('level', this.clock.now());
  readonly readOnly = new RequestKindConcurrency(this.clock.now());
  readonly set: QueueSet;
  readonly #options: Required<FixtureOptions>;

  constructor(options: FixtureOptions = {}) {
    this.#options = { queues: 1, queueLengthLimit: 10, limit: 1, exempt: false, ...options };
    this.set = new QueueSet({
      clock: this.clock,
      metrics: this.metrics,
      readOnly: this.readOnly,
      mutating: new RequestKindConcurrency(this.clock.now()),
    });
    this.configure({});
  }

  configure(change: FixtureOptions): void {
    Object.assign(this.#options, change);
    const { exempt, queues, queueLengthLimit, limit } = this.#options;
    this.set.configure({ exempt, queues, queueLengthLimit }, limit, Math.max(1, limit));
  }

  flow(hand: readonly number[], name = 'schema'): Flow {
    return { metrics: new FlowSchemaMetrics('level', name), distinguisher: '', hand };
  }

  start(flow: Flow, work: WorkEstimate = oneSeat): QueuedRequest {
    const request = new QueuedRequest(requestInfo, jane, flow, work);
    this.set.start(request);
    return request;
  }
}
