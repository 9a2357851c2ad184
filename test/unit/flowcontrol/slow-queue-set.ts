/**
 * KEP-1040's fair queuing in the simplest form: a list of all requests, from which everything is recomputed. The
 * scheduler under test must behave the same.
 */

export type SlowPhase = 'waiting' | 'executing' | 'lingering' | 'done' | 'rejected';

export interface SlowRequest {
  readonly id: number;
  readonly queue: number;
  readonly initialSeats: number;
  readonly finalSeats: number;
  seats: number;
  /** The configuration of the virtual world. */
  readonly work: number;
  lingers: number;
  readonly arrivalR: number;
  startTime: number;
  lingersUntil: number;
  phase: SlowPhase;
}

export interface SlowConfig {
  readonly queues: number;
  readonly queueLengthLimit: number;
  limit: number;
}

/** The estimated duration of a request in milliseconds. */
const guess = 3;
/** Work is counted in integers, as upstream: with fractions, the last bit would decide ties. */
const units = (seatMs: number): number => Math.round(seatMs * 1e5);

export class SlowQueueSet {
  readonly requests: SlowRequest[] = [];
  readonly config: SlowConfig;
  readonly #next: number[];
  #r = 0;
  #now = 0;
  #robin = 0;
  #arrivals = 0;

  constructor(config: SlowConfig) {
    this.config = config;
    this.#next = Array.from({ length: config.queues }, () => 0);
  }

  in(phase: SlowPhase, queue?: number): SlowRequest[] {
    return this.requests.filter((one) => one.phase === phase && (queue === undefined || one.queue === queue));
  }

  seatsInUse(): number {
    return seats([...this.in('executing'), ...this.in('lingering')]);
  }

  advance(ms: number): void {
    for (const end = this.#now + ms; ; ) {
      const due = this.in('lingering')
        .filter(({ lingersUntil }) => lingersUntil <= end)
        .sort((a, b) => a.lingersUntil - b.lingersUntil || a.id - b.id)[0];
      this.#turn((due?.lingersUntil ?? end) - this.#now);
      if (due === undefined) return;
      due.phase = 'done';
      this.#dispatch();
    }
  }

  arrive(hand: readonly number[], work: { initialSeats: number; finalSeats: number; lingers: number }): SlowRequest {
    const { initialSeats, finalSeats, lingers } = work;
    const offset = this.#arrivals++ % hand.length;
    const order = hand.map((_, at) => hand[(at + offset) % hand.length]);
    const waitingWork = (queue: number): number => this.in('waiting', queue).reduce((sum, one) => sum + one.work, 0);
    const queue = order.reduce((best, other) => (waitingWork(other) < waitingWork(best) ? other : best));
    const request: SlowRequest = {
      id: this.requests.length,
      queue,
      initialSeats,
      finalSeats,
      lingers,
      arrivalR: this.#r,
      startTime: 0,
      lingersUntil: 0,
      phase: 'waiting',
      seats: Math.max(initialSeats, finalSeats),
      work: units(initialSeats * guess) + units(finalSeats * lingers),
    };
    const full = this.in('waiting', queue).length >= this.config.queueLengthLimit;
    if (this.seatsInUse() >= this.config.limit && full) {
      this.requests.push({ ...request, phase: 'rejected' });
      return this.requests[request.id];
    }
    if (!this.#busy(queue)) this.#next[queue] = this.#r;
    this.requests.push(request);
    this.#bound(queue);
    this.#dispatch();
    return request;
  }

  finish(request: SlowRequest): void {
    request.phase = request.lingers > 0 ? 'lingering' : 'done';
    request.lingersUntil = this.#now + request.lingers;
    this.#next[request.queue] -= units(request.initialSeats * (guess - (this.#now - request.startTime)));
    this.#bound(request.queue);
    this.#dispatch();
  }

  cancel(request: SlowRequest): void {
    request.phase = 'rejected';
    this.#bound(request.queue);
    this.#dispatch();
  }

  setLimit(limit: number): void {
    this.config.limit = limit;
    this.#dispatch();
  }

  #busy(queue: number): boolean {
    return this.in('waiting', queue).length > 0 || this.in('executing', queue).length > 0;
  }

  /** R grows by the seat-time of each busy queue. */
  #turn(ms: number): void {
    this.#now += ms;
    const busy = this.#next.filter((_, queue) => this.#busy(queue)).length;
    if (busy === 0) return;
    const asked = this.seatsInUse() + seats(this.in('waiting'));
    this.#r += units((Math.min(asked, this.config.limit) / busy) * ms);
  }

  #bound(queue: number): void {
    const [oldest] = this.in('waiting', queue);
    if (oldest !== undefined) this.#next[queue] = Math.max(this.#next[queue], oldest.arrivalR);
  }

  #dispatch(): void {
    while (this.in('waiting').length > 0 && this.seatsInUse() < this.config.limit) {
      const { queues, limit } = this.config;
      const order = Array.from({ length: queues }, (_, at) => (this.#robin + 1 + at) % queues);
      const heads = order.flatMap((queue) => this.in('waiting', queue).slice(0, 1));
      const end = (head: SlowRequest): number => this.#next[head.queue] + head.work;
      const chosen = heads.reduce((best, other) => (end(other) < end(best) ? other : best));
      const fits = chosen.seats > limit ? this.in('executing').length === 0 : this.seatsInUse() + chosen.seats <= limit;
      if (!fits) return;
      this.#robin = chosen.queue;
      chosen.phase = 'executing';
      chosen.startTime = this.#now;
      // fewer seats are held for longer
      if (chosen.finalSeats > limit) {
        chosen.lingers = (chosen.finalSeats * chosen.lingers) / limit;
        chosen.seats = Math.max(chosen.initialSeats, limit);
      }
      this.#next[chosen.queue] += chosen.work;
      this.#bound(chosen.queue);
    }
  }
}

const seats = (requests: readonly SlowRequest[]): number => requests.reduce((sum, one) => sum + one.seats, 0);
