import { signal } from '@preact/signals';
import { pathOf, type Resource } from '../server/discovery.ts';
import { request } from '../server/request.ts';
import { follow, type WatchEvent, type WatchState } from '../server/watch.ts';
import { type Table, TableRows } from './table-rows.ts';

export interface TableFilter {
  readonly namespace: string;
  readonly labelSelector: string;
  readonly fieldSelector: string;
}

const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
/** The first page is small, so that something shows at once. */
const firstPage = 500;
const nextPages = 10_000;

/** A table of one resource that follows its server. Its signals change at most once a frame. */
export class TableSource {
  readonly rows = new TableRows();
  /** Increases with each change. */
  readonly version = signal(0);
  readonly state = signal<WatchState>('loading');
  readonly why = signal('');
  /** How often the watch was lost and went on. */
  readonly resumed = signal(0);
  readonly #end = new AbortController();
  #frame: number | undefined;
  #wasLost = false;

  constructor(resource: Resource, { namespace, labelSelector, fieldSelector }: TableFilter) {
    const path = pathOf(resource, resource.namespaced ? namespace : '');
    const selectors = { ...(labelSelector && { labelSelector }), ...(fieldSelector && { fieldSelector }) };
    void follow<Table>(
      {
        accept,
        list: (ended) => this.#list(path, selectors, ended),
        path: (resourceVersion) =>
          `${path}?${new URLSearchParams({ ...selectors, watch: 'true', allowWatchBookmarks: 'true', resourceVersion })}`,
        onEvents: (events) => this.#apply(events),
        onState: (state, why = '') => this.#setState(state, why),
      },
      this.#end.signal,
    );
  }

  close(): void {
    this.#end.abort();
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
  }

  async #list(path: string, selectors: Record<string, string>, ended: AbortSignal): Promise<string> {
    this.rows.clear();
    let proceed: string | undefined;
    let limit = firstPage;
    for (;;) {
      const query = new URLSearchParams({ ...selectors, limit: String(limit), ...(proceed && { continue: proceed }) });
      const page = await request<Table>(`${path}?${query}`, { accept, signal: ended });
      this.rows.addList(page);
      this.#changed();
      proceed = page.metadata?.continue;
      limit = nextPages;
      if (!proceed) return page.metadata?.resourceVersion ?? '';
    }
  }

  #apply(events: readonly WatchEvent<Table>[]): string | undefined {
    const now = performance.now();
    let newest: string | undefined;
    for (const { type, object } of events) newest = this.rows.apply(type, object, now) ?? newest;
    this.#changed();
    return newest;
  }

  #setState(state: WatchState, why: string): void {
    if (state === 'live' && this.#wasLost) this.resumed.value += 1;
    this.#wasLost = state === 'lost' || (state === 'loading' && this.#wasLost);
    this.state.value = state;
    this.why.value = why;
  }

  #changed(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      const goesOn = this.rows.expire(performance.now());
      this.version.value += 1;
      // the next look is for the end of flashes
      if (goesOn) setTimeout(() => !this.#end.signal.aborted && this.#changed(), 200);
    });
  }
}
