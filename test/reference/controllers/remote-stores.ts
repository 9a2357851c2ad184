import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { conflict, hasStatusCode, notFound, StatusError } from '../../../runtime/machinery/errors/status.ts';
import { formatGroupVersion } from '../../../runtime/machinery/gvk.ts';
import type { KubeObject } from '../../../runtime/machinery/object.ts';
import { type ObjectKey, objectKeyOf } from '../../../runtime/machinery/object-key.ts';
import type { ResourceDefinition } from '../../../runtime/machinery/resource.ts';
import type { ResourceStore } from '../../../runtime/resources/resource-store.ts';
import type { DeleteRequest, DeleteResult, UpdateRequest, UpdateResult, WriteResult, Writer } from '../../../runtime/resources/rest.ts';
import type { ResourceStores } from '../../../runtime/resources/stores.ts';
import { ForcedApply } from '../../../runtime/resources/write/changes.ts';
import type { HttpClient, HttpResponse } from '../../support/http-client.ts';

/** How often a change is repeated after a conflict. */
const attempts = 10;
/** Milliseconds that a store has to hear of a write. */
const hearingMs = 10_000;

/**
 * Stores whose reads come from a shared etcd, and whose writes are requests to another server on that etcd. A controller with
 * these stores is a client of that server: its authorization, admission and validation decide.
 */
export function remoteStores(stores: ResourceStores, http: HttpClient): ResourceStores {
  const remotes = new Map<ResourceStore, ResourceStore>();
  const remote = (store: ResourceStore): ResourceStore => {
    let found = remotes.get(store);
    if (found === undefined) {
      found = overridden(store, new RemoteWrites(store, http).methods());
      remotes.set(store, found);
    }
    return found;
  };
  const own: ResourceStores = overridden(stores, {
    open: async (definition) => remote(await stores.open(definition)),
    byResource: async (group, version, resource) => remote(await stores.byResource(group, version, resource)),
    ifOpen(definition) {
      const store = stores.ifOpen(definition);
      return store && remote(store);
    },
    allOpen: () => stores.allOpen().map(remote),
    onOpen: (listener) => stores.onOpen((store) => listener(remote(store))),
  });
  return own;
}

/** Returns an object with other methods. Private members stay those of the object. */
function overridden<T extends object>(object: T, methods: Partial<T>): T {
  return new Proxy(object, {
    get(target, key) {
      if (Object.hasOwn(methods, key)) return methods[key as keyof T];
      const value = target[key as keyof T];
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** The write methods of one resource as requests. */
class RemoteWrites {
  readonly #store: ResourceStore;
  readonly #http: HttpClient;

  constructor(store: ResourceStore, http: HttpClient) {
    this.#store = store;
    this.#http = http;
  }

  methods(): Pick<ResourceStore, 'create' | 'update' | 'delete'> {
    return {
      create: (...args) => this.#create(...args),
      update: (...args) => this.#update(...args),
      delete: (...args) => this.#delete(...args),
    };
  }

  async #create(definition: ResourceDefinition, object: KubeObject, namespace: string, writer: Writer): Promise<WriteResult> {
    const path = `${pathOf(definition, namespace)}${queryOf(writer)}`;
    return this.#written(await this.#send('POST', path, writer, typed(definition, object)));
  }

  async #update(definition: ResourceDefinition, request: UpdateRequest, writer: Writer): Promise<UpdateResult> {
    const { change, subresource = '', part } = request;
    const key = { namespace: request.namespace, name: request.name };
    const path = `${pathOf(definition, key.namespace)}/${key.name}`;
    if (change instanceof ForcedApply) return this.#apply(`${path}${subresource && `/${subresource}`}`, change, writer);
    if (typeof change !== 'function') throw new Error('a change of a client is an edit or an apply');
    for (let attempt = 1; ; attempt++) {
      const current = this.#current(definition, key);
      if (current === undefined && request.requireCreate === undefined) throw notFound(definition, key.name);
      if (request.preconditionUid !== undefined && current?.metadata.uid !== request.preconditionUid)
        throw conflict(definition, key.name, 'another object has its name');
      const changed = await change(current && structuredClone(current));
      try {
        const response = await this.#put(definition, path, { subresource, part, current, changed }, writer);
        return { ...(await this.#written(response, key)), created: response.status === 201 };
      } catch (error) {
        const isOutdated = error instanceof StatusError && error.status.reason === 'Conflict';
        const isPinned = changed.metadata.resourceVersion !== current?.metadata.resourceVersion;
        if (!isOutdated || isPinned || attempt === attempts) throw error;
        await setTimeout(attempt * 5);
      }
    }
  }

  async #apply(path: string, { config, manager }: ForcedApply, writer: Writer): Promise<UpdateResult> {
    const target = `${path}?force=true&fieldManager=${encodeURIComponent(manager)}`;
    const response = await this.#send('PATCH', target, writer, config, 'application/apply-patch+yaml');
    return { ...(await this.#written(response)), created: response.status === 201 };
  }

  async #put(
    definition: ResourceDefinition,
    path: string,
    { subresource, current, changed }: Changed,
    writer: Writer,
  ): Promise<HttpResponse> {
    if (subresource === 'binding') {
      const { name, uid } = changed.metadata;
      const { nodeName } = (changed as Pod).spec ?? {};
      const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name, uid }, target: { kind: 'Node', name: nodeName } };
      return this.#send('POST', `${path}/binding`, writer, binding);
    }
    const target = `${subresource === '' ? path : `${path}/${subresource}`}${queryOf(writer)}`;
    const object = typed(definition, changed);
    try {
      return await this.#send('PUT', target, writer, object);
    } catch (error) {
      // some controllers of Kubernetes may patch, but not replace
      if (current === undefined || !hasStatusCode(error, 403)) throw error;
      return this.#send('PATCH', target, writer, mergePatch(typed(definition, current), object), 'application/merge-patch+json');
    }
  }

  async #delete(definition: ResourceDefinition, request: DeleteRequest, writer: Writer): Promise<DeleteResult> {
    const { namespace, name, gracePeriodSeconds, propagationPolicy, orphanDependents, preconditions } = request;
    const before = this.#current(definition, { namespace, name });
    const options = { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds, propagationPolicy, orphanDependents, preconditions };
    const response = await this.#send('DELETE', `${pathOf(definition, namespace)}/${name}`, writer, options);
    const isObject = response.json.kind !== 'Status';
    const deletedImmediately = !isObject;
    const object = isObject ? response.json : (before ?? response.json);
    await this.#heard(isObject ? response.json.metadata.resourceVersion : undefined);
    return { deletedImmediately, uid: object.metadata?.uid ?? '', written: { kind: 'object', object } };
  }

  #current(definition: ResourceDefinition, { namespace, name }: ObjectKey): KubeObject | undefined {
    const stored = this.#store.collection.latest().get(namespace, name);
    return stored && definition.conversion.fromStorage(stored.decode());
  }

  /** @throws StatusError that the server has answered */
  async #send(method: string, path: string, { user }: Writer, body: unknown, contentType = 'application/json'): Promise<HttpResponse> {
    const headers = {
      'impersonate-user': user.name,
      ...(user.groups.length > 0 && { 'impersonate-group': [...user.groups] }),
    };
    const response = await this.#http.send(method, path, JSON.stringify(body), contentType, { headers });
    if (response.status < 300) return response;
    throw new StatusError(response.json);
  }

  /** Waits until the store knows the write, which controllers rely on. */
  async #written({ json }: HttpResponse, key: ObjectKey = objectKeyOf(json)): Promise<WriteResult> {
    const revision = json.metadata?.resourceVersion;
    await this.#heard(revision);
    const stored = this.#store.collection.latest().get(key.namespace, key.name);
    return stored === undefined ? { kind: 'object', object: json } : { kind: 'stored', stored };
  }

  async #heard(revision: string | undefined): Promise<void> {
    if (revision === undefined) await this.#store.collection.mostRecent();
    else await this.#store.collection.notOlderThan(Number(revision), { timeoutMs: hearingMs });
  }
}

interface Changed {
  readonly subresource: string;
  readonly part: UpdateRequest['part'];
  readonly current: KubeObject | undefined;
  readonly changed: KubeObject;
}

function pathOf(definition: ResourceDefinition, namespace: string): string {
  const base = definition.group === '' ? '/api' : '/apis';
  const scope = definition.namespaced ? `/namespaces/${namespace}` : '';
  return `${base}/${formatGroupVersion(definition)}${scope}/${definition.resource}`;
}

const typed = (definition: ResourceDefinition, object: KubeObject): KubeObject => ({
  ...object,
  apiVersion: formatGroupVersion(definition),
  kind: definition.kind,
});

/** Returns the merge patch from one value to another, with the resourceVersion. (RFC 7396) */
function mergePatch(from: object, to: object): object {
  const before = Object.entries(from);
  const patch = new Map<string, unknown>(before.filter(([key]) => !(key in to)).map(([key]) => [key, null]));
  const known = new Map(before);
  for (const [key, value] of Object.entries(to)) {
    const old = known.get(key);
    if (key === 'resourceVersion') patch.set(key, value);
    else if (isMap(old) && isMap(value)) patch.set(key, mergePatch(old, value));
    else if (!isDeepStrictEqual(old, value)) patch.set(key, value);
  }
  return Object.fromEntries(patch);
}

const isMap = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

const queryOf = ({ fieldManager }: Writer): string =>
  fieldManager === undefined ? '' : `?fieldManager=${encodeURIComponent(fieldManager)}`;
