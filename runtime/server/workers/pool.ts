import type { Clock } from '../../machinery/clock.ts';
import { timeout, tooManyRequests } from '../../machinery/errors/status.ts';
import { FairQueue } from './fair-queue.ts';
import type { Job, Outcome } from './protocol.ts';
import type { AskedParts } from './questions.ts';

/** A thread that runs one job at a time. */
export interface PooledWorker {
  /** Rejects if the thread ends before the job does. */
  run(job: Job, parts: AskedParts): Promise<Outcome>;
  /** Ends the thread, even during a job. */
  end(): Promise<void>;
}

export interface WorkerPoolOptions {
  readonly clock: Clock;
  /** The most threads. With more than one, no single user gets all of them. */
  readonly size: number;
  /** Milliseconds that an idle thread is kept. Ending it frees its memory. */
  readonly idle: number;
  /** The most bytes of bodies that may wait; further requests get a 429. */
  readonly waitingBytes: number;
  readonly start: () => PooledWorker;
}

/** A job that waits for a thread, or runs on one. */
export interface PooledJob {
  readonly job: Job;
  /** Answer the questions of the job. */
  readonly parts: AskedParts;
  /** Milliseconds since the epoch; Infinity for none. */
  readonly deadline: number;
  /** Registers a callback for a client that goes away. */
  whenAborted(callback: () => void): void;
}

interface WaitingJob extends PooledJob {
  readonly user: string;
  readonly begin: (worker: PooledWorker) => void;
}

/**
 * Threads for jobs that would block the event loop. They start on demand, serve users in turn, and end when idle. A
 * thread that has not ended its job by the deadline of the request is ended.
 */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #waiting = new FairQueue<WaitingJob>();
  /** Idle threads, each with a function that cancels its timeout. */
  readonly #idle = new Map<PooledWorker, () => void>();
  readonly #all = new Set<PooledWorker>();
  /** The number of threads per user. */
  readonly #users = new Map<string, number>();
  #waitingBytes = 0;
  #closed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  /** @throws StatusError 429 if too many bytes wait, 504 at the deadline; or the error that ended the thread */
  async run(pooled: PooledJob): Promise<Outcome> {
    const user = pooled.job.user.name;
    const worker = await this.#acquire(user, pooled);
    try {
      return await this.#runUntilDeadline(worker, pooled);
    } finally {
      this.#releaseUser(user);
      this.#dispatch();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const cancel of this.#idle.values()) cancel();
    await Promise.all([...this.#all].map((worker) => worker.end()));
  }

  /** Resolves when it is the request's turn. */
  #acquire(user: string, pooled: PooledJob): Promise<PooledWorker> {
    const { waitingBytes, clock } = this.#options;
    const size = pooled.job.body.length;
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
      const waiting: WaitingJob = { ...pooled, user, begin: (worker) => settle(() => resolve(worker)) };
      const giveUp = (): void => {
        if (!this.#waiting.remove(user, waiting)) return;
        settle(() => reject(deadlineExceeded()));
      };
      this.#waiting.add(user, waiting);
      if (pooled.deadline !== Number.POSITIVE_INFINITY) cancel = clock.after(pooled.deadline - clock.now(), giveUp);
      pooled.whenAborted(giveUp);
      this.#dispatch();
    });
  }

  /** Gives available threads to the next requests. */
  #dispatch(): void {
    const { size } = this.#options;
    const maxPerUser = Math.max(1, size - 1);
    while (!this.#closed && (this.#idle.size > 0 || this.#all.size < size)) {
      const next = this.#waiting.take((user) => (this.#users.get(user) ?? 0) < maxPerUser);
      if (next === undefined) return;
      this.#users.set(next.user, (this.#users.get(next.user) ?? 0) + 1);
      next.begin(this.#takeIdleOrStart());
    }
  }

  #takeIdleOrStart(): PooledWorker {
    for (const [worker, cancel] of this.#idle) {
      cancel();
      this.#idle.delete(worker);
      return worker;
    }
    const started = this.#options.start();
    this.#all.add(started);
    return started;
  }

  async #runUntilDeadline(worker: PooledWorker, { job, parts, deadline }: PooledJob): Promise<Outcome> {
    const { clock } = this.#options;
    let cancel = (): void => undefined;
    const expired = new Promise<never>((_, reject) => {
      if (deadline === Number.POSITIVE_INFINITY) return;
      cancel = clock.after(Math.max(0, deadline - clock.now()), () => reject(deadlineExceeded()));
    });
    try {
      const result = await Promise.race([worker.run(job, parts), expired]);
      this.#becomeIdle(worker);
      return result;
    } catch (error) {
      // the thread may never finish the request, and its result would be ignored
      this.#all.delete(worker);
      void worker.end();
      throw error;
    } finally {
      cancel();
    }
  }

  #becomeIdle(worker: PooledWorker): void {
    const cancel = this.#options.clock.after(this.#options.idle, () => {
      this.#idle.delete(worker);
      this.#all.delete(worker);
      void worker.end();
    });
    this.#idle.set(worker, cancel);
  }

  #releaseUser(user: string): void {
    const left = (this.#users.get(user) ?? 0) - 1;
    if (left > 0) this.#users.set(user, left);
    else this.#users.delete(user);
  }
}

const deadlineExceeded = () => timeout('request did not complete within the allotted timeout', 0);
