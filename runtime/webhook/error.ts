import { decodeJson } from '../codec/json.ts';
import { genericError } from '../machinery/errors/generic-error.ts';
import { isJsonObject } from '../machinery/json/values.ts';
import type { WebhookResponse } from './response.ts';

interface WebhookFailure {
  /** The code of a failed connection, as ECONNRESET. */
  readonly connection?: string;
  /** The HTTP status, if there was a response. */
  readonly status?: number;
  /** The reason of the response's Status, or the one that its HTTP status stands for. */
  readonly reason?: string;
  /** Seconds after which the server wants to be asked again. */
  readonly retryAfter?: number;
}

/**
 * A request that got no response, or one that is no success. The message is that of Go's client. It is no StatusError,
 * because what a webhook says of itself is not what our client is told.
 */
export class WebhookError extends Error {
  readonly isWebhookError = true;
  readonly failure: WebhookFailure;

  constructor(message: string, failure: WebhookFailure = {}) {
    super(message);
    this.failure = failure;
  }
}

export function isWebhookError(error: unknown): error is WebhookError {
  return typeof error === 'object' && error !== null && (error as WebhookError).isWebhookError === true;
}

const transientReasons = ['InternalError', 'Timeout', 'TooManyRequests', 'ServerTimeout'];

/** Whether a failure may pass: a lost connection, a 500, 504 or 429, or a Retry-After header. (DefaultShouldRetry) */
export function defaultShouldRetry(error: unknown): boolean {
  if (!isWebhookError(error)) return false;
  const { connection, reason = '', retryAfter = 0 } = error.failure;
  return connection === 'ECONNRESET' || transientReasons.includes(reason) || retryAfter > 0;
}

/** The most bytes of a response that a message shows. (client-go rest/request.go maxUnstructuredResponseTextBytes) */
const maxTextBytes = 2048;

/** The error of a response that is no success: its Status, or what Go's client says of its HTTP status. */
export function responseError({ status, headers, body }: WebhookResponse): WebhookError {
  const own = statusOf(body);
  const header = /^\d{1,9}$/.test(headers['retry-after'] ?? '') ? Number(headers['retry-after']) : 0;
  const type = headers['content-type'] ?? '';
  const isText = type === '' || type.startsWith('text/');
  const text = (isText && body.subarray(0, maxTextBytes).toString().trim()) || 'unknown';
  const [reason, message] = own ?? genericError(status, text);
  return new WebhookError(message, { status, reason, ...(header > 0 && { retryAfter: header }) });
}

function statusOf(body: Uint8Array): readonly [reason: string, message: string] | undefined {
  try {
    const status = decodeJson(body);
    if (!isJsonObject(status) || status.kind !== 'Status' || status.status === 'Success') return undefined;
    return status.message ? [String(status.reason ?? ''), String(status.message)] : undefined;
  } catch {
    return undefined;
  }
}
