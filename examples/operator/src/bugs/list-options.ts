import type { ListOptions } from '../cluster.ts';

/** From a cache of the API server: cheaper, and as old as that cache is. */
export function listOptions(): ListOptions {
  return { resourceVersion: '0' };
}
