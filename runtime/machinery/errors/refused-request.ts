import { StatusError } from './status.ts';

/** An error that a filter answers a request with: browsers must not interpret it as another type. (responsewriters.Forbidden) */
export class RefusedRequest extends StatusError {
  readonly isRefusedRequest = true;
}

/** Reports whether a filter has refused the request. */
export const isRefusedRequest = (error: unknown): boolean => (error as Partial<RefusedRequest> | undefined)?.isRefusedRequest === true;
