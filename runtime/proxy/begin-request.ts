import type { ClientRequest } from 'node:http';

/** Begins a request that Node may refuse at once, as one to a port that there cannot be. @throws what `failure` makes of that */
export function beginRequest(request: () => ClientRequest, failure: (error: Error) => Error): ClientRequest {
  try {
    return request();
  } catch (error) {
    throw failure(error as Error);
  }
}
