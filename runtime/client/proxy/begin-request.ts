import type { PendingRequest } from '../transport/pending-request.ts';

/** Begins a request that Node may refuse at once, as one to a port that there cannot be. @throws what `failure` makes of that */
export function beginRequest(request: () => PendingRequest, failure: (error: Error) => Error): PendingRequest {
  try {
    return request();
  } catch (error) {
    throw failure(error as Error);
  }
}
