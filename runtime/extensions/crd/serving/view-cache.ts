import type { StoredBytes } from '../../../machinery/resource.ts';
import type { StoredView } from './stored-view.ts';

/** The maximum bytes of the cached views of one version. */
const maxBytes = 16 * 1024 * 1024;

/** The newest views, so that the watchers of an event share one. */
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
      if (this.#bytes <= maxBytes || oldest === stored) return;
      this.#views.delete(oldest);
      this.#bytes -= jsonLength;
    }
  }
}
