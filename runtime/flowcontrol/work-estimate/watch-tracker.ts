import type { RequestInfo, RequestQuery } from '../request-info.ts';

/**
 * Fields that upstream's watch cache indexes. A watch of one value of such a field receives no events for other values.
 * (builtinIndexes)
 */
const builtinIndexes: Readonly<Record<string, string | undefined>> = { pods: 'spec.nodeName' };

/**
 * Counts open watches by resource, namespace and name, to estimate the work of a write. Other selectors do not count,
 * because each event must be matched against them. (apiserver pkg/util/flowcontrol/watch_tracker.go)
 */
export class WatchTracker {
  readonly #watchCount = new Map<string, number>();

  /** Counts a watch until the returned function is called. */
  registerWatch(request: RequestInfo, query: RequestQuery): () => void {
    const field = Object.hasOwn(builtinIndexes, request.resource) ? builtinIndexes[request.resource] : undefined;
    if (field !== undefined && requiresExactMatch(query.get('fieldSelector')?.[0] ?? '', field)) return () => undefined;
    const key = keyOf(request, request.namespace, request.name);
    this.#watchCount.set(key, (this.#watchCount.get(key) ?? 0) + 1);
    let registered = true;
    return () => {
      if (!registered) return;
      registered = false;
      const remaining = (this.#watchCount.get(key) ?? 1) - 1;
      if (remaining === 0) this.#watchCount.delete(key);
      else this.#watchCount.set(key, remaining);
    };
  }

  /** Returns the number of watches that a write may send events to. */
  interestedWatchCount(request: RequestInfo): number {
    if (this.#watchCount.size === 0) return 0;
    const { namespace, name } = request;
    let count = this.#watchCount.get(keyOf(request, '', '')) ?? 0;
    if (namespace !== '') count += this.#watchCount.get(keyOf(request, namespace, '')) ?? 0;
    if (name !== '') count += this.#watchCount.get(keyOf(request, namespace, name)) ?? 0;
    return count;
  }
}

function keyOf({ group, resource }: RequestInfo, namespace: string, name: string): string {
  return `${group}/${resource}/${namespace}/${name}`;
}

/**
 * Reports whether the selector requires a value of the field other than "", which matches all objects without a value.
 */
function requiresExactMatch(selector: string, field: string): boolean {
  return selector.split(',').some((term) => {
    const [label, value] = term.split(/==?/);
    return label === field && value !== undefined && value !== '';
  });
}
