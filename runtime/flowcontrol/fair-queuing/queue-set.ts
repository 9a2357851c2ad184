import type { Clock } from '../../machinery/clock.ts';
import { LinkedList } from '../../machinery/collections/linked-list.ts';
import type { RejectReason } from '../metrics/flow-schema-metrics.ts';
import type { PriorityLevelMetrics } from '../metrics/priority-level-metrics.ts';
import type { ConcurrencySample } from '../metrics/sample-buffer.ts';
import { Queue, type QueuedRequest } from './queue.ts';
import { RequestGauges, type RequestGaugesOptions } from './request-gauges.ts';
import { durationPerSeat, estimatedServiceDuration, seatSeconds } from './work.ts';

export interface QueuingConfig {
  /** Requests never wait and are never rejected. */
  readonly exempt: boolean;
  /** 0: requests that cannot execute at once are rejected. */
  readonly queues: number;
  readonly queueLengthLimit: number;
}

export interface QueueSetOptions extends RequestGaugesOptions {
  readonly clock: Clock;
  readonly metrics: PriorityLevelMetrics;
}

/** R is reduced by this much before doubles lose precision: about once a day under full load. */
const rDecrement = 2 ** 51;
const highR = rDecrement + rDecrement / 2;

/**
 * Fair queuing for server requests. One queue at a time gets the next seats, so that in the long run all queues get the
 * same number of seat-seconds. (KEP-1040; apiserver pkg/util/flowcontrol/fairqueuing/queueset/doc.go)
 *
 * R(t), the progress meter, is the number of seat-seconds that each busy queue would have by now if seats could be
 * shared in arbitrarily small parts. Requests are dispatched in the order of R at their virtual finish.
 *
 * For example, one seat and two queues, each with requests of 3 seat-seconds that arrive at R = 0:
 *
 *   queue A: a1 (finishes at R = 3), a2 (R = 6)     dispatched: a1, b1, a2, b2
 *   queue B: b1 (finishes at R = 3), b2 (R = 6)     ties go to the queue after the last one
 *
 * All methods are synchronous. The caller must `finish` each request that starts to execute.
 */
export class QueueSet {
  readonly #clock: Clock;
  readonly #metrics: PriorityLevelMetrics;
  readonly #gauges: RequestGauges;
  #config: QueuingConfig = { exempt: false, queues: 0, queueLengthLimit: 0 };
  #concurrencyLimit = 0;
  #queues: Queue[] = [];
  /** Executing requests that arrived when there were no queues. */
  readonly #queueless = new LinkedList<QueuedRequest>();
  #currentR = 0;
  #lastTime: number;
  /** Index of the queue that was dispatched last. Ties go to the queues that follow it. */
  #robinIndex = 0;
  #enqueued = 0;
  #busyQueues = 0;
  readonly #current: ConcurrencySample = { executing: 0, waiting: 0, seatsInUse: 0, waitingSeats: 0 };
  /** The part of the seats in use that belongs to requests with a queue. */
  #queuedSeatsInUse = 0;
  /** Counts since the level was created, for the debug dumps. */
  readonly totals = { dispatched: 0, rejected: 0, timedOut: 0, cancelled: 0 };
  /** Called when the last request leaves. */
  onIdle: (() => void) | undefined;

  constructor(options: QueueSetOptions) {
    this.#clock = options.clock;
    this.#metrics = options.metrics;
    this.#gauges = new RequestGauges(options);
    this.#lastTime = options.clock.now();
  }

  get queues(): readonly Queue[] {
    return this.#queues;
  }

  get queueless(): Iterable<QueuedRequest> {
    return this.#queueless;
  }

  get waiting(): number {
    return this.#current.waiting;
  }

  get executing(): number {
    return this.#current.executing;
  }

  get seatsInUse(): number {
    return this.#current.seatsInUse;
  }

  get idle(): boolean {
    return this.#current.waiting === 0 && this.#current.executing === 0;
  }

  /**
   * Changes the configuration. Surplus queues are removed once they are empty; requests keep their queues.
   *
   * @param concurrencyLimit seats for all requests together
   * @param concurrencyDenominator the number of seats that the ratio metrics relate to
   */
  configure(config: QueuingConfig, concurrencyLimit: number, concurrencyDenominator: number): void {
    const now = this.#syncTime();
    this.#config = config;
    this.#concurrencyLimit = concurrencyLimit;
    while (this.#queues.length < config.queues) this.#queues.push(new Queue());
    for (const queue of this.#queues.slice(config.queues)) this.#removeSurplusQueue(queue);
    const { waiting, executing, seatUtilization, seatDemand } = this.#metrics.concurrency.aggregates;
    waiting.setDenominator(Math.max(1, config.queueLengthLimit) * Math.max(1, config.queues), now);
    for (const ratio of [executing, seatUtilization, seatDemand]) ratio.setDenominator(concurrencyDenominator, now);
    this.#dispatchAsMuchAsPossible(now);
    this.#recordConcurrency(now);
  }

  /** Executes, enqueues or rejects the request, and sets its `phase`. */
  start(request: QueuedRequest): void {
    const now = this.#syncTime();
    this.#executeEnqueueOrReject(request, now);
    this.#recordConcurrency(now);
  }

  /**
   * Ends the execution of a request, and dispatches waiting ones if possible. Does nothing if called again.
   *
   * @returns how long the request executed, in milliseconds; 0 if called again
   */
  finish(request: QueuedRequest): number {
    if (request.phase !== 'executing') return 0;
    const now = this.#syncTime();
    const duration = now - request.startTime;
    const { queue } = request;
    request.phase = 'lingering';
    this.#current.executing--;
    this.#gauges.addExecuting(request, -1, now);
    if (queue === undefined) this.#queueless.remove(request);
    else {
      queue.executing.remove(request);
      if (queue.idle) this.#busyQueues--;
      // the queue was charged for the estimated duration; correct that to the actual one
      queue.nextDispatchR -= seatSeconds(request.initialSeats, estimatedServiceDuration - duration);
      queue.boundNextDispatch();
    }
    if (request.additionalLatency > 0) {
      this.#clock.after(request.additionalLatency, () => {
        const later = this.#syncTime();
        this.#releaseSeats(request);
        this.#dispatchAsMuchAsPossible(later);
        this.#recordConcurrency(later);
      });
    } else this.#releaseSeats(request);
    this.#dispatchAsMuchAsPossible(now);
    this.#recordConcurrency(now);
    if (this.#current.executing === 0 && this.#current.waiting === 0) this.onIdle?.();
    return duration;
  }

  /** Takes a waiting request out of its queue and rejects it. Returns false if the request is no longer waiting. */
  cancel(request: QueuedRequest, reason: 'time-out' | 'cancelled'): boolean {
    const { queue } = request;
    if (request.phase !== 'waiting' || queue === undefined) return false;
    const now = this.#syncTime();
    this.#dequeue(queue, request, now);
    if (queue.idle) this.#busyQueues--;
    queue.boundNextDispatch();
    request.onDispatch = undefined;
    if (reason === 'time-out') this.totals.timedOut++;
    else this.totals.cancelled++;
    this.#reject(request, reason);
    this.#removeSurplusQueue(queue);
    // requests behind this one may fit where this one did not
    this.#dispatchAsMuchAsPossible(now);
    this.#recordConcurrency(now);
    if (this.idle) this.onIdle?.();
    return true;
  }

  /** Advances the progress meter to now. Every change of state starts with this. */
  #syncTime(): number {
    const now = this.#clock.now();
    const elapsed = now - this.#lastTime;
    if (elapsed <= 0) return now;
    this.#lastTime = now;
    if (this.#busyQueues > 0) {
      const seatsRequested = this.#queuedSeatsInUse + this.#current.waitingSeats;
      this.#currentR += seatSeconds(Math.min(seatsRequested, this.#concurrencyLimit) / this.#busyQueues, elapsed);
      while (this.#currentR >= highR) this.#advanceEpoch();
      this.#metrics.currentR = this.#currentR;
    }
    return now;
  }

  #executeEnqueueOrReject(request: QueuedRequest, now: number): void {
    request.arrivalTime = now;
    request.arrivalR = this.#currentR;
    if (this.#config.queues === 0) {
      if (this.#canAccommodateSeats(request.maxSeats)) this.#execute(request, now);
      else this.#reject(request, 'concurrency-limit');
      return;
    }
    const index = this.#chooseQueue(request.flow.hand);
    const queue = this.#queueAt(index);
    request.queue = queue;
    const { metrics } = request.flow;
    if (this.#current.waiting === 0 && this.#current.seatsInUse < this.#concurrencyLimit && this.#canAccommodateSeats(request.maxSeats)) {
      // this would be the only waiting request, and dispatched at once: skip the queue
      if (queue.idle) queue.nextDispatchR = this.#currentR;
      else if (queue.nextDispatchR < request.arrivalR) queue.nextDispatchR = request.arrivalR;
      metrics.queueLength.observe(1);
      this.#robinIndex = index;
      const [nextS, discountedS] = [queue.nextDispatchR, discountedNextDispatchR(queue)];
      const { lastDispatch } = this.#metrics;
      lastDispatch.recordDispatch(this.#currentR, nextS);
      lastDispatch.recordNextS(nextS, nextS, discountedS, discountedS);
      this.#executeFromQueue(queue, request, now);
      return;
    }
    if (this.#current.seatsInUse >= this.#concurrencyLimit && queue.waiting.length >= this.#config.queueLengthLimit) {
      request.queue = undefined;
      queue.boundNextDispatch();
      this.#reject(request, 'queue-full');
      return;
    }
    this.#enqueue(queue, request, now);
    metrics.queueLength.observe(queue.waiting.length);
    this.#dispatchAsMuchAsPossible(now);
  }

  #advanceEpoch(): void {
    this.#currentR -= rDecrement;
    for (const queue of this.#queues) queue.decrementR(rDecrement);
    this.#metrics.epochAdvances++;
  }

  /** Returns the index of the queue with the least waiting work. Starts at a different card each time to break ties. */
  #chooseQueue(hand: readonly number[]): number {
    const size = hand.length;
    const offset = this.#enqueued++ % size;
    let bestIndex = hand[offset] ?? 0;
    let leastWork = this.#queueAt(bestIndex).totalWorkSum;
    for (let at = 1; at < size && leastWork > 0; at++) {
      const index = hand[(offset + at) % size] ?? 0;
      const work = this.#queueAt(index).totalWorkSum;
      if (work >= leastWork) continue;
      leastWork = work;
      bestIndex = index;
    }
    return bestIndex;
  }

  #queueAt(index: number): Queue {
    const queue = this.#queues[index];
    if (queue === undefined) throw new RangeError(`no queue ${index} in a set of ${this.#queues.length}`);
    return queue;
  }

  #canAccommodateSeats(seats: number): boolean {
    if (this.#config.exempt) return true;
    // a request wider than the limit executes alone
    if (seats > this.#concurrencyLimit) return this.#current.executing === 0;
    return this.#current.seatsInUse + seats <= this.#concurrencyLimit;
  }

  #enqueue(queue: Queue, request: QueuedRequest, now: number): void {
    if (queue.idle) {
      queue.nextDispatchR = this.#currentR;
      this.#busyQueues++;
    }
    queue.enqueue(request);
    queue.boundNextDispatch();
    request.phase = 'waiting';
    this.#current.waiting++;
    this.#current.waitingSeats += request.maxSeats;
    this.#gauges.addWaiting(request, 1, now);
  }

  #dequeue(queue: Queue, request: QueuedRequest, now: number): void {
    queue.remove(request);
    this.#current.waiting--;
    this.#current.waitingSeats -= request.maxSeats;
    this.#gauges.addWaiting(request, -1, now);
  }

  #dispatchAsMuchAsPossible(now: number): void {
    while (this.#current.waiting > 0 && this.#current.seatsInUse < this.#concurrencyLimit && this.#dispatch(now));
  }

  /** Returns false if the next request needs more seats than are free. No other request may overtake it. */
  #dispatch(now: number): boolean {
    const count = this.#queues.length;
    let next: Queue | undefined;
    let nextIndex = 0;
    let minFinish = Number.POSITIVE_INFINITY;
    let [minS, maxS] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    let [minDiscountedS, maxDiscountedS] = [minS, maxS];
    for (let step = 1; step <= count; step++) {
      const index = (this.#robinIndex + step) % count;
      const queue = this.#queueAt(index);
      const { nextDispatchR } = queue;
      const oldest = queue.waiting.first;
      if (oldest === undefined) continue;
      const discountedS = discountedNextDispatchR(queue);
      if (nextDispatchR < minS) minS = nextDispatchR;
      if (nextDispatchR > maxS) maxS = nextDispatchR;
      if (discountedS < minDiscountedS) minDiscountedS = discountedS;
      if (discountedS > maxDiscountedS) maxDiscountedS = discountedS;
      const virtualFinish = nextDispatchR + oldest.totalWork;
      if (virtualFinish < minFinish) {
        minFinish = virtualFinish;
        next = queue;
        nextIndex = index;
      }
    }
    const request = next?.waiting.first;
    if (next === undefined || request === undefined) return false;
    if (!this.#canAccommodateSeats(request.maxSeats)) {
      request.flow.metrics.noAccommodation++;
      return false;
    }
    this.#robinIndex = nextIndex;
    const { lastDispatch } = this.#metrics;
    lastDispatch.recordDispatch(this.#currentR, next.nextDispatchR);
    lastDispatch.recordNextS(minS, maxS, minDiscountedS, maxDiscountedS);
    this.#dequeue(next, request, now);
    // #executeFromQueue counts the queue as busy again
    if (next.idle) this.#busyQueues--;
    this.#executeFromQueue(next, request, now);
    next.boundNextDispatch();
    const { onDispatch } = request;
    request.onDispatch = undefined;
    onDispatch?.();
    return true;
  }

  #executeFromQueue(queue: Queue, request: QueuedRequest, now: number): void {
    if (request.finalSeats > this.#concurrencyLimit) {
      request.additionalLatency = durationPerSeat(request.finalWork, this.#concurrencyLimit);
      request.finalSeats = this.#concurrencyLimit;
      request.maxSeats = Math.max(request.initialSeats, request.finalSeats);
    }
    if (queue.idle) this.#busyQueues++;
    queue.executing.append(request);
    queue.seatsInUse += request.maxSeats;
    queue.nextDispatchR += request.totalWork;
    this.#queuedSeatsInUse += request.maxSeats;
    this.#execute(request, now);
  }

  #execute(request: QueuedRequest, now: number): void {
    if (request.queue === undefined) this.#queueless.append(request);
    request.phase = 'executing';
    request.startTime = now;
    this.#current.executing++;
    this.#current.seatsInUse += request.maxSeats;
    this.totals.dispatched++;
    request.flow.metrics.dispatchedRequests++;
    this.#gauges.addExecuting(request, 1, now);
    this.#gauges.addSeatsInUse(request, 1);
  }

  #releaseSeats(request: QueuedRequest): void {
    const { queue, maxSeats } = request;
    request.phase = 'done';
    this.#current.seatsInUse -= maxSeats;
    this.#gauges.addSeatsInUse(request, -1);
    if (queue === undefined) return;
    queue.seatsInUse -= maxSeats;
    this.#queuedSeatsInUse -= maxSeats;
    this.#removeSurplusQueue(queue);
  }

  #reject(request: QueuedRequest, reason: RejectReason): void {
    request.phase = 'rejected';
    request.rejectReason = reason;
    this.totals.rejected++;
    request.flow.metrics.addReject(reason);
  }

  /** Removes the queue if it is empty and there are more queues than configured. */
  #removeSurplusQueue(queue: Queue): void {
    if (this.#queues.length <= this.#config.queues || !queue.idle || queue.seatsInUse > 0) return;
    // hands refer to queues by index, so the configured ones must stay in place
    const at = this.#queues.indexOf(queue, this.#config.queues);
    if (at < 0) return;
    this.#queues.splice(at, 1);
    if (this.#robinIndex >= at) this.#robinIndex = Math.max(0, this.#robinIndex - 1);
  }

  /** Records the concurrency. Every change of state ends with this. */
  #recordConcurrency(now: number): void {
    this.#metrics.concurrency.record(now, this.#current);
  }
}

/** S of the queue's next request if the work under way were done. */
function discountedNextDispatchR(queue: Queue): number {
  return queue.nextDispatchR - seatSeconds(queue.seatsInUse, estimatedServiceDuration);
}
