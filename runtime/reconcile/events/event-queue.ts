import { TimeSlice } from '../../machinery/event-loop/yield.ts';

/** The maximum number of waiting events; further ones are dropped. (client-go tools/record maxQueuedEvents) */
const maxQueuedEvents = 1000;
/** The maximum number of objects whose events are written in parallel. */
const concurrency = 16;

interface EventWork {
  /** Work with the same key runs in order. */
  readonly key: string;
  run(): Promise<void>;
}

interface QueuedWork extends EventWork {
  done(): void;
}

/** Writes events in the background in small batches, so that other work can run. */
export class EventQueue {
  #waiting: QueuedWork[] = [];
  #isDraining = false;

  /** Resolves when the work is done, dropped or failed. */
  add(work: EventWork): Promise<void> {
    if (this.#waiting.length >= maxQueuedEvents) return Promise.resolve();
    return new Promise((done) => {
      this.#waiting.push({ ...work, done });
      if (!this.#isDraining) this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#isDraining = true;
    const slice = new TimeSlice();
    while (this.#waiting.length > 0) {
      await slice.next();
      const works = this.#waiting;
      this.#waiting = [];
      for (const batch of batchesOf(works)) {
        if (slice.isOver) await slice.next();
        await Promise.all([...batch.values()].map(runInOrder));
      }
    }
    this.#isDraining = false;
  }
}

/** Groups work by key, a limited number of keys at a time. */
function* batchesOf(works: readonly QueuedWork[]): Iterable<Map<string, QueuedWork[]>> {
  let batch = new Map<string, QueuedWork[]>();
  for (const work of works) {
    const others = batch.get(work.key);
    if (others !== undefined) others.push(work);
    else batch.set(work.key, [work]);
    if (batch.size < concurrency) continue;
    yield batch;
    batch = new Map();
  }
  if (batch.size > 0) yield batch;
}

async function runInOrder(works: readonly QueuedWork[]): Promise<void> {
  for (const work of works) await work.run().then(work.done, work.done);
}
