import { setFlagsFromString } from 'node:v8';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { requestEntityTooLarge } from '../../machinery/errors/status.ts';
import { workerEntry, workerExecArgv } from './entry-file.ts';
import type { PooledWorker } from './pool.ts';
import {
  buffersToTransfer,
  type RpcCall,
  type RpcResult,
  serializeError,
  type WorkerData,
  type WorkerRequest,
  type WorkerResult,
} from './protocol.ts';
import type { RpcHandlers } from './rpc-handlers.ts';

/** MiB of heap for one thread. A request that needs more ends the thread and gets a 413. */
const heapLimit = 768;

/**
 * MiB for new objects. The objects of a large request live as long as the request, so a larger space would only be
 * copied.
 */
const youngGenerationLimit = 12;

/** The server's hooks for requests of a thread. */
export interface ThreadHooks {
  /** Called when the thread has a result. */
  onResult(): void;
  /** Called when the thread has ended and none of its calls is running. */
  onEnded(): void;
}

/** A Node worker thread, and the server's side of its protocol. */
export class WorkerThread implements PooledWorker {
  readonly #handlers: RpcHandlers;
  readonly #worker: Worker;
  readonly #results: MessagePort;
  readonly #ready: Int32Array;
  #settle: { resolve(result: WorkerResult): void; reject(error: Error): void } | undefined;
  #ended: Error | undefined;
  readonly #calls = new Set<Promise<void>>();
  readonly #hooks: ThreadHooks;

  constructor(data: Omit<WorkerData, 'rpc'>, handlers: RpcHandlers, hooks: ThreadHooks) {
    this.#handlers = handlers;
    this.#hooks = hooks;
    const { port1, port2 } = new MessageChannel();
    this.#results = port1;
    this.#ready = new Int32Array(new SharedArrayBuffer(4));
    const workerData: WorkerData = { ...data, rpc: { port: port2, ready: this.#ready } };
    // the flag would override the limit; V8 reads it when it creates a heap, so the event loop's heap is not affected
    setFlagsFromString('--max-semi-space-size=0');
    this.#worker = new Worker(workerEntry('entry'), {
      name: 'kubeloom request',
      workerData,
      transferList: [port2],
      execArgv: workerExecArgv(),
      resourceLimits: { maxOldGenerationSizeMb: heapLimit, maxYoungGenerationSizeMb: youngGenerationLimit },
    });
    this.#worker.on('message', (message: WorkerResult | RpcCall) => this.#onMessage(message));
    this.#worker.on('error', (error) => this.#onEnd(error));
    this.#worker.on('exit', () => this.#onEnd(new Error('a worker thread ended while it ran a request')));
    // an open port would keep the process alive
    this.#worker.unref();
    this.#results.unref();
  }

  run(request: WorkerRequest): Promise<WorkerResult> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#worker.postMessage(request, buffersToTransfer(request.body));
    });
  }

  async end(): Promise<void> {
    this.#results.close();
    await this.#worker.terminate();
  }

  #onMessage(message: WorkerResult | RpcCall): void {
    if (message.kind === 'call') {
      const call = this.#handleCall(message).finally(() => this.#calls.delete(call));
      this.#calls.add(call);
      return;
    }
    const settle = this.#settle;
    this.#settle = undefined;
    this.#hooks.onResult();
    settle?.resolve(message);
  }

  async #handleCall({ name, args }: RpcCall): Promise<void> {
    let result: RpcResult;
    try {
      const handler = this.#handlers[name as keyof RpcHandlers] as (...args: readonly unknown[]) => unknown;
      result = { value: await handler(...args) };
    } catch (error) {
      result = { error: serializeError(error) };
    }
    this.#results.postMessage(result);
    Atomics.store(this.#ready, 0, 1);
    Atomics.notify(this.#ready, 0);
  }

  #onEnd(error: Error): void {
    if (this.#ended === undefined) void Promise.allSettled(this.#calls).then(() => this.#hooks.onEnded());
    this.#ended ??= isOutOfMemory(error)
      ? requestEntityTooLarge('Request entity too large: it needs more memory than one request may use')
      : error;
    this.#results.close();
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.reject(this.#ended);
  }
}

const isOutOfMemory = (error: Error): boolean => (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
