import type { Status } from './errors/status.ts';
import type { UserInfo } from './user-info.ts';

/** How much of a request is audited. (apis/audit Level) */
export const auditLevels = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
export type AuditLevel = (typeof auditLevels)[number];

/** What the body of a request says about its object. The URL may not say it, as for a POST. */
export interface AuditedObject {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

/** What the endpoint of a request has recorded; a thread can pass it to another. */
export interface AuditRecord {
  readonly object?: AuditedObject | undefined;
  readonly requestObject?: Uint8Array | undefined;
  readonly responseObject?: readonly Uint8Array[] | undefined;
  readonly responseStatus?: Partial<Status> | undefined;
  readonly annotations?: ReadonlyMap<string, string> | undefined;
}

/**
 * What filters and endpoints record about a request that is audited, in `RequestState.audit`. Requests that no rule of the
 * audit policy logs have none, so whoever records something asks for it first. Bodies are compact JSON. (apiserver
 * pkg/audit AuditContext)
 */
export interface AuditContext {
  /** Never None. */
  readonly level: AuditLevel;
  /** Whether the body of the request, or that of the response, is recorded. */
  readonly logsRequest: boolean;
  readonly logsResponse: boolean;
  /** Bodies are recorded without metadata.managedFields. */
  readonly omitManagedFields: boolean;
  logObject(object: AuditedObject): void;
  logRequestObject(json: Uint8Array): void;
  /** @param json the body of the response in pieces */
  logResponseObject(json: readonly Uint8Array[]): void;
  /** A Status in the body of the response, whatever its media type. */
  logResponseStatus(status: Partial<Status>): void;
  /** @param constraint the verb that allowed it, as `impersonate:user-info`; absent for `impersonate` */
  logImpersonatedUser(user: UserInfo, constraint?: string): void;
  /** The first value of an annotation stays. */
  addAnnotation(key: string, value: string): void;
  /** The head of the response of a long-running request is sent; later calls do nothing. */
  responseStarted(code: number): void;
  /** Takes over what another thread recorded about the same request. */
  merge(record: AuditRecord): void;
}
