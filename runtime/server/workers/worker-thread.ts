import { setFlagsFromString } from 'node:v8';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { requestEntityTooLarge } from '../../machinery/errors/status.ts';
import { workerEntry, workerExecArgv } from './entry-file.ts';
import type { PooledWorker } from './pool.ts';
import { type Answer, type Job, type Outcome, type Question, serializeError, type WorkerData } from './protocol.ts';
import type { AskedParts } from './questions.ts';

/** MiB of heap for one thread. A request that needs more ends the thread and gets a 413. */
const heapLimit = 768;

/**
 * MiB for new objects. The objects of a large request live as long as the request, so a larger space would only be
 * copied.
 */
const youngGenerationLimit = 12;

/** A Node worker thread, and the server's side of its protocol. */
export class WorkerThread implements PooledWorker {
  readonly #worker: Worker;
  readonly #answerPort: MessagePort;
  readonly #ready: Int32Array;
  #parts: AskedParts | undefined;
  #settle: { resolve(outcome: Outcome): void; reject(error: Error): void } | undefined;
  #ended: Error | undefined;

  constructor(data: Omit<WorkerData, 'answers'>) {
    const { port1, port2 } = new MessageChannel();
    this.#answerPort = port1;
    this.#ready = new Int32Array(new SharedArrayBuffer(4));
    const workerData: WorkerData = { ...data, answers: { port: port2, ready: this.#ready } };
    // the flag would override the limit; V8 reads it when it creates a heap, so the event loop's heap is not affected
    setFlagsFromString('--max-semi-space-size=0');
    this.#worker = new Worker(workerEntry('entry'), {
      name: 'kubeloom request',
      workerData,
      transferList: [port2],
      execArgv: workerExecArgv(),
      resourceLimits: { maxOldGenerationSizeMb: heapLimit, maxYoungGenerationSizeMb: youngGenerationLimit },
    });
    this.#worker.on('message', (message: Outcome | Question) => this.#onMessage(message));
    this.#worker.on('error', (error) => this.#onEnd(error));
    this.#worker.on('exit', () => this.#onEnd(new Error('a worker thread ended while it ran a request')));
    // an open port would keep the process alive
    this.#worker.unref();
    this.#answerPort.unref();
  }

  run(job: Job, parts: AskedParts): Promise<Outcome> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    this.#parts = parts;
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#worker.postMessage(job);
    });
  }

  async end(): Promise<void> {
    this.#answerPort.close();
    await this.#worker.terminate();
  }

  #onMessage(message: Outcome | Question): void {
    if (message.kind === 'question') {
      void this.#answer(message);
      return;
    }
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.resolve(message);
  }

  async #answer({ part, method, args }: Question): Promise<void> {
    let answer: Answer;
    try {
      const asked = this.#parts?.[part as keyof AskedParts] as AnyPart | undefined;
      answer = { value: await asked?.[method]?.(...args) };
    } catch (error) {
      answer = { error: serializeError(error) };
    }
    this.#answerPort.postMessage(answer);
    Atomics.store(this.#ready, 0, 1);
    Atomics.notify(this.#ready, 0);
  }

  #onEnd(error: Error): void {
    this.#ended ??= isOutOfMemory(error)
      ? requestEntityTooLarge('Request entity too large: it needs more memory than one request may use')
      : error;
    this.#answerPort.close();
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.reject(this.#ended);
  }
}

type AnyPart = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

const isOutOfMemory = (error: Error): boolean => (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
