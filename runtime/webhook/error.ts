import { decodeJson } from '../codec/json.ts';
import { quote } from '../machinery/go/quote.ts';
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

/** Reasons and messages of responses without a Status; "" for the response's text. (api/errors NewGenericServerResponse) */
const generic: Readonly<Record<number, readonly [reason: string, message: string]>> = {
  400: ['BadRequest', 'the server rejected our request for an unknown reason'],
  401: ['Unauthorized', 'the server has asked for the client to provide credentials'],
  403: ['Forbidden', ''],
  404: ['NotFound', 'the server could not find the requested resource'],
  405: ['MethodNotAllowed', 'the server does not allow this method on the requested resource'],
  406: ['NotAcceptable', ''],
  409: ['AlreadyExists', 'the server reported a conflict'],
  415: ['UnsupportedMediaType', ''],
  422: ['Invalid', 'the server rejected our request due to an error in our request'],
  429: ['TooManyRequests', 'the server has received too many requests and has asked us to try again later'],
  503: ['ServiceUnavailable', 'the server is currently unable to handle the request'],
  504: [
    'Timeout',
    'the server was unable to return a response in the time allotted, but may still be processing the request',
  ],
};
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

/** @param text of the response */
export function genericError(status: number, text: string): readonly [reason: string, message: string] {
  const known = generic[status];
  if (known !== undefined) return known[1] === '' ? [known[0], text] : known;
  if (status < 500) {
    return ['', `the server responded with the status code ${status} but did not return more information`];
  }
  return ['InternalError', `an error on the server (${quote(text)}) has prevented the request from succeeding`];
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
