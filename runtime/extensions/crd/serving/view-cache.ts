import type { StoredBytes } from '../../../machinery/resource.ts';
import type { StoredView } from './stored-view.ts';

/** How many bytes of views one version of a resource keeps. */
const budget = 16 * 1024 * 1024;

/** Views that were asked for lately, so that the watchers of one event share one. */
export class ViewCache {
  readonly #views = new Map<StoredBytes, StoredView>();
  #bytes = 0;

  get(stored: StoredBytes): StoredView | undefined {
    return this.#views.get(stored);
  }

  add(stored: StoredBytes, view: StoredView): void {
    if (this.#views.has(stored)) return;
    this.#views.set(stored, view);
    this.#bytes += view.jsonLength;
    for (const [oldest, { jsonLength }] of this.#views) {
      if (this.#bytes <= budget || oldest === stored) return;
      this.#views.delete(oldest);
      this.#bytes -= jsonLength;
    }
  }
}
