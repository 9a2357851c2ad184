import { decodeJson } from '../../codec/json.ts';
import { genericError } from '../../machinery/errors/generic-error.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import type { JsonObject } from '../../machinery/object.ts';
import type { HTTPResponse } from './http-client.ts';
import { isTextType } from './media-type.ts';

interface Failure {
  /** The HTTP status, or the code of the response's Status. */
  readonly status: number;
  /** The reason of the response's Status, or the reason for its HTTP status. */
  readonly reason: string;
  /** The Retry-After of the server, in seconds. */
  readonly retryAfter?: number;
}

/**
 * An unsuccessful response. The message is that of client-go. It is not a StatusError, because another server's error
 * is not an error for our client.
 */
export class ResponseError extends Error {
  readonly isResponseError = true;
  readonly failure: Failure;

  constructor(message: string, failure: Failure) {
    super(message);
    this.failure = failure;
  }
}

export function isResponseError(error: unknown): error is ResponseError {
  return typeof error === 'object' && error !== null && (error as ResponseError).isResponseError === true;
}

export const isSuccess = ({ status }: Pick<HTTPResponse, 'status'>): boolean => status >= 200 && status <= 206;

/** The maximum bytes of a response in a message. (client-go rest/request.go maxUnstructuredResponseTextBytes) */
const maxTextBytes = 2048;

/** Returns the seconds of the Retry-After header; undefined without one. */
export function retryAfterOf({ headers }: Pick<HTTPResponse, 'headers'>): number | undefined {
  const text = headers['retry-after'] ?? '';
  return /^[+-]?\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/**
 * Returns the error of an unsuccessful response: its Status, or a generic one for its HTTP status. (rest.Result.Error)
 *
 * @param subject the request in the generic message, for example `get pods.metrics.k8s.io`. Default: none
 */
export function responseError(response: Pick<HTTPResponse, 'status' | 'headers' | 'body'>, subject?: string): ResponseError {
  const { status, headers, body } = response;
  const own = failureOf(body);
  if (own !== undefined) {
    const { message, reason, code, details } = own;
    const seconds = isJsonObject(details) ? Number(details.retryAfterSeconds ?? 0) : 0;
    return new ResponseError(String(message ?? ''), {
      status: Number(code ?? 0),
      reason: String(reason ?? ''),
      ...(seconds > 0 && { retryAfter: seconds }),
    });
  }
  const text = isTextType(headers['content-type']) ? body.subarray(0, maxTextBytes).toString().trim() : 'unknown';
  const [reason, generic] = genericError(status, text);
  const message = subject === undefined ? generic : `${generic} (${subject})`;
  const retryAfter = retryAfterOf(response) ?? 0;
  return new ResponseError(message, { status, reason, ...(retryAfter > 0 && { retryAfter }) });
}

function failureOf(body: Uint8Array): JsonObject | undefined {
  if (body.length === 0) return undefined;
  try {
    const status = decodeJson(body);
    if (!isJsonObject(status)) return undefined;
    const { kind, apiVersion = 'v1' } = status;
    if (kind !== 'Status' || apiVersion !== 'v1') return undefined;
    return status.status === 'Failure' ? status : undefined;
  } catch {
    return undefined;
  }
}
