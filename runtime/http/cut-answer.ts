import type { ServerResponse } from 'node:http';

/** NGHTTP2_INTERNAL_ERROR. */
const internalErrorCode = 2;

/** Ends an answer that has begun so that the client sees that it is not whole: its stream of HTTP/2, or its connection. */
export function abortResponse(res: ServerResponse): void {
  const { stream } = res as { stream?: { close(code: number): void } };
  if (stream) stream.close(internalErrorCode);
  else res.destroy();
}
