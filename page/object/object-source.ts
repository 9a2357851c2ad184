import { signal } from '@preact/signals';
import { pathOf, type Resource } from '../server/discovery.ts';
import { request } from '../server/request.ts';
import { follow, type WatchEvent, type WatchState } from '../server/watch.ts';
import type { KubeObject } from './kube-object.ts';

/** One object that follows its server. */
export class ObjectSource {
  readonly object = signal<KubeObject | undefined>(undefined);
  readonly isDeleted = signal(false);
  readonly state = signal<WatchState>('loading');
  readonly why = signal('');
  readonly resumed = signal(0);
  readonly #end = new AbortController();
  #wasLost = false;

  constructor(resource: Resource, namespace: string, name: string) {
    const path = pathOf(resource, namespace);
    void follow<KubeObject>(
      {
        list: async (ended) => {
          const read = await request<KubeObject>(pathOf(resource, namespace, name), { signal: ended });
          this.object.value = read;
          this.isDeleted.value = false;
          return read.metadata.resourceVersion ?? '';
        },
        path: (resourceVersion) =>
          `${path}?${new URLSearchParams({ watch: 'true', fieldSelector: `metadata.name=${name}`, allowWatchBookmarks: 'true', resourceVersion })}`,
        onEvents: (events) => this.#apply(events),
        onState: (state, why = '') => {
          if (state === 'live' && this.#wasLost) this.resumed.value += 1;
          this.#wasLost = state === 'lost' || (state === 'loading' && this.#wasLost);
          this.state.value = state;
          this.why.value = why;
        },
      },
      this.#end.signal,
    );
  }

  close(): void {
    this.#end.abort();
  }

  #apply(events: readonly WatchEvent<KubeObject>[]): string | undefined {
    for (const { type, object } of events) {
      if (type === 'BOOKMARK') continue;
      this.isDeleted.value = type === 'DELETED';
      this.object.value = object;
    }
    return events.at(-1)?.object.metadata.resourceVersion;
  }
}
