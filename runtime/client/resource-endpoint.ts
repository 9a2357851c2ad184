import type { Status } from '../machinery/errors/status.ts';
import type { KubeObject } from '../machinery/object.ts';
import type {
  ApplyOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  LogOptions,
  PatchOptions,
  PatchType,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from './options.ts';
import type { Query, RestClient } from './rest-client.ts';

const patchMediaTypes: Readonly<Record<PatchType, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

/** Where a resource is served and what its bodies say they are. */
export interface ResourceLocation {
  /** As `/api/v1` or `/apis/apps/v1`. */
  readonly root: string;
  /** The plural. */
  readonly resource: string;
  readonly apiVersion: string;
  readonly kind: string;
}

/** The verbs of one resource, in one namespace or across all; the generated clients give each its types. */
export class ResourceEndpoint {
  readonly #rest: RestClient;
  readonly #location: ResourceLocation;
  readonly #collection: string;

  constructor(rest: RestClient, location: ResourceLocation, namespace?: string) {
    this.#rest = rest;
    this.#location = location;
    if (namespace === '') throw new TypeError(`a namespace is needed to address ${location.resource} in one`);
    const scope = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
    this.#collection = `${location.root}${scope}/${location.resource}`;
  }

  get<T>(name: string, { signal, ...query }: GetOptions = {}, subresource?: string): Promise<T> {
    return this.#rest.request({ method: 'GET', path: this.#path(name, subresource), query, signal });
  }

  list<T>({ signal, ...query }: ListOptions = {}): Promise<T> {
    return this.#rest.request({ method: 'GET', path: this.#collection, query: { ...query }, signal });
  }

  watch<T>({ signal, ...query }: WatchOptions = {}): AsyncIterable<WatchEvent<T>> {
    return this.#rest.watch({ method: 'GET', path: this.#collection, query: { ...query }, signal });
  }

  create<T>(object: object, { signal, ...query }: WriteOptions = {}): Promise<T> {
    const body = { apiVersion: this.#location.apiVersion, kind: this.#location.kind, ...object };
    return this.#rest.request({ method: 'POST', path: this.#collection, query: { ...query }, body, signal });
  }

  /** Creates below an object, as `bindings`, `eviction` and `token` do. */
  createBelow<T>(name: string, subresource: string, object: object, options: WriteOptions = {}): Promise<T> {
    const { signal, ...query } = options;
    const path = this.#path(name, subresource);
    return this.#rest.request({ method: 'POST', path, query: { ...query }, body: object, signal });
  }

  /** Writes the whole object; `metadata.resourceVersion`, where given, must be current. */
  update<T>(object: object, options: WriteOptions = {}, subresource?: string): Promise<T> {
    const { signal, ...query } = options;
    const name = (object as KubeObject).metadata?.name ?? '';
    const own = { apiVersion: this.#location.apiVersion, kind: this.#location.kind };
    const body = subresource === undefined || subresource === 'status' ? { ...own, ...object } : object;
    return this.#rest.request({
      method: 'PUT',
      path: this.#path(name, subresource),
      query: { ...query },
      body,
      signal,
    });
  }

  patch<T>(name: string, patch: unknown, options: PatchOptions = {}, subresource?: string): Promise<T> {
    const { signal, type = 'strategic', ...query } = options;
    return this.#rest.request({
      method: 'PATCH',
      path: this.#path(name, subresource),
      query: { ...query },
      body: patch,
      contentType: patchMediaTypes[type],
      signal,
    });
  }

  /** Server-side apply. */
  apply<T>(object: object, options: ApplyOptions, subresource?: string): Promise<T> {
    const own = { apiVersion: this.#location.apiVersion, kind: this.#location.kind };
    const name = (object as KubeObject).metadata?.name ?? '';
    return this.patch(name, { ...own, ...object }, { ...options, type: 'apply' }, subresource);
  }

  /** Answers with the object where its deletion waits (finalizers, grace), with a Status where it is gone. */
  delete<T>(name: string, options: DeleteOptions = {}): Promise<T | Status> {
    const { signal } = options;
    return this.#rest.request({ method: 'DELETE', path: this.#path(name), body: deleteBody(options), signal });
  }

  deleteCollection<T>(options: DeleteCollectionOptions = {}): Promise<T | Status> {
    const { signal, labelSelector, fieldSelector } = options;
    const query: Query = { labelSelector, fieldSelector };
    return this.#rest.request({ method: 'DELETE', path: this.#collection, query, body: deleteBody(options), signal });
  }

  /** The text of a subresource that is not an object: logs. */
  text(name: string, subresource: string, { signal, ...query }: LogOptions = {}): Promise<string> {
    return this.#rest.text({ method: 'GET', path: this.#path(name, subresource), query: { ...query }, signal });
  }

  #path(name: string, subresource?: string): string {
    if (name === '') throw new TypeError(`a name is needed to address one of ${this.#location.resource}`);
    const object = `${this.#collection}/${encodeURIComponent(name)}`;
    return subresource === undefined ? object : `${object}/${subresource}`;
  }
}

function deleteBody({ dryRun, gracePeriodSeconds, propagationPolicy, preconditions }: DeleteOptions): object {
  return {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    ...(dryRun === undefined ? {} : { dryRun: [dryRun] }),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(preconditions === undefined ? {} : { preconditions }),
  };
}
