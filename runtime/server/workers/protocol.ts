import type { MessagePort } from 'node:worker_threads';
import type { Observation } from '../../admission/admission-metrics.ts';
import { AuthenticationError, isAuthenticationError } from '../../authentication/authenticator.ts';
import { clientStatusOf } from '../../http/error-response.ts';
import type { HeldResponse, WrittenObject } from '../../http/request-state.ts';
import type { ServiceAllocators } from '../../kinds/core/service/allocators.ts';
import type { AuditContext, AuditRecord } from '../../machinery/audit-context.ts';
import { type Status, StatusError } from '../../machinery/errors/status.ts';
import type { FeatureGates } from '../../machinery/feature-gates/feature-gates.ts';
import { defined } from '../../machinery/json/defined.ts';
import type { UserInfo } from '../../machinery/user-info.ts';
import { isStorageError, StorageError, type StorageErrorCode } from '../../storage/errors.ts';
import type { AdmissionPlugins } from '../admission.ts';
import type { BuiltinGroups } from '../groups/groups.ts';
import type { Effect } from './effects.ts';

/*
 * The messages between the server and a worker thread. All are plain data. A thread runs one job at a time:
 *
 *     server                thread
 *       Job       ------->    decodes, changes, admits, validates and encodes the object
 *       Answer    <------>    Question: a fact that only the object makes necessary, or a write
 *       Outcome   <-------    the response
 */

/** The `workerData` of a worker thread. */
export interface WorkerData {
  readonly builtin: BuiltinGroups;
  readonly runtimeConfig: readonly string[];
  /** URLs of modules whose default export is one ApiGroup or several. */
  readonly groupModules: readonly string[];
  /** Audiences of tokens that name none. */
  readonly audiences: readonly string[];
  /** Whether the server's authorizer implements `rulesFor`. */
  readonly listsRules: boolean;
  /** Whether the feature gate AllowUnsafeMalformedObjectDeletion is on. */
  readonly unsafeDeletion: boolean;
  readonly features: FeatureGates;
  readonly admission: AdmissionPlugins;
  /** Whether the server stands behind another one, whose objects admission reads. */
  readonly hasExternalObjects: boolean;
  /** The IP families of services. */
  readonly serviceFamilies: ServiceAllocators['families'];
  readonly answers: AnswerChannel;
}

/** The channel for answers. The server sets `ready` to 1 and notifies when an answer has arrived. */
export interface AnswerChannel {
  readonly port: MessagePort;
  readonly ready: Int32Array;
}

/** The bytes of one request, after all filters. */
export interface Job {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly auditId: string;
  readonly receivedAt: number;
  readonly user: UserInfo;
  readonly cbor: boolean;
  readonly body: Uint8Array;
  /** The name of the CustomResourceDefinition of a custom resource; absent for other resources. */
  readonly definition?: string;
  /** Milliseconds since the epoch, by the server's clock. */
  readonly now: number;
  /** See RequestState.deadline. */
  readonly deadline?: number | undefined;
  /** The audit level of the request. Absent if it is not audited. */
  readonly audit?: Pick<AuditContext, 'level' | 'omitManagedFields'>;
  /** The prefix of all keys of the store. */
  readonly root: string;
}

export interface Question {
  readonly kind: 'question';
  /** One of AskedParts. */
  readonly part: string;
  readonly method: string;
  readonly args: readonly unknown[];
}

export type Answer = { readonly value: unknown } | { readonly error: SerializedError };

export interface Outcome {
  readonly kind: 'outcome';
  readonly result: { readonly response: HeldResponse } | { readonly error: SerializedError };
  /** The effects after the last write. */
  readonly effects: readonly Effect[];
  /** See RequestState.written. */
  readonly written?: WrittenObject | undefined;
  readonly warnings: readonly string[];
  /** The observations of admission metrics. */
  readonly observations: readonly Observation[];
  /** The audit record of the endpoint. Bodies that are also the response share its buffer. */
  readonly audit?: AuditRecord | undefined;
}

/** An error in a message between threads. */
export type SerializedError =
  | { readonly type: 'status'; readonly status: Status }
  | { readonly type: 'authentication'; readonly message: string }
  | { readonly type: 'storage'; readonly code: StorageErrorCode; readonly message: string; readonly revision?: number }
  /** An error without a Status: a bug, or an I/O error. */
  | { readonly type: 'other'; readonly message: string; readonly stack?: string };

export function serializeError(error: unknown): SerializedError {
  const status = clientStatusOf(error);
  if (status !== undefined) return { type: 'status', status };
  if (isAuthenticationError(error)) return { type: 'authentication', message: error.message };
  if (isStorageError(error)) {
    const { code, message, revision } = error;
    return { type: 'storage', code, message, ...defined({ revision }) };
  }
  if (!(error instanceof Error)) return { type: 'other', message: String(error) };
  return { type: 'other', message: error.message, ...(error.stack !== undefined && { stack: error.stack }) };
}

export function deserializeError(error: SerializedError): Error {
  switch (error.type) {
    case 'status':
      return new StatusError(error.status);
    case 'authentication':
      return new AuthenticationError(error.message);
    case 'storage':
      return new StorageError(error.code, error.message, error.revision);
    default:
      return Object.assign(new Error(error.message), error.stack === undefined ? {} : { stack: error.stack });
  }
}

/** Returns the buffer of the bytes, if nothing else is in it. Transferring it to another thread saves a copy. */
export function buffersToTransfer({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && byteLength > 0 && byteLength === buffer.byteLength ? [buffer] : [];
}
