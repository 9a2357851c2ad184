import type { Clock } from '../clock.ts';

/** node-fetch, which the client uses, waits for ever for the rest of a body that ends in the middle. */
export function limitTime<T>(_clock: Clock, request: Promise<T>): Promise<T> {
  return request;
}
