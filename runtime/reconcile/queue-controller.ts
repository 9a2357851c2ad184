import { hasStatusCode } from '../machinery/errors/status.ts';
import type { KubeObject } from '../machinery/object.ts';
import { type ObjectKey, objectKeyOf } from '../machinery/object-key.ts';
import type { Controller, ReconcileContext } from './controller.ts';
import { type SyncResult, WorkQueue } from './work-queue.ts';

/** The queue that informer handlers fill with keys of objects to sync. */
export interface ObjectQueue {
  add(key: ObjectKey): void;
  addObject(object: KubeObject): void;
  /** Adds the key after a delay in milliseconds, unless it is added sooner. */
  addAfter(key: ObjectKey, ms: number): void;
}

export interface QueueControllerOptions {
  readonly context: ReconcileContext;
  /** The name of the controller in the log. */
  readonly name: string;
  /** Number of objects synced at once. Default: 5. */
  readonly concurrency?: number;
  /** Longest delay before a retry, in milliseconds. Default: 1,000 s. */
  readonly maxDelay?: number;
  /**
   * Opens the controller's resources and adds handlers that fill the queue. Work begins when the promise resolves.
   *
   * @returns moves one object, which may be gone, towards its desired state; an error is logged, and the object
   *   retried
   */
  open(queue: ObjectQueue): Promise<(key: ObjectKey) => Promise<SyncResult>>;
}

/** A controller that syncs objects from a workqueue, as most of kube-controller-manager's do. */
export class QueueController implements Controller {
  readonly #options: QueueControllerOptions;
  readonly #queue: WorkQueue<ObjectKey>;
  #sync: ((key: ObjectKey) => Promise<SyncResult>) | undefined;

  constructor(options: QueueControllerOptions) {
    const { context, name, concurrency = 5, maxDelay } = options;
    this.#options = options;
    this.#queue = new WorkQueue<ObjectKey>({
      clock: context.stores.clock,
      concurrency,
      maxDelay,
      paused: true,
      keyOf: (key) => `${key.namespace}/${key.name}`,
      work: (key) => this.#work(key),
      report: (err) => context.logger.error({ err, controller: name }, 'an object could not be synced, which will be retried'),
    });
  }

  async start(): Promise<void> {
    const queue = this.#queue;
    this.#sync = await this.#options.open({
      add: (key) => queue.add(key),
      addObject: (object) => queue.add(objectKeyOf(object)),
      addAfter: (key, ms) => queue.addAfter(key, ms),
    });
    queue.resume();
  }

  /** Retries an object after a conflict without logging it. */
  async #work(key: ObjectKey): Promise<SyncResult> {
    try {
      return (await this.#sync?.(key)) ?? 'done';
    } catch (error) {
      if (hasStatusCode(error, 409)) return 'retry';
      throw error;
    }
  }

  get isIdle(): boolean {
    return this.#queue.isIdle;
  }

  close(): Promise<void> {
    return this.#queue.close();
  }
}
