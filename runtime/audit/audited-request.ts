import type { IncomingMessage } from 'node:http';
import type { UserInfo } from '../machinery/user-info.ts';
import { jsonText, jsonValue, microTime, userJson } from './json.ts';
import { sourceIPs } from './source-ips.ts';

/** The maximum length of a user agent; the rest is cut. (audit.maxUserAgentLength) */
const maxUserAgentLength = 1024;

export interface AuditedRequestFields {
  readonly message: IncomingMessage;
  readonly auditId: string;
  readonly verb: string;
  /** The user; absent if the request failed before authentication. */
  readonly user?: UserInfo | undefined;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
}

/** The common part of all events of one request. Each field is encoded once. (audit.LogRequestMetadata) */
export class AuditedRequest {
  readonly auditId: string;
  readonly verb: string;
  readonly user: UserInfo | undefined;
  readonly receivedAt: number;
  readonly uri: string;
  readonly userAgent: string;
  readonly sourceIPs: readonly string[];
  #idJson: string | undefined;
  #requestJson: string | undefined;
  #sourceJson: string | undefined;
  #receivedJson: string | undefined;

  constructor({ message, auditId, verb, user, receivedAt }: AuditedRequestFields) {
    this.auditId = auditId;
    this.verb = verb;
    this.user = user;
    this.receivedAt = receivedAt;
    this.uri = message.url ?? '/';
    this.userAgent = userAgentOf(message);
    this.sourceIPs = sourceIPs(message);
  }

  get idJson(): string {
    this.#idJson ??= `"auditID":${jsonText(this.auditId)}`;
    return this.#idJson;
  }

  get requestJson(): string {
    this.#requestJson ??=
      `"requestURI":${jsonText(this.uri)},"verb":${jsonText(this.verb)},` +
      `"user":${this.user === undefined ? '{}' : userJson(this.user)}`;
    return this.#requestJson;
  }

  /** JSON that begins with a comma, or "". */
  get sourceJson(): string {
    if (this.#sourceJson === undefined) {
      const ips = this.sourceIPs.length === 0 ? '' : `,"sourceIPs":${jsonValue(this.sourceIPs)}`;
      this.#sourceJson = this.userAgent === '' ? ips : `${ips},"userAgent":${jsonText(this.userAgent)}`;
    }
    return this.#sourceJson;
  }

  get receivedJson(): string {
    this.#receivedJson ??= `"requestReceivedTimestamp":"${microTime(this.receivedAt)}"`;
    return this.#receivedJson;
  }
}

/** Decodes the header as UTF-8, because Node reads headers as Latin-1. */
function userAgentOf({ headers }: IncomingMessage): string {
  const sent = headers['user-agent'] ?? '';
  const cut = sent.length > maxUserAgentLength ? `${sent.slice(0, maxUserAgentLength)}...TRUNCATED` : sent;
  return /[\x80-\xff]/.test(cut) ? Buffer.from(cut, 'latin1').toString('utf8') : cut;
}
