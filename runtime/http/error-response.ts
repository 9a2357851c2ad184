import { negotiate } from '../codec/media-type.ts';
import { isDecodeError } from '../machinery/prune.ts';
import { isSelectorError } from '../machinery/selectors/selector-error.ts';
import { badRequest, internalError, isStatusError, type Status } from '../machinery/status.ts';
import type { ApiContext } from './context.ts';
import { abortResponse } from './cut-answer.ts';
import { isPretty, mediaTypes, offersFor } from './negotiation.ts';
import { isParameterError } from './parameters.ts';
import { encodeObject, sendBytes } from './respond.ts';

export interface ErrorResponderOptions {
  /** A Status in Kubernetes' protobuf envelope; without it, clients that ask for protobuf get JSON. */
  readonly encodeProtobuf?: (status: Status) => Uint8Array;
  /** Told of errors that are nobody's answer: bugs and failing media. */
  readonly report: (error: unknown, ctx: ApiContext) => void;
}

/** Ends a request with an error. The only place where a failed Status is written. */
export type ErrorResponder = (ctx: ApiContext, error: unknown) => void;

/**
 * A failure in the form that the client asked for, JSON where it asked for something that does not exist. What is not
 * meant for clients becomes a 500 that says nothing but the audit id, and is reported. An answer that has begun cannot
 * become an error: its stream is cut, so that the client sees that it is not whole.
 */
export function createErrorResponder({ encodeProtobuf, report }: ErrorResponderOptions): ErrorResponder {
  return (ctx, error) => {
    const status = statusOf(error, ctx.state?.auditId);
    if (status.code === 500 && !isStatusError(error)) report(error, ctx);
    const { res } = ctx;
    if (res.headersSent) {
      if (!res.writableEnded) abortResponse(res);
      return;
    }
    for (const header of ['Content-Encoding', 'Content-Length', 'ETag', 'Last-Modified']) res.removeHeader(header);
    if (status.details?.retryAfterSeconds) res.setHeader('Retry-After', String(status.details.retryAfterSeconds));
    const chosen = negotiate(ctx.req.headers.accept, offersFor(ctx));
    if (chosen?.mediaType === mediaTypes.protobuf && encodeProtobuf) {
      sendBytes(ctx, status.code, mediaTypes.protobuf, encodeProtobuf(status));
      return;
    }
    const wanted = chosen?.mediaType;
    const mediaType = wanted === mediaTypes.yaml || wanted === mediaTypes.cbor ? wanted : mediaTypes.json;
    // a request that could not be parsed has no state yet
    const pretty = ctx.state?.query !== undefined && ((chosen?.pretty ?? true) || isPretty(ctx));
    sendBytes(ctx, status.code, mediaType, encodeObject(status, { mediaType, pretty }));
  };
}

/** The failure that the client is told of; undefined for what is nobody's answer: bugs and failing media. */
export function clientStatusOf(error: unknown): Status | undefined {
  if (isStatusError(error)) return error.status;
  if (isDecodeError(error) || isSelectorError(error) || isParameterError(error))
    return badRequest(error.message).status;
  return undefined;
}

/** The Status of anything thrown. */
export function statusOf(error: unknown, auditId?: string): Status {
  const answer = clientStatusOf(error);
  if (answer !== undefined) return answer;
  const where = auditId === undefined ? '' : ` (Audit-ID ${auditId})`;
  return internalError(`the server failed to handle the request; its log says why${where}`).status;
}
