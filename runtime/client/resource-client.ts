import type { Status } from '../machinery/errors/status.ts';
import { defined } from '../machinery/json/defined.ts';
import { requireOptions } from '../machinery/options/check-options.ts';
import {
  applyOptions,
  deleteCollectionOptions,
  deleteOptions,
  getOptions,
  listOptions,
  logOptions,
  patchOptions,
  watchOptions,
  writeOptions,
} from './option-types.ts';
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

/** The path of a resource, and the kind of its objects. */
export interface ResourceLocation {
  /** The path of the group-version: `/api/v1` or `/apis/apps/v1`. */
  readonly root: string;
  /** The plural. */
  readonly resource: string;
  readonly apiVersion: string;
  readonly kind: string;
}

/** An object with a name. */
export interface NamedObject {
  readonly metadata?: { readonly name?: string };
}

/** A list of a kind without a schema. */
export interface ObjectList<T> {
  readonly metadata: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items: T[];
}

/**
 * The verbs of one resource: cluster-scoped, or namespaced in one namespace. Without `namespace`, a namespaced resource
 * supports only `list` and `watch`, in all namespaces. Every method sends one request, and rejects with a StatusError
 * if the server refuses it. (client-go gentype.Client)
 */
export class ResourceClient<T extends NamedObject = NamedObject, L = ObjectList<T>> {
  readonly #rest: RestClient;
  readonly #location: ResourceLocation;
  readonly #collection: string;

  constructor(rest: RestClient, location: ResourceLocation, namespace?: string) {
    this.#rest = rest;
    this.#location = location;
    if (namespace === '') throw new TypeError(`${location.resource} are namespaced: a namespace is needed`);
    const scope = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
    this.#collection = `${location.root}${scope}/${location.resource}`;
  }

  get(name: string, options: GetOptions = {}): Promise<T> {
    requireOptions(getOptions, options);
    const { signal, ...query } = options;
    return this.#rest.request({ method: 'GET', path: this.#path(name), query, signal });
  }

  list(options: ListOptions = {}): Promise<L> {
    requireOptions(listOptions, options);
    const { signal, ...query } = options;
    return this.#rest.request({ method: 'GET', path: this.#collection, query: { ...query }, signal });
  }

  watch(options: WatchOptions = {}): AsyncIterable<WatchEvent<T>> {
    requireOptions(watchOptions, options);
    const { signal, ...query } = options;
    return this.#rest.watch({ method: 'GET', path: this.#collection, query: { ...query }, signal });
  }

  create(object: T, options: WriteOptions = {}): Promise<T> {
    requireOptions(writeOptions, options);
    const { signal, ...query } = options;
    const body = this.withKind(object);
    return this.#rest.request({ method: 'POST', path: this.#collection, query: { ...query }, body, signal });
  }

  /** Replaces the object. `metadata.resourceVersion`, if set, must be current. */
  update(object: T, options: WriteOptions = {}): Promise<T> {
    return this.#put(this.#path(nameOf(object)), this.withKind(object), options);
  }

  /** Patches the object. `patch` is a list of operations for JSON patch, an object for the other types. */
  patch(name: string, patch: object, options: PatchOptions = {}): Promise<T> {
    return this.#patch(this.#path(name), patch, options);
  }

  /** Sends a server-side apply. */
  apply(object: T, options: ApplyOptions): Promise<T> {
    requireOptions(applyOptions, options);
    return this.#patch(this.#path(nameOf(object)), this.withKind(object), { ...options, type: 'apply' });
  }

  /** Resolves to the object if finalizers or a grace period delay its deletion, to a Status if it is deleted. */
  delete(name: string, options: DeleteOptions = {}): Promise<T | Status> {
    requireOptions(deleteOptions, options);
    const { signal } = options;
    return this.#rest.request({ method: 'DELETE', path: this.#path(name), body: deleteBody(options), signal });
  }

  deleteCollection(options: DeleteCollectionOptions = {}): Promise<L | Status> {
    requireOptions(deleteCollectionOptions, options);
    const { signal, labelSelector, fieldSelector } = options;
    const query: Query = { labelSelector, fieldSelector };
    return this.#rest.request({ method: 'DELETE', path: this.#collection, query, body: deleteBody(options), signal });
  }

  // Helpers for the methods of subresources.

  /** Adds apiVersion and kind, which are optional in arguments. */
  protected withKind(object: T): T {
    return { apiVersion: this.#location.apiVersion, kind: this.#location.kind, ...object };
  }

  protected getSubresource<S>(subresource: string, name: string, options: GetOptions = {}): Promise<S> {
    requireOptions(getOptions, options);
    const { signal, ...query } = options;
    return this.#rest.request({ method: 'GET', path: this.#path(name, subresource), query, signal });
  }

  protected createSubresource<S>(subresource: string, name: string, body: S, options: WriteOptions = {}): Promise<S> {
    requireOptions(writeOptions, options);
    const { signal, ...query } = options;
    return this.#rest.request({
      method: 'POST',
      path: this.#path(name, subresource),
      query: { ...query },
      body,
      signal,
    });
  }

  protected updateSubresource<S extends NamedObject>(subresource: string, body: S, options: WriteOptions = {}): Promise<S> {
    return this.#put(this.#path(nameOf(body), subresource), body, options);
  }

  protected patchSubresource<S>(subresource: string, name: string, patch: object, options: PatchOptions = {}): Promise<S> {
    return this.#patch(this.#path(name, subresource), patch, options);
  }

  /** Returns the text of a subresource that is not an object, such as `log`. */
  protected getText(subresource: string, name: string, options: LogOptions = {}): Promise<string> {
    requireOptions(logOptions, options);
    const { signal, ...query } = options;
    return this.#rest.text({ method: 'GET', path: this.#path(name, subresource), query: { ...query }, signal });
  }

  #put<S>(path: string, body: unknown, options: WriteOptions): Promise<S> {
    requireOptions(writeOptions, options);
    const { signal, ...query } = options;
    return this.#rest.request({ method: 'PUT', path, query: { ...query }, body, signal });
  }

  #patch<S>(path: string, body: object, options: PatchOptions): Promise<S> {
    requireOptions(patchOptions, options);
    const { signal, type = 'strategic', ...query } = options;
    const contentType = patchMediaTypes[type];
    return this.#rest.request({ method: 'PATCH', path, query: { ...query }, body, contentType, signal });
  }

  #path(name: string, subresource?: string): string {
    if (name === '') throw new TypeError(`${this.#location.resource}: a name is needed`);
    const object = `${this.#collection}/${encodeURIComponent(name)}`;
    return subresource === undefined ? object : `${object}/${subresource}`;
  }
}

/** A client of a resource with a `status` subresource. */
export class StatusClient<T extends NamedObject = NamedObject, L = ObjectList<T>> extends ResourceClient<T, L> {
  getStatus(name: string, options?: GetOptions): Promise<T> {
    return this.getSubresource('status', name, options);
  }

  updateStatus(object: T, options?: WriteOptions): Promise<T> {
    return this.updateSubresource('status', this.withKind(object), options);
  }

  patchStatus(name: string, patch: object, options?: PatchOptions): Promise<T> {
    return this.patchSubresource('status', name, patch, options);
  }
}

const nameOf = (object: NamedObject): string => object.metadata?.name ?? '';

function deleteBody({ dryRun, gracePeriodSeconds, propagationPolicy, preconditions }: DeleteOptions): object {
  return {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    ...(dryRun === undefined ? {} : { dryRun: [dryRun] }),
    ...defined({ gracePeriodSeconds, propagationPolicy, preconditions }),
  };
}
