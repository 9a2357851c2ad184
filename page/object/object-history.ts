import { signal } from '@preact/signals';
import { pathOf, type Resource } from '../server/discovery.ts';
import { ApiError, lines, send } from '../server/request.ts';
import type { WatchEvent } from '../server/watch.ts';
import { isSame, type KubeObject } from './kube-object.ts';

/** One revision of an object, and who wrote it as far as managed fields say. */
export interface Revision {
  readonly type: 'created' | 'changed' | 'deleted';
  readonly object: KubeObject;
  readonly by: string;
  readonly time: string;
}

/** The most revisions that are kept. */
const maxRevisions = 1000;

/** The revisions of an object that the server still knows, and those to come. */
export class ObjectHistory {
  readonly revisions = signal<readonly Revision[]>([]);
  /** Whether earlier revisions are compacted. */
  readonly isCut = signal(false);
  readonly problem = signal('');
  readonly #end = new AbortController();

  constructor(resource: Resource, namespace: string, name: string) {
    void this.#read(resource, namespace, name).catch((error: unknown) => {
      if (!this.#end.signal.aborted) this.problem.value = error instanceof Error ? error.message : String(error);
    });
  }

  close(): void {
    this.#end.abort();
  }

  async #read(resource: Resource, namespace: string, name: string): Promise<void> {
    const path = (resourceVersion: string): string =>
      `${pathOf(resource, namespace)}?${new URLSearchParams({ watch: 'true', fieldSelector: `metadata.name=${name}`, resourceVersion })}`;
    let response: Response;
    try {
      response = await send(path('1'), { signal: this.#end.signal });
    } catch (error) {
      const oldest = error instanceof ApiError && error.code === 410 ? /\((\d+)\)/.exec(error.message)?.[1] : undefined;
      if (oldest === undefined) throw error;
      this.isCut.value = true;
      response = await send(path(oldest), { signal: this.#end.signal });
    }
    for await (const events of lines<WatchEvent<KubeObject>>(response)) {
      const added: Revision[] = [];
      let before = this.revisions.value.at(-1);
      for (const { type, object } of events) {
        if (type === 'ERROR') {
          this.isCut.value = true;
          continue;
        }
        before = revisionOf(type, object, before);
        added.push(before);
      }
      this.revisions.value = [...this.revisions.value, ...added].slice(-maxRevisions);
    }
  }
}

function revisionOf(type: string, object: KubeObject, before: Revision | undefined): Revision {
  const old = before?.type === 'deleted' ? [] : (before?.object.metadata.managedFields ?? []);
  const written = (object.metadata.managedFields ?? []).filter((entry) => !old.some((other) => isSame(entry, other)));
  const by = [...new Set(written.map(({ manager = '', subresource }) => (subresource ? `${manager} (${subresource})` : manager)))].join(
    ', ',
  );
  const time =
    written
      .map(({ time: at = '' }) => at)
      .sort()
      .at(-1) ?? '';
  return { type: type === 'ADDED' ? 'created' : type === 'DELETED' ? 'deleted' : 'changed', object, by, time };
}
