import type { Clock } from '../../machinery/clock.ts';
import { timeout, tooManyRequests } from '../../machinery/status.ts';
import { FairQueue } from './fair-queue.ts';
import type { WorkerOutcome, WorkerRequest } from './protocol.ts';

/** A thread that runs one request at a time. */
export interface PooledWorker {
  /** Rejects when the thread ends before it has answered. */
  run(request: WorkerRequest): Promise<WorkerOutcome>;
  /** Ends the thread, whatever it does. */
  end(): Promise<void>;
}

export interface WorkerPoolOptions {
  readonly clock: Clock;
  /** Threads at once, at most. With more than one, no user has all of them. */
  readonly size: number;
  /** Milliseconds that a thread is kept without work: ending it gives its memory back. */
  readonly idle: number;
  /** Bytes of bodies that may wait; a request beyond is told to come again. */
  readonly waitingBytes: number;
  readonly start: () => PooledWorker;
}

/** One request that waits for a thread, or has one. */
export interface PooledRequest {
  readonly request: WorkerRequest;
  /** Milliseconds since the epoch; Infinity for none. */
  readonly deadline: number;
  /** Calls back when nobody waits for the answer any more. */
  whenAborted(callback: () => void): void;
}

interface Waiting extends PooledRequest {
  readonly user: string;
  readonly begin: (worker: PooledWorker) => void;
}

/**
 * Threads for requests that would hold the event loop. They are started when there is work, take turns between users, and
 * go when there has been none for a while. A thread that has not answered by the deadline of its request is ended.
 */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #waiting = new FairQueue<Waiting>();
  /** Those without work, and how to take back their end. */
  readonly #idle = new Map<PooledWorker, () => void>();
  readonly #all = new Set<PooledWorker>();
  /** How many threads each user has. */
  readonly #users = new Map<string, number>();
  #waitingBytes = 0;
  #closed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  /** @throws StatusError 429 where too much waits, 504 at the deadline; whatever a thread ends with */
  async run(pooled: PooledRequest): Promise<WorkerOutcome> {
    const user = pooled.request.user.name;
    const worker = await this.#worker(user, pooled);
    try {
      return await this.#untilDeadline(worker, pooled);
    } finally {
      this.#leave(user);
      this.#next();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const cancel of this.#idle.values()) cancel();
    await Promise.all([...this.#all].map((worker) => worker.end()));
  }

  /** Resolves when it is the request's turn. */
  #worker(user: string, pooled: PooledRequest): Promise<PooledWorker> {
    const { waitingBytes, clock } = this.#options;
    const size = pooled.request.body.length;
    if (this.#waiting.size > 0 && this.#waitingBytes + size > waitingBytes) {
      throw tooManyRequests('too many large requests are waiting, please try again later', 1);
    }
    this.#waitingBytes += size;
    return new Promise<PooledWorker>((resolve, reject) => {
      let cancel = (): void => undefined;
      const settle = (finish: () => void): void => {
        cancel();
        this.#waitingBytes -= size;
        finish();
      };
      const waiting: Waiting = { ...pooled, user, begin: (worker) => settle(() => resolve(worker)) };
      const giveUp = (): void => {
        if (!this.#waiting.remove(user, waiting)) return;
        settle(() => reject(late()));
      };
      this.#waiting.add(user, waiting);
      if (pooled.deadline !== Number.POSITIVE_INFINITY) cancel = clock.after(pooled.deadline - clock.now(), giveUp);
      pooled.whenAborted(giveUp);
      this.#next();
    });
  }

  /** Gives free threads to those whose turn it is. */
  #next(): void {
    const { size } = this.#options;
    const most = Math.max(1, size - 1);
    while (!this.#closed && (this.#idle.size > 0 || this.#all.size < size)) {
      const next = this.#waiting.take((user) => (this.#users.get(user) ?? 0) < most);
      if (next === undefined) return;
      this.#users.set(next.user, (this.#users.get(next.user) ?? 0) + 1);
      next.begin(this.#free());
    }
  }

  #free(): PooledWorker {
    for (const [worker, cancel] of this.#idle) {
      cancel();
      this.#idle.delete(worker);
      return worker;
    }
    const started = this.#options.start();
    this.#all.add(started);
    return started;
  }

  async #untilDeadline(worker: PooledWorker, { request, deadline }: PooledRequest): Promise<WorkerOutcome> {
    const { clock } = this.#options;
    let cancel = (): void => undefined;
    const tooLate = new Promise<never>((_, reject) => {
      if (deadline === Number.POSITIVE_INFINITY) return;
      cancel = clock.after(Math.max(0, deadline - clock.now()), () => reject(late()));
    });
    try {
      const outcome = await Promise.race([worker.run(request), tooLate]);
      this.#rest(worker);
      return outcome;
    } catch (error) {
      // what it still does is nobody's business any more, and it may never end
      this.#all.delete(worker);
      void worker.end();
      throw error;
    } finally {
      cancel();
    }
  }

  #rest(worker: PooledWorker): void {
    const cancel = this.#options.clock.after(this.#options.idle, () => {
      this.#idle.delete(worker);
      this.#all.delete(worker);
      void worker.end();
    });
    this.#idle.set(worker, cancel);
  }

  #leave(user: string): void {
    const left = (this.#users.get(user) ?? 0) - 1;
    if (left > 0) this.#users.set(user, left);
    else this.#users.delete(user);
  }
}

const late = () => timeout('request did not complete within the allotted timeout', 0);
