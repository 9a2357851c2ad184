import type { Clock } from '../../machinery/clock.ts';
import { LinkedList } from '../../machinery/linked-list.ts';
import type { LevelSeries } from '../metrics/series.ts';
import { type GaugeParts, Gauges } from './gauges.ts';
import { Queue } from './queue.ts';
import type { Refusal, SeatRequest } from './request.ts';
import { durationOnSeats, guessedDuration, seatSeconds } from './work.ts';

/** How requests wait: in `queues` queues; at once refused where there are none; never where the level is exempt. */
export interface QueuingConfig {
  readonly exempt: boolean;
  /** 0: what cannot be executed at once is refused. */
  readonly queues: number;
  readonly queueLengthLimit: number;
}

export interface QueueSetParts extends GaugeParts {
  readonly clock: Clock;
}

/**
 * The progress meter is wound back by this much before doubles lose its last digits; about once a day of full load.
 */
const epoch = 2 ** 51;
const highMeter = epoch + epoch / 2;

/**
 * Fair queuing for server requests: one queue at a time gets the next seats, so that in the long run every queue gets the
 * same seat-seconds. R(t), the progress meter, is the seat-seconds that each busy queue would have got by now if seats
 * could be shared infinitely fine; a queue's next request is dispatched in the order of R at its virtual end.
 * (KEP-1040; apiserver pkg/util/flowcontrol/fairqueuing/queueset/doc.go)
 *
 * Everything happens at once and on `clock`; nobody is waited for. What is let in is given back with `finish`.
 */
export class QueueSet {
  readonly #clock: Clock;
  readonly #series: LevelSeries;
  readonly #gauges: Gauges;
  #config: QueuingConfig = { exempt: false, queues: 0, queueLengthLimit: 0 };
  #limit = 0;
  #queues: Queue[] = [];
  /** Requests that came when there were no queues. */
  readonly #queueless = new LinkedList<SeatRequest>();
  #currentR = 0;
  #lastTime: number;
  /** The queue dispatched last: on a tie the ones behind it come first. */
  #robin = 0;
  #enqueued = 0;
  #busyQueues = 0;
  #waiting = 0;
  #waitingSeats = 0;
  #executing = 0;
  #seatsInUse = 0;
  /** The part of `#seatsInUse` that came through queues. */
  #queuedSeatsInUse = 0;
  /** Since the level was made: for dumps. */
  readonly totals = { dispatched: 0, rejected: 0, timedOut: 0, cancelled: 0 };
  /** Called when the last request leaves. */
  onIdle: (() => void) | undefined;

  constructor(parts: QueueSetParts) {
    this.#clock = parts.clock;
    this.#series = parts.series;
    this.#gauges = new Gauges(parts);
    this.#lastTime = parts.clock.now();
  }

  get queues(): readonly Queue[] {
    return this.#queues;
  }

  get queueless(): Iterable<SeatRequest> {
    return this.#queueless;
  }

  get waiting(): number {
    return this.#waiting;
  }

  get executing(): number {
    return this.#executing;
  }

  get seatsInUse(): number {
    return this.#seatsInUse;
  }

  get idle(): boolean {
    return this.#waiting === 0 && this.#executing === 0;
  }

  /**
   * Queues that are too many go when they are empty. Requests keep the queue that they are in.
   *
   * @param limit seats for all requests together
   * @param scale what the gauges show use in proportion to
   */
  configure(config: QueuingConfig, limit: number, scale: number): void {
    const now = this.#sync();
    this.#config = config;
    this.#limit = limit;
    while (this.#queues.length < config.queues) this.#queues.push(new Queue());
    for (const queue of this.#queues.slice(config.queues)) this.#removeSpare(queue);
    const { waiting, executing, seats, demand } = this.#series.use.reckoned;
    waiting.setDenominator(Math.max(1, config.queueLengthLimit) * Math.max(1, config.queues), now);
    for (const ratio of [executing, seats, demand]) ratio.setDenominator(scale, now);
    this.#dispatchAll(now);
    this.#noteUse(now);
  }

  /** Afterwards the request is executing, waiting or refused. */
  start(request: SeatRequest): void {
    const now = this.#sync();
    this.#place(request, now);
    this.#noteUse(now);
  }

  /**
   * The request is answered; what waits may be dispatched before this returns. Later calls do nothing.
   *
   * @returns milliseconds that it was executed; 0 in a later call
   */
  finish(request: SeatRequest): number {
    if (request.phase !== 'executing') return 0;
    const now = this.#sync();
    const lasted = now - request.startedAt;
    const { queue } = request;
    request.phase = 'lingering';
    this.#executing--;
    this.#gauges.executing(request, -1, now);
    if (queue === undefined) this.#queueless.remove(request);
    else {
      queue.executing.remove(request);
      if (queue.idle) this.#busyQueues--;
      // it was charged for a guess; now it is known
      queue.nextDispatchR -= seatSeconds(request.initialSeats, guessedDuration - lasted);
      queue.boundNextDispatch();
    }
    if (request.additionalLatency > 0) {
      this.#clock.after(request.additionalLatency, () => {
        const later = this.#sync();
        this.#release(request);
        this.#dispatchAll(later);
        this.#noteUse(later);
      });
    } else this.#release(request);
    this.#dispatchAll(now);
    this.#noteUse(now);
    if (this.#executing === 0 && this.#waiting === 0) this.onIdle?.();
    return lasted;
  }

  /** Takes a waiting request out of its queue. False: it does not wait any more. */
  cancel(request: SeatRequest, refusal: 'time-out' | 'cancelled'): boolean {
    const { queue } = request;
    if (request.phase !== 'waiting' || queue === undefined) return false;
    const now = this.#sync();
    this.#dequeue(queue, request, now);
    if (queue.idle) this.#busyQueues--;
    queue.boundNextDispatch();
    request.onDispatch = undefined;
    if (refusal === 'time-out') this.totals.timedOut++;
    else this.totals.cancelled++;
    this.#refuse(request, refusal);
    this.#removeSpare(queue);
    // the one that left may have been all that did not fit
    this.#dispatchAll(now);
    this.#noteUse(now);
    if (this.idle) this.onIdle?.();
    return true;
  }

  /** Moves the progress meter to now; to be called before anything changes. */
  #sync(): number {
    const now = this.#clock.now();
    const passed = now - this.#lastTime;
    if (passed <= 0) return now;
    this.#lastTime = now;
    if (this.#busyQueues > 0) {
      const asked = this.#queuedSeatsInUse + this.#waitingSeats;
      this.#currentR += seatSeconds(Math.min(asked, this.#limit) / this.#busyQueues, passed);
      while (this.#currentR >= highMeter) this.#advanceEpoch();
      this.#series.currentR = this.#currentR;
    }
    return now;
  }

  #place(request: SeatRequest, now: number): void {
    request.arrivedAt = now;
    request.arrivalR = this.#currentR;
    if (this.#config.queues === 0) {
      if (this.#accommodates(request.seats)) this.#execute(request, now);
      else this.#refuse(request, 'concurrency-limit');
      return;
    }
    const place = this.#chooseQueue(request.flow.hand);
    const queue = this.#queues[place];
    request.queue = queue;
    const { series } = request.flow;
    if (this.#waiting === 0 && this.#seatsInUse < this.#limit && this.#accommodates(request.seats)) {
      // the one request that waits would be dispatched at once, from the only queue that has any
      if (queue.idle) queue.nextDispatchR = this.#currentR;
      else if (queue.nextDispatchR < request.arrivalR) queue.nextDispatchR = request.arrivalR;
      series.queueLength.observe(1);
      this.#robin = place;
      const [s, less] = [queue.nextDispatchR, discounted(queue)];
      this.#series.dispatch.note(this.#currentR, s, s, s, less, less);
      this.#executeFrom(queue, request, now);
      return;
    }
    if (this.#seatsInUse >= this.#limit && queue.waiting.length >= this.#config.queueLengthLimit) {
      request.queue = undefined;
      queue.boundNextDispatch();
      this.#refuse(request, 'queue-full');
      return;
    }
    this.#enqueue(queue, request, now);
    series.queueLength.observe(queue.waiting.length);
    this.#dispatchAll(now);
  }

  #advanceEpoch(): void {
    this.#currentR -= epoch;
    for (const queue of this.#queues) queue.rewind(epoch);
    this.#series.epochAdvances++;
  }

  /** The one with the least work waiting; the place to begin goes round, so that ties do not favour the first card. */
  #chooseQueue(hand: readonly number[]): number {
    const size = hand.length;
    const offset = this.#enqueued++ % size;
    let best = hand[offset];
    let least = this.#queues[best].work;
    for (let at = 1; at < size && least > 0; at++) {
      const place = hand[(offset + at) % size];
      const { work } = this.#queues[place];
      if (work >= least) continue;
      least = work;
      best = place;
    }
    return best;
  }

  #accommodates(seats: number): boolean {
    if (this.#config.exempt) return true;
    // too wide for the level: let in when it is alone
    if (seats > this.#limit) return this.#executing === 0;
    return this.#seatsInUse + seats <= this.#limit;
  }

  #enqueue(queue: Queue, request: SeatRequest, now: number): void {
    if (queue.idle) {
      queue.nextDispatchR = this.#currentR;
      this.#busyQueues++;
    }
    queue.enqueue(request);
    queue.boundNextDispatch();
    request.phase = 'waiting';
    this.#waiting++;
    this.#waitingSeats += request.seats;
    this.#gauges.waiting(request, 1, now);
  }

  #dequeue(queue: Queue, request: SeatRequest, now: number): void {
    queue.remove(request);
    this.#waiting--;
    this.#waitingSeats -= request.seats;
    this.#gauges.waiting(request, -1, now);
  }

  #dispatchAll(now: number): void {
    while (this.#waiting > 0 && this.#seatsInUse < this.#limit && this.#dispatchOne(now));
  }

  /** False: the request whose turn it is needs more seats than are free, and nobody overtakes it. */
  #dispatchOne(now: number): boolean {
    const count = this.#queues.length;
    let next: Queue | undefined;
    let place = 0;
    let leastEnd = Number.POSITIVE_INFINITY;
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    let [leastDiscounted, mostDiscounted] = [least, most];
    for (let step = 1; step <= count; step++) {
      const at = (this.#robin + step) % count;
      const queue = this.#queues[at];
      const { nextDispatchR } = queue;
      const oldest = queue.waiting.first;
      if (oldest === undefined) continue;
      const less = discounted(queue);
      if (nextDispatchR < least) least = nextDispatchR;
      if (nextDispatchR > most) most = nextDispatchR;
      if (less < leastDiscounted) leastDiscounted = less;
      if (less > mostDiscounted) mostDiscounted = less;
      const end = nextDispatchR + oldest.totalWork;
      if (end < leastEnd) {
        leastEnd = end;
        next = queue;
        place = at;
      }
    }
    const request = next?.waiting.first;
    if (next === undefined || request === undefined) return false;
    if (!this.#accommodates(request.seats)) {
      request.flow.series.noAccommodation++;
      return false;
    }
    this.#robin = place;
    this.#series.dispatch.note(this.#currentR, next.nextDispatchR, least, most, leastDiscounted, mostDiscounted);
    this.#dequeue(next, request, now);
    // as executing it is counted again
    if (next.idle) this.#busyQueues--;
    this.#executeFrom(next, request, now);
    next.boundNextDispatch();
    const { onDispatch } = request;
    request.onDispatch = undefined;
    onDispatch?.();
    return true;
  }

  #executeFrom(queue: Queue, request: SeatRequest, now: number): void {
    if (request.finalSeats > this.#limit) {
      request.additionalLatency = durationOnSeats(request.finalWork, this.#limit);
      request.finalSeats = this.#limit;
      request.seats = Math.max(request.initialSeats, request.finalSeats);
    }
    if (queue.idle) this.#busyQueues++;
    queue.executing.append(request);
    queue.seatsInUse += request.seats;
    queue.nextDispatchR += request.totalWork;
    this.#queuedSeatsInUse += request.seats;
    this.#execute(request, now);
  }

  #execute(request: SeatRequest, now: number): void {
    if (request.queue === undefined) this.#queueless.append(request);
    request.phase = 'executing';
    request.startedAt = now;
    this.#executing++;
    this.#seatsInUse += request.seats;
    this.totals.dispatched++;
    request.flow.series.dispatched++;
    this.#gauges.executing(request, 1, now);
    this.#gauges.seats(request, 1);
  }

  #release(request: SeatRequest): void {
    const { queue, seats } = request;
    request.phase = 'done';
    this.#seatsInUse -= seats;
    this.#gauges.seats(request, -1);
    if (queue === undefined) return;
    queue.seatsInUse -= seats;
    this.#queuedSeatsInUse -= seats;
    this.#removeSpare(queue);
  }

  #refuse(request: SeatRequest, refusal: Refusal): void {
    request.phase = 'refused';
    request.refusal = refusal;
    this.totals.rejected++;
    request.flow.series.refuse(refusal);
  }

  #removeSpare(queue: Queue): void {
    if (this.#queues.length <= this.#config.queues || !queue.idle || queue.seatsInUse > 0) return;
    // hands are dealt by place: the queues in front stay where they are
    const at = this.#queues.indexOf(queue, this.#config.queues);
    if (at < 0) return;
    this.#queues.splice(at, 1);
    if (this.#robin >= at) this.#robin = Math.max(0, this.#robin - 1);
  }

  /** To be called when everything has changed. */
  #noteUse(now: number): void {
    const seats = this.#seatsInUse;
    this.#series.use.note(now, this.#executing, this.#waiting, seats, seats + this.#waitingSeats);
  }
}

/** Where the queue would be if what is under way were done. */
function discounted(queue: Queue): number {
  return queue.nextDispatchR - seatSeconds(queue.seatsInUse, guessedDuration);
}
