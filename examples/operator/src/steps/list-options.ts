import type { ListOptions } from '../cluster.ts';

/** Without a resourceVersion, a list is what is true now. */
export function listOptions(): ListOptions {
  return {};
}
