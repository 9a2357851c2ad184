import { negotiate } from '../codec/media-type.ts';
import { isDecodeError } from '../machinery/errors/decode-error.ts';
import { isRefusedRequest } from '../machinery/errors/refused-request.ts';
import {
  badRequest,
  internalError,
  isStatusError,
  plainError,
  type Status,
  type StatusError,
  timeout,
} from '../machinery/errors/status.ts';
import { isSelectorError } from '../machinery/selectors/selector-error.ts';
import type { ApiContext } from './context.ts';
import { isPretty, mediaTypes, supportedMediaTypes } from './negotiation.ts';
import { isParameterError } from './parameters.ts';
import { encodeObject, sendBytes } from './respond.ts';
import { abortResponse } from './response.ts';

export interface ErrorResponderOptions {
  /** Encodes a Status in Kubernetes' protobuf envelope. Default: clients that ask for protobuf get JSON. */
  readonly encodeProtobuf?: ((status: Status) => Uint8Array) | undefined;
  /** Receives errors that clients must not see: bugs and failing media. */
  readonly report: (error: unknown, ctx: ApiContext) => void;
}

/** Ends a request with an error. No other code writes a failed Status. */
export type ErrorResponder = (ctx: ApiContext, error: unknown) => void;

/**
 * Responds with a Status in the media type that the client asked for, or in JSON if the server does not support it. An error
 * that is not meant for clients is reported, and becomes a 500 that contains only the audit ID. A response that has begun
 * cannot become an error, so it is aborted. (apiserver responsewriters.ErrorNegotiated)
 */
export function createErrorResponder({ encodeProtobuf, report }: ErrorResponderOptions): ErrorResponder {
  return (ctx, error) => {
    const status = errorToStatus(error, ctx.state?.auditId);
    if (status.code === 500 && !isStatusError(error)) report(error, ctx);
    const { res } = ctx;
    if (res.headersSent) {
      if (!res.writableEnded) abortResponse(res);
      return;
    }
    for (const header of ['Content-Encoding', 'Content-Length', 'ETag', 'Last-Modified']) res.removeHeader(header);
    if (status.details?.retryAfterSeconds) res.setHeader('Retry-After', String(status.details.retryAfterSeconds));
    if (isRefusedRequest(error)) res.setHeader('X-Content-Type-Options', 'nosniff');
    const chosen = negotiate(ctx.req.headers.accept, supportedMediaTypes(ctx));
    if (chosen?.mediaType === mediaTypes.protobuf && encodeProtobuf) {
      sendBytes(ctx, status.code, mediaTypes.protobuf, encodeProtobuf(status));
      return;
    }
    const wanted = chosen?.mediaType;
    const mediaType = wanted === mediaTypes.yaml || wanted === mediaTypes.cbor ? wanted : mediaTypes.json;
    // a request that cannot be parsed has no state
    const pretty = ctx.state?.query !== undefined && ((chosen?.pretty ?? true) || isPretty(ctx));
    sendBytes(ctx, status.code, mediaType, encodeObject(status, { mediaType, pretty }));
  };
}

/** Returns the Status of an error. Returns undefined if clients must not see the error: bugs, failing media. */
export function clientStatusOf(error: unknown): Status | undefined {
  if (isStatusError(error)) return error.status;
  if (isDecodeError(error) || isSelectorError(error) || isParameterError(error)) return badRequest(error.message).status;
  return undefined;
}

/** Returns the Status in the response to an error. Returns undefined if no accepted media type can hold a Status. */
export function negotiableStatus(ctx: ApiContext, error: unknown): Status | undefined {
  const chosen = negotiate(ctx.req.headers.accept, supportedMediaTypes(ctx));
  return chosen && errorToStatus(error, ctx.state.auditId);
}

/** Reports whether an error without a Status has a message for clients, as errors of a store that cannot be written. */
function isShownToClients(error: unknown): error is Error & { readonly isTimeout?: boolean } {
  return error instanceof Error && (error as { isShownToClients?: unknown }).isShownToClients === true;
}

/** (apiserver finisher.FinishRequest) */
const timedOut = ({ message }: Error): StatusError => timeout(`request did not complete within requested timeout - ${message}`, 0);

/** Returns the Status for anything thrown. (apiserver responsewriters.ErrorToAPIStatus) */
function errorToStatus(error: unknown, auditId?: string): Status {
  const status = clientStatusOf(error);
  if (status !== undefined) return status;
  if (isShownToClients(error)) return (error.isTimeout === true ? timedOut(error) : plainError(error.message)).status;
  const where = auditId === undefined ? '' : ` (Audit-ID ${auditId})`;
  return internalError(`the server failed to handle the request; its log says why${where}`).status;
}
