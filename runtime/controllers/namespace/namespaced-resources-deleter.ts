import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { hasStatusCode } from '../../machinery/errors/status.ts';
import { yieldToEventLoop } from '../../machinery/event-loop/yield.ts';
import { formatGroupVersion } from '../../machinery/gvk.ts';
import { writerOfController } from '../../reconcile/controller-writer.ts';
import type { RemoteResource, RemoteResources } from '../../reconcile/remote-resources.ts';
import { requireReadable } from '../../resources/corrupt-objects.ts';
import type { ResourceStore } from '../../resources/resource-store.ts';
import type { Writer } from '../../resources/rest.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { CollectionSnapshot, StoredObject } from '../../storage/object-store/contract.ts';
import type { DeletionStatus } from './status-conditions.ts';

export const namespaceWriter: Writer = writerOfController('namespace-controller');

/** Seconds that finalizers are assumed to need. (finalizerEstimateSeconds) */
const finalizerEstimate = 15;
/** The maximum number of concurrent deletions. They share durable commits. */
const deletionConcurrency = 32;

/** The remaining objects of a resource in the namespace. */
export interface RemainingContent {
  readonly store: ResourceStore;
  /** The snapshot with these objects. */
  readonly snapshot: CollectionSnapshot;
}

export interface DeletedNamespace {
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly deletedAt: number;
}

/**
 * Deletes the content of a namespace. Pods are deleted first, and all other objects after they are gone, so that
 * running pods keep their configuration and network policies.
 * (pkg/controller/namespace/deletion/namespaced_resources_deleter.go)
 */
export class NamespacedResourcesDeleter {
  readonly #stores: ResourceStores;
  readonly #remote: RemoteResources;
  readonly #isStopped: () => boolean;

  /** @param isStopped called between deletions */
  constructor(stores: ResourceStores, remote: RemoteResources, isStopped: () => boolean) {
    this.#stores = stores;
    this.#remote = remote;
    this.#isStopped = isStopped;
  }

  async deleteAllContent(namespace: DeletedNamespace): Promise<DeletionResult> {
    const { stores, discoveryErrors } = await this.#discoverStores();
    const pods = stores.filter(isPods);
    const others = stores.filter((store) => !isPods(store));
    const summary = new DeletionResult(namespace.name, discoveryErrors);
    for (const stage of [pods, others]) {
      for (const store of stage) {
        if (this.#isStopped()) break;
        await summary.add(store, () => this.#deleteAllOfResource(store, namespace));
      }
      if (summary.numRemaining.size > 0 || summary.contentErrors.length > 0) return summary;
    }
    for (const resource of this.#remote.namespaced(namespaceWriter.user)) {
      if (this.#isStopped()) break;
      if (resource.verbs.includes('delete')) await summary.addRemote(resource);
    }
    return summary;
  }

  /**
   * Reports whether the namespace has no objects. Finds objects whose creation began before the namespace was
   * terminating. No such creation can finish after another write to the terminating namespace.
   */
  async isEmpty(namespace: string): Promise<boolean> {
    // other servers may have created objects of resources that this server has not opened
    if (this.#stores.isShared) await this.#discoverStores();
    for (const { definition, collection } of this.#stores.allOpen()) {
      if (definition.namespaced && (await collection.mostRecent()).count(namespace) > 0) return false;
    }
    return true;
  }

  /** Returns the stores of namespaced resources that have objects. Other resources are not loaded. */
  async #discoverStores(): Promise<{ stores: readonly ResourceStore[]; discoveryErrors: readonly string[] }> {
    const stores: ResourceStore[] = [];
    const failed = new Map(this.#remote.failures());
    for (const entry of this.#stores.registry.storedEntries()) {
      const { facts, definition } = entry;
      if (!facts.namespaced || !facts.verbs.includes('delete')) continue;
      try {
        const open = definition && this.#stores.ifOpen(definition);
        if (open) stores.push(open);
        else if (await this.#stores.hasObjects(facts)) stores.push(await this.#stores.open(await entry.load()));
      } catch (error) {
        failed.set(formatGroupVersion(facts), messageOf(error));
      }
    }
    if (failed.size === 0) return { stores, discoveryErrors: [] };
    const causes = [...failed].map(([groupVersion, message]) => `${groupVersion}: ${message}`).join(', ');
    const error = `Discovery failed for some groups, ${failed.size} failing: unable to retrieve the complete list of server APIs: ${causes}`;
    return { stores, discoveryErrors: [error] };
  }

  /**
   * Deletes all objects of a resource in the namespace. (deleteAllContentForGroupVersionResource)
   *
   * @returns seconds that objects with a grace period may still need
   */
  async #deleteAllOfResource(store: ResourceStore, { name, deletedAt }: DeletedNamespace): Promise<number> {
    const objects = [...(await store.collection.mostRecent()).scan({ namespace: name })];
    const grace = isPods(store) ? estimateGracefulTermination(objects) : 0;
    let next = 0;
    const work = async (): Promise<void> => {
      for (let object = objects[next++]; object !== undefined && !this.#isStopped(); object = objects[next++]) {
        await deleteObject(store, object);
        if (next % deletionConcurrency === 0) await yieldToEventLoop();
      }
    };
    await Promise.all(Array.from({ length: Math.min(deletionConcurrency, objects.length) }, work));
    return this.#stores.clock.now() - deletedAt >= grace * 1000 ? 0 : grace;
  }
}

const isPods = ({ definition: { group, resource } }: ResourceStore): boolean => group === '' && resource === 'pods';

/** Sums up the remaining content of each resource. */
export class DeletionResult implements DeletionStatus {
  readonly #namespace: string;
  readonly discoveryErrors: readonly string[];
  readonly contentErrors: string[] = [];
  readonly numRemaining = new Map<string, number>();
  readonly finalizersRemaining = new Map<string, number>();
  readonly remainingContent: RemainingContent[] = [];
  /** Seconds until the remaining content may be gone. */
  estimate = 0;

  constructor(namespace: string, discoveryErrors: readonly string[]) {
    this.#namespace = namespace;
    this.discoveryErrors = discoveryErrors;
  }

  /** @param deleteAll deletes the objects of the resource, and returns the seconds until they may be gone */
  async add(store: ResourceStore, deleteAll: () => Promise<number>): Promise<void> {
    const namespace = this.#namespace;
    const { group, version, resource } = store.definition;
    try {
      const grace = await deleteAll();
      const snapshot = await store.collection.mostRecent();
      requireReadable(store, namespace);
      const objects = [...snapshot.scan({ namespace })];
      if (objects.length === 0) return;
      this.remainingContent.push({ store, snapshot });
      this.numRemaining.set(`${resource}.${group}`, objects.length);
      for (const object of objects) if (hasFinalizers(object)) this.#countFinalizers(object.metadata().finalizers ?? []);
      if (grace === 0 && !objects.some(hasFinalizers)) {
        const gvr = `${group}/${version}, Resource=${resource}`;
        this.contentErrors.push(`unexpected items still remain in namespace: ${namespace} for gvr: ${gvr}`);
      }
      this.estimate = Math.max(this.estimate, grace === 0 ? finalizerEstimate : grace);
    } catch (error) {
      this.contentErrors.push(messageOf(error));
    }
  }

  /** Deletes the objects of another server's resource. */
  async addRemote(remote: RemoteResource): Promise<void> {
    const namespace = this.#namespace;
    const { group, version, resource } = remote;
    try {
      await remote.deleteAll(namespace);
      const objects = await remote.list(namespace);
      if (objects.length === 0) return;
      this.numRemaining.set(`${resource}.${group}`, objects.length);
      for (const { finalizers } of objects) this.#countFinalizers(finalizers);
      if (!objects.some(({ finalizers }) => finalizers.length > 0)) {
        const gvr = `${group}/${version}, Resource=${resource}`;
        this.contentErrors.push(`unexpected items still remain in namespace: ${namespace} for gvr: ${gvr}`);
      }
      this.estimate = Math.max(this.estimate, finalizerEstimate);
    } catch (error) {
      this.contentErrors.push(messageOf(error));
    }
  }

  #countFinalizers(finalizers: readonly string[]): void {
    for (const finalizer of finalizers) {
      this.finalizersRemaining.set(finalizer, (this.finalizersRemaining.get(finalizer) ?? 0) + 1);
    }
  }
}

const finalizersMember = Buffer.from('"finalizers":[');

const hasFinalizers = (object: StoredObject): boolean =>
  object.mentions(finalizersMember) && (object.metadata().finalizers ?? []).length > 0;

async function deleteObject(store: ResourceStore, { namespace, name }: StoredObject): Promise<void> {
  try {
    const request = { namespace, name, propagationPolicy: 'Background' };
    await store.delete(store.definition, request, namespaceWriter);
  } catch (error) {
    // 404: the object was deleted meanwhile
    if (!hasStatusCode(error, 404)) throw error;
  }
}

/** Returns the longest grace period of unfinished pods, in seconds. (estimateGracefulTerminationForPods) */
function estimateGracefulTermination(pods: readonly StoredObject[]): number {
  let longest = 0;
  for (const pod of pods) {
    const phase = pod.fields['status.phase'];
    if (phase === 'Succeeded' || phase === 'Failed') continue;
    const { spec } = pod.decode() as Pod;
    longest = Math.max(longest, Number(spec?.terminationGracePeriodSeconds ?? 0));
  }
  return longest;
}
