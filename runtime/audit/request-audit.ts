import type { AuditContext, AuditedObject, AuditRecord } from '../machinery/audit-context.ts';
import type { Status } from '../machinery/errors/status.ts';
import type { UserInfo } from '../machinery/user-info.ts';
import type { AuditedRequest } from './audited-request.ts';
import { AuditEvent, type ObjectReference } from './event.ts';
import type { RequestAuditConfig, Stage } from './types.ts';

/** Collects the content of one request's events. (audit.AuditContext) */
export class RequestAudit implements AuditContext {
  readonly config: RequestAuditConfig;
  readonly logsRequest: boolean;
  readonly logsResponse: boolean;
  responseStatus: Partial<Status> | undefined;
  /** Called when the response starts. Set for long-running requests. */
  onResponseStarted: ((code: number) => void) | undefined;
  #object: AuditedObject | undefined;
  #impersonatedUser: UserInfo | undefined;
  #impersonationConstraint: string | undefined;
  #requestObject: Uint8Array | undefined;
  #responseObject: readonly Uint8Array[] | undefined;
  #annotations: Map<string, string> | undefined;

  constructor(config: RequestAuditConfig) {
    this.config = config;
    this.logsResponse = config.level === 'RequestResponse';
    this.logsRequest = this.logsResponse || config.level === 'Request';
  }

  get level(): RequestAuditConfig['level'] {
    return this.config.level;
  }

  get omitManagedFields(): boolean {
    return this.config.omitManagedFields;
  }

  logObject(object: AuditedObject): void {
    this.#object = object;
  }

  logRequestObject(json: Uint8Array): void {
    if (this.logsRequest) this.#requestObject = json;
  }

  logResponseObject(json: readonly Uint8Array[]): void {
    if (this.logsResponse) this.#responseObject = withoutNewline(json);
  }

  logResponseStatus(status: Partial<Status>): void {
    this.responseStatus = status;
  }

  logImpersonatedUser(user: UserInfo, constraint?: string): void {
    this.#impersonatedUser = user;
    this.#impersonationConstraint = constraint;
  }

  addAnnotation(key: string, value: string): void {
    this.#annotations ??= new Map();
    if (!this.#annotations.has(key)) this.#annotations.set(key, value);
  }

  responseStarted(code: number): void {
    const started = this.onResponseStarted;
    this.onResponseStarted = undefined;
    started?.(code);
  }

  /** Returns the record for another thread, which merges it into the request's audit. */
  record(): AuditRecord {
    return {
      object: this.#object,
      requestObject: this.#requestObject,
      responseObject: this.#responseObject,
      responseStatus: this.responseStatus,
      annotations: this.#annotations,
    };
  }

  merge({ object, requestObject, responseObject, responseStatus, annotations }: AuditRecord): void {
    this.#object ??= object;
    this.#requestObject ??= requestObject;
    this.#responseObject ??= responseObject;
    this.responseStatus ??= responseStatus;
    for (const [key, value] of annotations ?? []) this.addAnnotation(key, value);
  }

  /**
   * Returns the event of a stage.
   *
   * @param target the object according to the URL; undefined for non-resource requests
   * @param now milliseconds since the epoch
   */
  event(stage: Stage, request: AuditedRequest, target: ObjectReference | undefined, now: number): AuditEvent {
    const annotations = this.#annotations;
    return new AuditEvent({
      request,
      level: this.config.level,
      stage,
      stageTimestamp: stage === 'RequestReceived' ? request.receivedAt : now,
      impersonatedUser: this.#impersonatedUser,
      impersonationConstraint: this.#impersonationConstraint,
      objectRef: target && withObject(target, this.#object),
      responseStatus: this.responseStatus,
      requestObject: this.#requestObject,
      responseObject: this.#responseObject,
      annotations: annotations && new Map(annotations),
    });
  }
}

const newline = 0x0a;

/** Removes the newline at the end of a response. */
function withoutNewline(json: readonly Uint8Array[]): readonly Uint8Array[] {
  const last = json.at(-1);
  return last?.at(-1) === newline ? [...json.slice(0, -1), last.subarray(0, -1)] : json;
}

/** Completes the URL's object reference with the body's fields. The URL's take precedence. (audit.LogRequestObject) */
function withObject(target: ObjectReference, object: AuditedObject | undefined): ObjectReference {
  if (object === undefined) return target;
  return {
    ...target,
    namespace: target.namespace || (object.namespace ?? ''),
    name: target.name || (object.name ?? ''),
    uid: object.uid ?? '',
    resourceVersion: object.resourceVersion ?? '',
  };
}
