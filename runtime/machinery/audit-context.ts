import type { Status } from './errors/status.ts';
import type { UserInfo } from './user-info.ts';

/** The part of a request that is audited. (apis/audit Level) */
export const auditLevels = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
export type AuditLevel = (typeof auditLevels)[number];

/** The object's identity in the body of a request. The URL may lack it, as for a POST. */
export interface AuditedObject {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

/** The record of a request's endpoint. A thread can pass it to another thread. */
export interface AuditRecord {
  readonly object?: AuditedObject | undefined;
  readonly requestObject?: Uint8Array | undefined;
  readonly responseObject?: readonly Uint8Array[] | undefined;
  readonly responseStatus?: Partial<Status> | undefined;
  readonly annotations?: ReadonlyMap<string, string> | undefined;
}

/**
 * The record of an audited request, in `RequestState.audit`. Filters and endpoints fill it. Requests that no rule of
 * the audit policy logs have none. Bodies are compact JSON. (apiserver pkg/audit AuditContext)
 */
export interface AuditContext {
  /** Never None. */
  readonly level: AuditLevel;
  /** Whether the body is recorded: one member for the request, one for the response. */
  readonly logsRequest: boolean;
  readonly logsResponse: boolean;
  /** Records bodies without metadata.managedFields. */
  readonly omitManagedFields: boolean;
  logObject(object: AuditedObject): void;
  logRequestObject(json: Uint8Array): void;
  /** @param json the body of the response in pieces */
  logResponseObject(json: readonly Uint8Array[]): void;
  /** Records a Status in the body of the response, in any media type. */
  logResponseStatus(status: Partial<Status>): void;
  /** @param constraint the verb that allowed it, as `impersonate:user-info`; absent for `impersonate` */
  logImpersonatedUser(user: UserInfo, constraint?: string): void;
  /** Adds an annotation. The first value of a key stays. */
  addAnnotation(key: string, value: string): void;
  /** Records that the head of a long-running request's response was sent. Later calls do nothing. */
  responseStarted(code: number): void;
  /** Adds the record that another thread made of the same request. */
  merge(record: AuditRecord): void;
}
