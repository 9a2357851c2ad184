import type { ListOptions } from '../cluster.ts';

/** Lists without a resourceVersion, which returns the current state. */
export function listOptions(): ListOptions {
  return {};
}
