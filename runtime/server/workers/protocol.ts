import type { MessagePort } from 'node:worker_threads';
import { clientStatusOf } from '../../http/error-response.ts';
import { type Status, StatusError } from '../../machinery/status.ts';
import type { UserInfo } from '../../machinery/user-info.ts';
import { isStorageError, StorageError, type StorageErrorCode } from '../../storage/errors.ts';

/*
 * What the server and a worker thread say to each other. A worker runs one request at a time:
 *
 *     server                      worker
 *       WorkerRequest   ------->    runs the verb as the server would; where that needs the store or somebody's opinion,
 *       CallAnswer      <------>    WorkerCall: it stands still until the server has answered
 *       WorkerOutcome   <-------    the answer to be sent, or what was thrown
 */

/** How a worker is made: `workerData`. */
export interface WorkerSetup {
  /** As ServerOptions has it; for a group, the module whose default export it is. */
  readonly builtin: boolean | string;
  readonly runtimeConfig: readonly string[];
  /** Modules whose default export is an ApiGroup, or several. */
  readonly groupModules: readonly string[];
  /** Who tokens are for that name nobody. */
  readonly audiences: readonly string[];
  /** For each verifier of tokens, whether it knows audiences. */
  readonly verifiers: readonly boolean[];
  /** Whether the authorizer can list what a user may do. */
  readonly listsRules: boolean;
  readonly calls: CallChannel;
}

/** Answers to calls come through a port of their own, and `ready` is set to 1 and notified when one is there. */
export interface CallChannel {
  readonly port: MessagePort;
  readonly ready: Int32Array;
}

/** One request, as the filters left it. */
export interface WorkerRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly auditId: string;
  readonly receivedAt: number;
  readonly user: UserInfo;
  readonly cbor: boolean;
  readonly body: Uint8Array;
  /** The name of the CustomResourceDefinition of what is asked for; absent for other resources. */
  readonly definition?: string;
  /** Milliseconds since the epoch, by the server's clock. */
  readonly now: number;
}

export interface WorkerAnswer {
  readonly code: number;
  readonly contentType: string;
  readonly body: Uint8Array;
  readonly warnings: readonly string[];
}

export type WorkerOutcome =
  | { readonly kind: 'answered'; readonly answer: WorkerAnswer }
  | { readonly kind: 'failed'; readonly error: WireError; readonly warnings: readonly string[] };

export interface WorkerCall {
  readonly kind: 'call';
  readonly name: string;
  readonly args: readonly unknown[];
}

export type CallAnswer = { readonly value: unknown } | { readonly error: WireError };

/** An error on its way between threads. */
export type WireError =
  | { readonly type: 'status'; readonly status: Status }
  | { readonly type: 'storage'; readonly code: StorageErrorCode; readonly message: string; readonly revision?: number }
  /** Nobody's answer: a bug, or a failing medium. */
  | { readonly type: 'other'; readonly message: string; readonly stack?: string };

export function toWire(error: unknown): WireError {
  const status = clientStatusOf(error);
  if (status !== undefined) return { type: 'status', status };
  if (isStorageError(error)) {
    const { code, message, revision } = error;
    return { type: 'storage', code, message, ...(revision === undefined ? {} : { revision }) };
  }
  if (!(error instanceof Error)) return { type: 'other', message: String(error) };
  return { type: 'other', message: error.message, stack: error.stack };
}

export function fromWire(error: WireError): Error {
  switch (error.type) {
    case 'status':
      return new StatusError(error.status);
    case 'storage':
      return new StorageError(error.code, error.message, error.revision);
    default:
      return Object.assign(new Error(error.message), error.stack === undefined ? {} : { stack: error.stack });
  }
}
