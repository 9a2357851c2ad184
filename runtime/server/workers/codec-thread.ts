import { Worker } from 'node:worker_threads';
import type { Clock } from '../../machinery/clock.ts';
import { DecodeError } from '../../machinery/errors/decode-error.ts';
import type { LargeValueCodec, StorageMediaType } from '../../storage/storage-codec/storage-codec.ts';
import type { BuiltinGroups } from '../groups/groups.ts';
import { workerEntry, workerExecArgv } from './entry-file.ts';

/** The `workerData` of the thread. */
export interface CodecWorkerData {
  readonly builtin: BuiltinGroups;
  readonly mediaType: StorageMediaType;
  readonly customAsCbor: boolean;
}

export interface CodecRequest {
  readonly id: number;
  readonly operation: 'encode' | 'decode';
  readonly value: Uint8Array;
}

export type CodecResult =
  | { readonly id: number; readonly value: Uint8Array }
  | { readonly id: number; readonly error: string; readonly isDecodeError: boolean };

interface Pending {
  resolve(value: Uint8Array): void;
  reject(error: Error): void;
}

/** Milliseconds after which an idle thread ends. */
const idleMs = 5_000;

/** A thread that encodes and decodes values that would block the event loop. It starts at the first such value. */
export class CodecThread implements LargeValueCodec {
  readonly #data: CodecWorkerData;
  readonly #clock: Clock;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  #cancelIdle = (): void => undefined;
  #last = 0;
  #isClosed = false;

  constructor(data: CodecWorkerData, clock: Clock) {
    this.#data = data;
    this.#clock = clock;
  }

  encode(value: Uint8Array): Promise<Uint8Array> {
    return this.#run('encode', value);
  }

  /** Rejects with DecodeError. */
  decode(value: Uint8Array): Promise<Uint8Array> {
    return this.#run('decode', value);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end();
  }

  #run(operation: CodecRequest['operation'], value: Uint8Array): Promise<Uint8Array> {
    if (this.#isClosed) return Promise.reject(new Error('the store is closed'));
    this.#cancelIdle();
    this.#worker ??= this.#start();
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      // a view would be sent with its whole buffer
      const copy = new Uint8Array(value);
      const request: CodecRequest = { id, operation, value: copy };
      this.#worker?.postMessage(request, [copy.buffer]);
    });
  }

  #start(): Worker {
    const worker = new Worker(workerEntry('codec-entry'), {
      name: 'kubeloom storage codec',
      workerData: this.#data,
      execArgv: workerExecArgv(),
    });
    worker.on('message', (result: CodecResult) => this.#settle(result));
    worker.on('error', (error) => this.#onEnd(worker, error));
    worker.on('exit', () => this.#onEnd(worker, new Error('the thread of the storage codec ended')));
    worker.unref();
    return worker;
  }

  #settle(result: CodecResult): void {
    const pending = this.#pending.get(result.id);
    this.#pending.delete(result.id);
    if ('value' in result) pending?.resolve(result.value);
    else pending?.reject(result.isDecodeError ? new DecodeError(result.error) : new Error(result.error));
    if (this.#pending.size === 0) this.#cancelIdle = this.#clock.after(idleMs, () => void this.#end());
  }

  #onEnd(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(error);
  }

  async #end(): Promise<void> {
    this.#cancelIdle();
    await this.#worker?.terminate();
  }
}
