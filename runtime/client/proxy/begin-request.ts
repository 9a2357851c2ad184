import type { PendingRequest } from '../transport/pending-request.ts';

/**
 * Begins a request. Node refuses some at once, for example for an impossible port.
 *
 * @throws the result of `failure` for such an error
 */
export function beginRequest(request: () => PendingRequest, failure: (error: Error) => Error): PendingRequest {
  try {
    return request();
  } catch (error) {
    throw failure(error as Error);
  }
}
