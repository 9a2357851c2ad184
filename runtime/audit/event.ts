import type { AuditLevel } from '../machinery/audit-context.ts';
import type { Status } from '../machinery/errors/status.ts';
import type { UserInfo } from '../machinery/user-info.ts';
import type { AuditedRequest } from './audited-request.ts';
import { jsonText, jsonValue, microTime, nonEmptyMembers, userJson } from './json.ts';
import type { Stage } from './types.ts';

/** (apis/audit ObjectReference) */
export interface ObjectReference {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly apiGroup: string;
  readonly apiVersion: string;
  readonly resourceVersion: string;
  readonly subresource: string;
}

export interface EventFields {
  readonly request: AuditedRequest;
  readonly level: AuditLevel;
  readonly stage: Stage;
  /** Milliseconds since the epoch. */
  readonly stageTimestamp: number;
  readonly impersonatedUser?: UserInfo | undefined;
  readonly impersonationConstraint?: string | undefined;
  readonly objectRef?: ObjectReference | undefined;
  readonly responseStatus?: Partial<Status> | undefined;
  readonly requestObject?: Uint8Array | undefined;
  readonly responseObject?: readonly Uint8Array[] | undefined;
  readonly annotations?: ReadonlyMap<string, string> | undefined;
}

/** Text, or the JSON of a body in its original bytes. */
export type EventPiece = string | Uint8Array;

/** An immutable event for one stage of a request. It is encoded once for all backends. (apis/audit Event) */
export class AuditEvent {
  readonly fields: EventFields;
  #pieces: readonly EventPiece[] | undefined;
  #size = 0;

  constructor(fields: EventFields) {
    this.fields = fields;
  }

  /** The members of the event in JSON, without the braces, kind and apiVersion. */
  get pieces(): readonly EventPiece[] {
    this.#pieces ??= encode(this.fields);
    return this.#pieces;
  }

  /** The length of `pieces` in bytes. */
  get size(): number {
    if (this.#size === 0) for (const piece of this.pieces) this.#size += byteLength(piece);
    return this.#size;
  }

  /** Returns the event without bodies, and with an annotation about that. (plugin/pkg/audit/truncate) */
  truncated(): AuditEvent {
    const annotations = new Map(this.fields.annotations).set('audit.k8s.io/truncated', 'true');
    return new AuditEvent({ ...this.fields, annotations, requestObject: undefined, responseObject: undefined });
  }
}

const byteLength = (piece: EventPiece): number => (typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length);

function encode(event: EventFields): EventPiece[] {
  const { request, requestObject, responseObject } = event;
  let text = `"level":"${event.level}",${request.idJson},"stage":"${event.stage}",${request.requestJson}`;
  if (event.impersonatedUser !== undefined) text += `,"impersonatedUser":${userJson(event.impersonatedUser)}`;
  if (event.impersonationConstraint !== undefined) {
    text += `,"authenticationMetadata":{"impersonationConstraint":${jsonText(event.impersonationConstraint)}}`;
  }
  text += request.sourceJson;
  if (event.objectRef !== undefined) text += `,"objectRef":${objectRefJson(event.objectRef)}`;
  if (event.responseStatus !== undefined) text += `,"responseStatus":${statusJson(event.responseStatus)}`;
  const pieces: EventPiece[] = [];
  if (requestObject !== undefined) {
    pieces.push(`${text},"requestObject":`, requestObject);
    text = '';
  }
  if (responseObject !== undefined) {
    pieces.push(`${text},"responseObject":`, ...responseObject);
    text = '';
  }
  text += `,${request.receivedJson},"stageTimestamp":"${microTime(event.stageTimestamp)}"`;
  if (event.annotations !== undefined) text += `,"annotations":${annotationsJson(event.annotations)}`;
  pieces.push(text);
  return pieces;
}

function objectRefJson(ref: ObjectReference): string {
  return `{${nonEmptyMembers([
    ['resource', ref.resource],
    ['namespace', ref.namespace],
    ['name', ref.name],
    ['uid', ref.uid],
    ['apiGroup', ref.apiGroup],
    ['apiVersion', ref.apiVersion],
    ['resourceVersion', ref.resourceVersion],
    ['subresource', ref.subresource],
  ])}}`;
}

function statusJson({ status, message, reason, details, code }: Partial<Status>): string {
  const texts = nonEmptyMembers([
    ['status', status ?? ''],
    ['message', message ?? ''],
    ['reason', reason ?? ''],
  ]);
  const rest = `${details ? `,"details":${jsonValue(details)}` : ''}${code ? `,"code":${code}` : ''}`;
  return `{"metadata":{}${texts === '' ? '' : `,${texts}`}${rest}}`;
}

function annotationsJson(annotations: ReadonlyMap<string, string>): string {
  const sortedEntries = [...annotations].sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sortedEntries.map(([key, value]) => `${jsonText(key)}:${jsonText(value)}`).join(',')}}`;
}
