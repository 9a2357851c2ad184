import { join } from 'node:path';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { requestEntityTooLarge } from '../../machinery/status.ts';
import { isSource, packageFolder } from '../release.ts';
import type { PooledWorker } from './pool.ts';
import {
  type CallAnswer,
  toWire,
  type WorkerCall,
  type WorkerOutcome,
  type WorkerRequest,
  type WorkerSetup,
} from './protocol.ts';
import type { ServerCalls } from './server-calls.ts';

/** MiB of memory for one thread; a request that needs more ends it, and is answered 413. */
const heapLimit = 768;

const folder = 'runtime/server/workers';

/** A thread of Node's, and the server's end of what is said between them. */
export class WorkerThread implements PooledWorker {
  readonly #calls: ServerCalls;
  readonly #worker: Worker;
  readonly #answers: MessagePort;
  readonly #ready: Int32Array;
  #settle: { resolve(outcome: WorkerOutcome): void; reject(error: Error): void } | undefined;
  #ended: Error | undefined;

  constructor(setup: Omit<WorkerSetup, 'calls'>, calls: ServerCalls) {
    this.#calls = calls;
    const { port1, port2 } = new MessageChannel();
    this.#answers = port1;
    this.#ready = new Int32Array(new SharedArrayBuffer(4));
    const workerData: WorkerSetup = { ...setup, calls: { port: port2, ready: this.#ready } };
    this.#worker = new Worker(entryFile(), {
      name: 'kubeloom request',
      workerData,
      transferList: [port2],
      execArgv: execArgv(),
      resourceLimits: { maxOldGenerationSizeMb: heapLimit },
    });
    this.#worker.on('message', (message: WorkerOutcome | WorkerCall) => this.#onMessage(message));
    this.#worker.on('error', (error) => this.#onEnd(error));
    this.#worker.on('exit', () => this.#onEnd(new Error('a worker thread ended while it ran a request')));
    // the port alone would keep the process
    this.#worker.unref();
    this.#answers.unref();
  }

  run(request: WorkerRequest): Promise<WorkerOutcome> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#worker.postMessage(request);
    });
  }

  async end(): Promise<void> {
    this.#answers.close();
    await this.#worker.terminate();
  }

  #onMessage(message: WorkerOutcome | WorkerCall): void {
    if (message.kind === 'call') {
      void this.#answer(message);
      return;
    }
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.resolve(message);
  }

  async #answer({ name, args }: WorkerCall): Promise<void> {
    let answer: CallAnswer;
    try {
      const call = this.#calls[name as keyof ServerCalls] as (...args: readonly unknown[]) => unknown;
      answer = { value: await call(...args) };
    } catch (error) {
      answer = { error: toWire(error) };
    }
    this.#answers.postMessage(answer);
    Atomics.store(this.#ready, 0, 1);
    Atomics.notify(this.#ready, 0);
  }

  #onEnd(error: Error): void {
    this.#ended ??= isOutOfMemory(error)
      ? requestEntityTooLarge('Request entity too large: it takes more memory than there is for one request')
      : error;
    this.#answers.close();
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.reject(this.#ended);
  }
}

const isOutOfMemory = (error: Error): boolean => (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';

function entryFile(): string {
  return isSource ? join(packageFolder(), folder, 'entry.ts') : join(packageFolder(), 'dist', folder, 'entry.js');
}

/** Sources run through the loader that the process uses, which tells where it is. */
function execArgv(): string[] {
  const loader = process.env.KUBELOOM_TS_LOADER;
  return isSource && loader !== undefined ? ['--import', loader] : [];
}
