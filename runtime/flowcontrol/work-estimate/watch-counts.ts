import type { RequestDigest, RequestQuery } from '../request-digest.ts';

/** Indexed fields of upstream's watch cache: watches of one value of them are not told of others. */
const indexedFields: Readonly<Record<string, string | undefined>> = { pods: 'spec.nodeName' };

/**
 * Open watches by what they are about, for what a write will cost. Selectors do not count: they must be looked at for
 * every event. (apiserver pkg/util/flowcontrol/watch_tracker.go)
 */
export class WatchCounts {
  readonly #counts = new Map<string, number>();

  /** A watch begins; the returned function ends it. */
  add(request: RequestDigest, query: RequestQuery): () => void {
    const field = Object.hasOwn(indexedFields, request.resource) ? indexedFields[request.resource] : undefined;
    if (field !== undefined && requires(query.get('fieldSelector')?.[0] ?? '', field)) return () => undefined;
    const key = keyOf(request, request.namespace, request.name);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    let counted = true;
    return () => {
      if (!counted) return;
      counted = false;
      const left = (this.#counts.get(key) ?? 1) - 1;
      if (left === 0) this.#counts.delete(key);
      else this.#counts.set(key, left);
    };
  }

  /** Watches that a write may have to tell. */
  interestedIn(request: RequestDigest): number {
    if (this.#counts.size === 0) return 0;
    const { namespace, name } = request;
    let count = this.#counts.get(keyOf(request, '', '')) ?? 0;
    if (namespace !== '') count += this.#counts.get(keyOf(request, namespace, '')) ?? 0;
    if (name !== '') count += this.#counts.get(keyOf(request, namespace, name)) ?? 0;
    return count;
  }
}

function keyOf({ group, resource }: RequestDigest, namespace: string, name: string): string {
  return `${group}/${resource}/${namespace}/${name}`;
}

/** A value other than "", which stands for all objects that have none. */
function requires(selector: string, field: string): boolean {
  return selector.split(',').some((term) => {
    const [label, value] = term.split(/==?/);
    return label === field && value !== undefined && value !== '';
  });
}
